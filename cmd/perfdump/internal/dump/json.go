package dump

import (
	"cmp"
	"context"
	"strconv"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/internal/detect"
)

// runJSON writes a document for each file.
func (o *Options) runJSON(ctx context.Context, d *dumper) error {
	docs := &formats.Documents{
		Document: document.Options{Names: names{d.co.Names}, Mode: d.co.Mode, Limits: d.co.Limits},
		Choices:  &d.empty, Asked: d.paths(),
	}
	if o.Query != "" {
		docs.Document.Query = &d.co.Query
	}
	if o.Lang != document.DefaultLanguage {
		docs.Document.Language = o.Lang
	}
	err := o.Each(ctx, o.Factory, o.Files, func(in *detect.Input) error {
		f := formats.Of(in.Format)
		if verb := d.misuse(f); verb != "" {
			return &formats.NoVerbError{Verb: verb, Format: in.Format}
		}
		failed := false
		docs.Dump = *d.options(func(err error) {
			failed = true
			o.Report(in.Name, err)
		})
		docs.Document.Counters = docs.Patterns()
		docs.Shown = docs.Shown || f.Registration
		err := f.Document(d.out, in, docs)
		if err == nil && failed {
			err = cmdutil.ErrInput
		}
		return err
	})
	d.shown = docs.Shown
	if nothing := d.unmatched(); nothing != nil && ctx.Err() == nil {
		return cmp.Or(err, nothing)
	}
	err = cmp.Or(d.out.release(), err)
	if n := d.co.Names.Missing(); n > 0 && !o.Selection.Any() && d.co.Names.BuiltIn() {
		o.Note("%s no name in the built-in table: null in the document; --titles FILE gives the names", cmdutil.Has(n, "index", "indexes"))
	}
	return err
}

// names looks up the names of a capture, which counts those that are missing.
type names struct{ *capture.Names }

func (n names) Lookup(index uint32) (string, bool) {
	name := n.Name(index)
	return name, name != strconv.FormatUint(uint64(index), 10)
}
