package cmdutil

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/opened"
	"github.com/perfdump/perfdump/pdhpath"
)

// Advise reports what to try if a recording yields little. It returns
// ErrFindings if nothing matches, and there is nothing to write; or ErrInput if
// something could not be read either.
func (r *Recording) Advise(ctx context.Context, frames, cells int) error {
	c := r.flags
	switch {
	case frames == 0 && c.From == "" && c.To == "" && c.At == "":
		r.f.noSnapshot(r.files)
	case frames == 0:
		c.NoteMissed(r.f, r.all.Missed(c.From))
	case cells == 0 && c.Selection.Any():
		var paths []string // none with a query, which may have left out what the paths match
		if c.Query == "" {
			paths = c.Counters
		}
		patterns := compiled(r.names, paths)
		var there Choices
		for _, s := range r.all.Unfiltered() {
			there.lookSeries(s, patterns)
		}
		there.lookSets(r.all, patterns)
		return cmp.Or(r.Err(), r.f.NothingMatches(c.Counters, c.Query, there.Advice(paths)))
	case frames == 1 && c.From == "" && c.To == "": // else there may be more
		r.f.Note("one snapshot: rates need two, so add the next one")
	}
	if cells > 0 {
		c.AdviseUnused(ctx, r.f, r.files, r.options, r.filter)
	}
	return nil
}

// AdviseUnused reports the paths of a filter that matched nothing although
// others did, since a typo in one of many is easily missed.
func (i *Inputs) AdviseUnused(ctx context.Context, f *Factory, files []string, o capture.Options, filter *capture.Filter) {
	if unused := filter.Unused(); len(unused) > 0 {
		f.Note("nothing matches %s; %s", few(unused), i.whatThereIs(ctx, f, files, o, unused))
	}
}

// whatThereIs says what could have been meant by the paths.
func (i *Inputs) whatThereIs(ctx context.Context, f *Factory, files []string, o capture.Options, paths []string) string {
	if advice := i.choices(ctx, f, files, o, paths).Advice(paths); advice != "" {
		return advice
	}
	return "perfdump dump shows what there is"
}

// noSnapshot says that there is nothing to show.
func (f *Factory) noSnapshot(files []string) {
	f.Note("no snapshot in %s; perfdump info says what there is, perfdump check lists anomalies", strings.Join(files, ", "))
}

// choices collects the counters of the first snapshot.
func (i *Inputs) choices(ctx context.Context, f *Factory, files []string, o capture.Options, paths []string) *Choices {
	var c Choices
	patterns := compiled(o.Names, paths)
	i.first(ctx, f, files, o, func(all *capture.Recording, cells []capture.Cell) bool {
		for i := range cells {
			c.lookSeries(cells[i].Series, patterns)
		}
		c.lookSets(all, patterns)
		return len(c.objects.names) > 0
	})
	return &c
}

// first calls do with the first snapshot of each file until it returns true. Files
// are read again; standard input cannot be.
func (i *Inputs) first(ctx context.Context, f *Factory, files []string, o capture.Options, do func(*capture.Recording, []capture.Cell) bool) {
	files = slices.DeleteFunc(slices.Clone(files), func(name string) bool { return name == "-" })
	again, err := i.Again(f)
	if err != nil || len(files) == 0 {
		return
	}
	o.Filter, o.Names = nil, o.Names.Fork() // this does not count as use of the names
	for in, err := range i.inputs(ctx, f, files, again) {
		if err != nil {
			continue
		}
		all := capture.NewRecording(o, capture.CookOptions{})
		var cells []capture.Cell
		if opened.Add(all, in) == nil {
			for f, err := range all.Frames() {
				if err == nil {
					cells = f.Cells
					break
				}
			}
		}
		enough := do(all, cells)
		_ = all.Close()
		if enough || ctx.Err() != nil {
			return
		}
	}
}

// compiled returns the patterns of the paths that advice is about.
func compiled(names *capture.Names, paths []string) []*pdhpath.Pattern {
	var patterns []*pdhpath.Pattern
	for _, path := range named(paths) {
		if of, err := names.Patterns(path); err == nil {
			patterns = append(patterns, of...)
		}
	}
	return patterns
}
