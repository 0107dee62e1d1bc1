package cmdutil

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/perfdump/perfdump/internal/detect"
)

// readerAt fails once ctx is done, since searching a dump may take long, and
// shows progress.
type readerAt struct {
	ctx      context.Context //nolint:containedctx // it is the reader's own
	r        io.ReaderAt
	name     string
	size     int64
	progress *Progress

	// Of the pass over the file that is being made, for the time that is left.
	begun time.Time
	from  int64 // where it began
	last  int64 // where it was at last
}

func newReaderAt(ctx context.Context, in *detect.Input, p *Progress) *readerAt {
	return &readerAt{ctx: ctx, r: in.At, name: FileName(in.Name), size: in.Size(), progress: p}
}

func (r *readerAt) ReadAt(b []byte, off int64) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	r.progress.Tick(func() string { return r.at(off, r.progress.now()) })
	return r.r.ReadAt(b, off)
}

// at says how far a pass is, and how long the rest of it takes at that pace.
func (r *readerAt) at(off int64, now time.Time) string {
	if r.begun.IsZero() || off < r.last {
		r.begun, r.from = now, off
	}
	r.last = off
	text := fmt.Sprintf("%s: %d%% of %d MiB", r.name, 100*off/max(r.size, 1), r.size>>20)
	if took := now.Sub(r.begun); took >= progressAfter && off > r.from {
		left := time.Duration(float64(took) * float64(r.size-off) / float64(off-r.from))
		text += fmt.Sprintf(", %s left", max(left, time.Second).Round(time.Second))
	}
	return text
}
