package lake

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/analyze"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export/parquet"
	"github.com/perfdump/perfdump/internal/paged"
)

const (
	// groupRows is how many rows a group has: a query reads a whole one.
	groupRows = 64 << 10
	// mostPoints bounds the points that are held to be sorted: 24 bytes each, and about as
	// much again while they grow. Of more there is a further file.
	mostPoints = 6 << 20
)

// Made is what a piece gave.
type Made struct {
	Piece    string
	Files    []*File
	Rows     int64
	Failures map[string]Failure `json:",omitempty"` // of inputs that could not be read, or not wholly
}

const (
	codeIO   = string(perfdump.CodeIO)
	relisted = string(blg.CodeItemListAgain)
)

// Cook writes the files of a piece below dir, each whole or not at all. An error is one of
// writing, or of ctx.
func Cook(ctx context.Context, dir string, p *Piece, o Options) (*Made, error) {
	o = o.withDefaults()
	m := &Made{Piece: p.ID, Failures: map[string]Failure{}}
	mine := map[string]bool{}
	for _, of := range p.Of {
		mine[of.Path] = true
	}
	fail := func(path string, f Failure) {
		if _, known := m.Failures[path]; !known && mine[path] {
			m.Failures[path] = f
		}
	}
	c := o.Capture
	c.Names = c.Names.Fork()
	r := capture.NewRecording(c, capture.CookOptions{Kept: analyze.Kept + 64, Remark: func(r capture.Remark) {
		switch {
		case r.Code == capture.CodeLost:
			fail(r.Source, Failure{string(r.Code), -1, r.Text})
		case r.Code == blg.CodeItemListAgain:
			fail(r.Source, Failure{relisted, -1, "the list of items changes within the log, so it cannot be cut; the next run reads it as one piece"})
		}
	}})
	defer func() { _ = r.Close() }()
	for _, of := range slices.Concat(p.Before, p.Of) {
		in, err := capture.Open(of.Path)
		if err == nil {
			in.Parts = of.Parts
			err = r.Add(in)
			_ = in.Close()
		}
		if err != nil {
			fail(of.Path, failureOf(err))
		}
	}
	if m.Failures[p.Of[0].Path].Code == relisted {
		return m, nil
	}
	w := &writer{dir: dir, o: o, p: p, m: m, parts: map[string]*part{}}
	findings := analyze.New(analyze.BuiltIn(), nil)
	frames := 0
	for f, err := range r.Frames() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			fail(f.Source, failureOf(err))
			continue
		}
		if !mine[f.Source] || f.Time.Before(p.From) {
			continue
		}
		if !p.To.IsZero() && !f.Time.Before(p.To) {
			break
		}
		frames++
		findings.Add(f)
		if err := w.add(f); err != nil {
			return nil, err
		}
	}
	if err := w.flush(); err != nil {
		return nil, err
	}
	if frames > 1 {
		if err := w.findings(findings.Reports()); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// writer sorts the rows of a piece into files by host and date.
type writer struct {
	dir   string
	o     Options
	p     *Piece
	m     *Made
	parts map[string]*part // by folder
	held  int
	turn  int // counts flushes
}

// part is the rows of a host and a date.
type part struct {
	points paged.Slice[[]parquet.Point] // by the IDs of series
	series []*capture.Series
}

func (w *writer) add(f *capture.Frame) error {
	var last *capture.Series
	var to *part
	at := f.Time.UnixMicro()
	for i := range f.Cells {
		c := &f.Cells[i]
		if last == nil || last.Host != c.Series.Host {
			last, to = c.Series, w.part(parquet.Partition(c.Series.Host, f.Time))
		}
		points := to.points.At(c.Series.ID)
		if len(*points) == 0 {
			to.series = append(to.series, c.Series)
		}
		p := parquet.Point{Time: at, Status: c.EffectiveStatus()}
		p.Value, p.Has = c.Number()
		*points = append(*points, p)
	}
	if w.held += len(f.Cells); w.held < mostPoints {
		return nil
	}
	return w.flush()
}

func (w *writer) part(folder string) *part {
	p := w.parts[folder]
	if p == nil {
		p = &part{}
		w.parts[folder] = p
	}
	return p
}

// flush writes the points that are held: a file for each host and date.
func (w *writer) flush() error {
	for _, folder := range sortedKeys(w.parts) {
		p := w.parts[folder]
		slices.SortStableFunc(p.series, compareSeries)
		name := path.Join(folder, fmt.Sprintf("%s-%d.parquet", w.p.ID, w.turn))
		err := w.file(name, "counters", func(f io.Writer, share *Share) error {
			to, err := newSeries(f, w.o, w.p.Name)
			if err != nil {
				return err
			}
			for _, s := range p.series {
				points := *p.points.At(s.ID)
				share.add(s, points)
				if err := to.WriteSeries(s, points); err != nil {
					return err
				}
			}
			w.m.Rows += share.Rows
			return to.Close()
		})
		if err != nil {
			return err
		}
	}
	clear(w.parts)
	w.held = 0
	w.turn++
	return nil
}

// compareSeries is the order of the series of a file.
func compareSeries(a, b *capture.Series) int {
	return cmp.Or(strings.Compare(a.Object, b.Object), strings.Compare(a.Counter, b.Counter), strings.Compare(a.Instance, b.Instance),
		strings.Compare(a.Parent, b.Parent), cmp.Compare(a.InstanceIndex, b.InstanceIndex), strings.Compare(a.Host, b.Host))
}

// newSeries returns a writer of a file of values.
func newSeries(f io.Writer, o Options, recording string) (*parquet.SeriesWriter, error) {
	return parquet.NewSeries(f, parquet.Options{Version: o.Version, GroupRows: groupRows, Metadata: map[string]string{"recording": recording}})
}

// file writes a file of the piece.
func (w *writer) file(name, table string, write func(io.Writer, *Share) error) error {
	of := &File{Name: name, Table: table, Shares: []Share{{Piece: w.p.ID}}}
	if err := of.write(w.dir, func(f io.Writer) error { return write(f, &of.Shares[0]) }); err != nil {
		return err
	}
	of.Rows = of.Shares[0].Rows
	w.m.Files = append(w.m.Files, of)
	return nil
}

// write writes the file below a lake.
func (of *File) write(dir string, write func(io.Writer) error) error {
	return writeFile(filepath.Join(dir, filepath.FromSlash(of.Name)), func(f *os.File) error {
		h := sha256.New()
		if err := write(io.MultiWriter(f, h)); err != nil {
			return err
		}
		of.Hash = hashText(h)
		info, err := f.Stat()
		if err == nil {
			of.Bytes = info.Size()
		}
		return err
	})
}

// findings writes what was wrong in the time of the stretch.
func (w *writer) findings(reports []*analyze.Report) error {
	n := 0
	for _, r := range reports {
		n += len(r.Findings)
	}
	if n == 0 {
		return nil
	}
	return w.file(path.Join("findings", w.p.ID+".parquet"), "findings", func(f io.Writer, share *Share) error {
		t, err := parquet.NewTable(f, parquet.Options{Version: w.o.Version}, findingColumns...)
		if err != nil {
			return err
		}
		for _, r := range reports {
			for _, x := range r.Findings {
				first, last := x.Intervals[0], x.Intervals[len(x.Intervals)-1]
				instance := any(nil)
				if x.Instance != "" {
					instance = x.Instance
				}
				if err := t.Row(r.Machine, w.p.Name, first.Start, last.End, x.Rule, x.Severity.String(), x.Area, instance, x.Counter,
					x.Title, x.Worst.Value, x.Average, x.Threshold, x.Share); err != nil {
					return err
				}
				share.Rows++
			}
		}
		return t.Close()
	})
}
