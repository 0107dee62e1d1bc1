package root

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/analyze"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/info"
)

// overview shows files without a verb: recordings as analyze does, others as info
// does.
func overview(ctx context.Context, f *cmdutil.Factory, files []string) error {
	rewind := func() error { return nil }
	if slices.Contains(files, "-") {
		in, err := os.CreateTemp("", "perfdump-*")
		if err != nil {
			return fmt.Errorf("%w: %w", cmdutil.ErrOutput, err)
		}
		defer func() {
			_ = in.Close()
			_ = os.Remove(in.Name())
		}()
		rewind = func() error {
			_, err := in.Seek(0, io.SeekStart)
			return err
		}
		_, err = io.Copy(in, f.IO.In)
		if err = cmp.Or(err, rewind()); err != nil {
			return fmt.Errorf("%w: %w", cmdutil.ErrInput, err)
		}
		f.IO.In = in
	}
	others, failed := analyze.Overview(ctx, f, files)
	if len(others) == 0 || failed != nil && !errors.Is(failed, cmdutil.ErrInput) {
		return failed
	}
	if err := rewind(); err != nil {
		return err
	}
	cmd := info.NewCmd(f)
	cmd.SetContext(ctx)
	return cmp.Or(cmd.RunE(cmd, others), failed)
}
