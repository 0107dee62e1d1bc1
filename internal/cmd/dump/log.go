package dump

import (
	"cmp"
	"io"
	"slices"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/checkmk"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/document"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
	"github.com/perfdump/perfdump/pdhcsv"
	"github.com/perfdump/perfdump/pdhpath"
)

// log writes the raw values of a binary log, record by record.
func (d *dumper) log(in *detect.Input) error {
	l, err := capture.OpenLog(in, d.co)
	if err != nil {
		return err
	}
	d.taken = true
	failed := false
	tell := func(err error) {
		failed = true
		d.o.Report(in.Name, err)
	}
	window := capture.NewWindow(d.period)
	for r, err := range l.Records() {
		if err != nil {
			return err
		}
		if !d.takes(window, r.Host, "", r.Time, r.Offset) {
			continue
		}
		if err := d.record(r, tell); err != nil {
			return err
		}
	}
	if l.File.Lost().Any() {
		d.o.Note("%s: some of the log could not be read; perfdump check says what", cmdutil.FileName(in.Name))
	}
	if failed {
		return cmdutil.ErrInput
	}
	return nil
}

// record writes a record.
func (d *dumper) record(r *capture.LogRecord, failed func(error)) error {
	switch w := d.w.(type) {
	case *export.Table:
		shown, err := w.WriteRecord(r, failed)
		d.lookRows(shown, r)
		return err
	case *export.Checkmk:
		for s, err := range r.Objects() {
			if err != nil {
				failed(err)
				continue
			}
			if err := w.Write(s); err != nil {
				return err
			}
			d.look(s)
		}
		before := w.Omitted()
		w.Leave(r.Series(failed))
		d.lookRows(w.Omitted() > before, r)
		return nil
	default:
		shown := false
		err := d.w.(rowWriter).WriteRows(func(yield func(*capture.Row) bool) {
			for row := range r.Rows(failed) {
				shown = true
				if !yield(row) {
					return
				}
			}
		})
		d.lookRows(shown, r)
		return err
	}
}

// lookRows remembers what a filter could have been for, as long as it has let
// nothing through.
func (d *dumper) lookRows(shown bool, r *capture.LogRecord) {
	switch {
	case shown:
		d.shown, d.empty = true, cmdutil.Choices{}
	case !d.shown && d.o.Selection.Any():
		for s, err := range r.Objects() {
			if err == nil { // else it is told already
				d.empty.Look(s, d.o.Counters)
			}
		}
		for n := range r.Names() {
			d.empty.LookLog(&n, d.o.Counters)
		}
	}
}

// log writes the document of a binary log.
func (d *jsonDumper) log(in *detect.Input) error {
	l, err := capture.OpenLog(in, d.co)
	if err != nil {
		return err
	}
	for _, it := range l.File.Items() {
		d.lookItem(it.Path, func(p *pdhpath.Pattern, of pdhpath.Path) bool {
			return p.MatchObject(of.Object) && (it.Kind == blg.Object || it.Kind == blg.CounterSet || p.MatchCounter(of.Counter))
		})
	}
	return document.WriteBLG(d.out, document.BLG{Name: in.Name, Log: l.File}, d.options)
}

// sections writes what Checkmk agents have sent.
func (d *dumper) sections(in *detect.Input) error {
	window := capture.NewWindow(d.period)
	for s, err := range capture.Sections(in, d.co) {
		if err != nil {
			// What was read before stands before what is wrong behind it.
			if d.taken {
				err = cmp.Or(d.w.Flush(), err)
			}
			return err
		}
		d.taken = true
		if !d.takes(window, s.Host, s.Object, s.Time, capture.Offset{Known: true}) {
			continue
		}
		if err := d.section(s); err != nil {
			return err
		}
	}
	return nil
}

func (d *dumper) section(s *capture.AgentSection) (err error) {
	shown := true
	switch w := d.w.(type) {
	case *export.Table:
		shown, err = w.WriteSection(s)
	case *export.Checkmk:
		err = w.WriteSection(s.Section)
	default:
		shown = false
		err = d.w.(rowWriter).WriteRows(func(yield func(*capture.Row) bool) {
			for row := range s.Rows() {
				shown = true
				if !yield(row) {
					return
				}
			}
		})
	}
	d.lookSection(shown, s)
	return err
}

// lookSection remembers what a filter could have been for, as long as it has let
// nothing through.
func (d *dumper) lookSection(shown bool, s *capture.AgentSection) {
	switch {
	case shown:
		d.shown, d.empty = true, cmdutil.Choices{}
	case !d.shown && d.o.Selection.Any():
		for _, name := range s.CounterNames() {
			d.empty.LookItem(s.Object, name, d.o.Counters)
		}
	}
}

// lookItem is that for an item or a column that a document lists.
func (d *jsonDumper) lookItem(p pdhpath.Path, match func(*pdhpath.Pattern, pdhpath.Path) bool) {
	english := p
	english.Object, english.Counter = d.co.Names.English(p.Object, 0, p.Counter, 0)
	d.shown = d.shown || slices.ContainsFunc(d.options.Counters, func(of *pdhpath.Pattern) bool { return match(of, p) || match(of, english) })
	if !d.shown {
		d.empty.LookItem(p.Object, p.Counter, d.o.Counters)
	}
}

// sections writes the document of what Checkmk agents have sent.
func (d *jsonDumper) sections(in *detect.Input) error {
	for s, err := range capture.Sections(in, d.co) {
		if err != nil {
			return err
		}
		shown := false
		for range s.Rows() {
			shown = true
			break
		}
		d.lookSection(shown, s)
	}
	return document.WriteCheckmk(d.out, document.Checkmk{
		Name: in.Name, Data: in.Data, Read: checkmk.Options{Mode: d.co.Mode, Limits: d.co.Limits},
	}, d.options)
}

// text writes the document of a text log.
func (d *jsonDumper) text(in *detect.Input) error {
	doc := document.PDHCSV{
		Name: in.Name, TSV: in.Format == detect.PDHTSV, Text: io.NewSectionReader(in.At, 0, in.Size()),
		Read: pdhcsv.Options{Mode: d.co.Mode, Limits: d.co.Limits, CodePage: d.co.CodePage, TimeFormat: d.co.TimeFormat},
	}
	r, err := pdhcsv.NewReader(doc.Text, doc.Read)
	if err != nil {
		return err
	}
	for i := range r.Header().Len() {
		if path, ok := r.Header().Path(i); ok {
			d.lookItem(path, (*pdhpath.Pattern).Match)
		}
	}
	return document.WritePDHCSV(d.out, doc, d.options)
}
