package formats

import (
	"io"
	"slices"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/pdhpath"
)

// Documents says how dump writes a file as JSON.
type Documents struct {
	Dump

	Document document.Options
	Choices  Choices
	Asked    []string // the paths to advise on
	// Shown reports whether the paths chose something in any file.
	Shown bool
}

// snapshot is look for a snapshot.
func (o *Documents) snapshot(s *capture.Snapshot) {
	o.look(func() bool { return Shown(s) }, func(c Choices, paths []string) { Look(c, s, paths) })
}

// look remembers what the paths could choose until they choose something.
func (o *Documents) look(shown func() bool, look func(Choices, []string)) {
	if o.Shown {
		return
	}
	if o.Shown = shown(); !o.Shown {
		look(o.Choices, o.Asked)
	}
}

// item is look for an item or a column that a document lists.
func (o *Documents) item(p pdhpath.Path, match func(*pdhpath.Pattern, pdhpath.Path) bool) {
	english := p
	english.Object, english.Counter = o.Names.English(p.Object, 0, p.Counter, 0)
	chosen := func(of *pdhpath.Pattern) bool { return match(of, p) || match(of, english) }
	o.look(func() bool { return slices.ContainsFunc(o.Document.Counters, chosen) },
		func(c Choices, paths []string) { c.LookItem(p.Object, p.Counter, paths) })
}

// documentOf returns the writer of documents of a file that is parsed whole.
func documentOf[T any](parse parser[T], write func(io.Writer, *detect.Input, T, document.Options) error) func(io.Writer, *detect.Input, *Documents) error {
	return func(out io.Writer, in *detect.Input, o *Documents) error {
		file, err := parse(in, o.Options)
		if err != nil {
			return err
		}
		if err := write(out, in, file, o.Document); err != nil {
			return err
		}
		for _, fault := range faultsOf(file) {
			o.Failed(fault)
		}
		return nil
	}
}

// named returns a writer of documents that needs only the name of its file.
func named[T any](write func(io.Writer, string, T, document.Options) error) func(io.Writer, *detect.Input, T, document.Options) error {
	return func(out io.Writer, in *detect.Input, file T, o document.Options) error {
		return write(out, in.Name, file, o)
	}
}

// Encode reads a document of a format from r and writes the file that it describes
// to w, as [document.Encode] does.
func Encode(w io.Writer, r io.Reader) error {
	var readers []document.Format
	for _, f := range all {
		if f.Document != nil {
			readers = append(readers, document.Format{Name: string(f.Name), Reader: f.Reader})
		}
	}
	return document.Encode(w, r, readers)
}

// registers is the hint of formats that register counters.
const registers = "it registers counters and has no values: `perfdump dump` shows what it registers"
