package cmdutil

import (
	"context"
	"slices"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
)

// Advise says what to try where little came out of a recording.
func (r *Recording) Advise(ctx context.Context, frames, cells int) {
	c := r.flags
	switch {
	case frames == 0 && c.From == "" && c.To == "":
		r.f.noSnapshot(r.files)
	case frames == 0:
		r.f.Note("no snapshot lies between --from and --to; perfdump info says from when to when the files go")
	case cells == 0 && c.Selection.Any():
		asked := c.Counters
		if c.Query != "" {
			asked = append([]string{"the query " + c.Query}, asked...)
		}
		advice := "perfdump dump shows what there is"
		if choices := r.choices(ctx).Advice(); choices != "" {
			advice = choices
		}
		r.f.Note("nothing matches %s; %s", Quoted(asked), advice)
	case frames == 1:
		r.f.Note("one snapshot: rates need two, so give the next one as well")
	}
}

// noSnapshot says that there is nothing to show.
func (f *Factory) noSnapshot(files []string) {
	f.Note("no snapshot in %s; perfdump info says what there is", strings.Join(files, ", "))
}

// choices returns what the paths could have been for: the counters of the first
// snapshot of the first file, which is read once more. Standard input cannot be.
func (r *Recording) choices(ctx context.Context) *Choices {
	var c Choices
	files := slices.DeleteFunc(slices.Clone(r.files), func(name string) bool { return name == "-" })
	do, err := r.flags.Detect(r.f)
	if err != nil || len(files) == 0 {
		return &c
	}
	var patterns []*pdhpath.Pattern
	for _, path := range r.flags.Counters {
		if p, err := pdhpath.Compile(path); err == nil && r.flags.Query == "" {
			patterns = append(patterns, p)
		}
	}
	o := r.options
	o.Filter, o.Query = nil, perfdata.Query{}
	for in, err := range r.flags.inputs(ctx, r.f, files, do) {
		if err != nil {
			continue
		}
		all := capture.NewRecording(o, capture.CookOptions{})
		if all.Add(in) == nil {
			for f, err := range all.Frames() {
				if err != nil {
					continue
				}
				for i := range f.Cells {
					c.lookSeries(f.Cells[i].Series, patterns)
				}
				break
			}
		}
		_ = all.Close()
		if len(c.objects) > 0 || ctx.Err() != nil {
			break
		}
	}
	return &c
}
