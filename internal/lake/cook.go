package lake

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perfdump/perfdump/analyze"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export/parquet"
	"github.com/perfdump/perfdump/internal/paged"
)

const (
	// groupRows is how many rows a group has: a query reads a whole one.
	groupRows = 64 << 10
	// mostPoints bounds the points that are held to be sorted: 24 bytes each, and about as
	// much again while they grow. Of more there is a further file.
	mostPoints = 8 << 20
)

// made is what a stretch gave.
type made struct {
	files []*File
	rows  int64
	err   error // of writing: it ends the run
}

// cook writes the files of a stretch. What cannot be read of an input is noted in it.
func (l *lake) cook(ctx context.Context, s *stretch) (m made) {
	o := l.o.Capture
	o.Names = o.Names.Fork()
	mine := map[string]*Input{}
	for _, in := range s.inputs {
		mine[in.Path] = in
		in.Code, in.Offset, in.Error = "", 0, ""
	}
	r := capture.NewRecording(o, capture.CookOptions{Kept: analyze.Kept + 64, Remark: func(m capture.Remark) {
		if in := mine[m.Source]; in != nil && m.Code == capture.CodeLost {
			in.Code, in.Offset, in.Error = string(m.Code), -1, m.Text
		}
	}})
	defer func() { _ = r.Close() }()
	for _, in := range slices.Concat(s.before, s.inputs) {
		from, err := capture.Open(in.Path)
		if err == nil {
			err = r.Add(from)
			_ = from.Close()
		}
		if err != nil && mine[in.Path] == in {
			in.fail(err)
		}
	}
	w := &writer{l: l, s: s, parts: map[string]*part{}}
	findings := analyze.New(analyze.BuiltIn(), nil)
	frames := 0
	for f, err := range r.Frames() {
		if ctx.Err() != nil {
			return made{err: ctx.Err()}
		}
		in := mine[f.Source]
		if in == nil {
			continue
		}
		if err != nil {
			in.fail(err)
			continue
		}
		frames++
		findings.Add(f)
		if m.err = w.add(f); m.err != nil {
			return m
		}
	}
	if m.err = w.flush(); m.err != nil {
		return m
	}
	if frames > 1 {
		m.err = w.findings(findings.Reports())
	}
	m.files, m.rows = w.files, w.rows
	return m
}

// writer sorts the rows of a stretch into files by host and date.
type writer struct {
	l     *lake
	s     *stretch
	parts map[string]*part // by folder
	held  int
	turn  int // counts flushes
	files []*File
	rows  int64
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
		slices.SortStableFunc(p.series, func(a, b *capture.Series) int {
			return cmp.Or(strings.Compare(a.Object, b.Object), strings.Compare(a.Counter, b.Counter), strings.Compare(a.Instance, b.Instance),
				strings.Compare(a.Parent, b.Parent), cmp.Compare(a.InstanceIndex, b.InstanceIndex), strings.Compare(a.Host, b.Host))
		})
		name := path.Join(folder, fmt.Sprintf("%s-%d.parquet", w.s.id, w.turn))
		rows := int64(0)
		err := w.file(name, "counters", func(f *os.File) (int64, error) {
			to, err := parquet.NewSeries(f, parquet.Options{Version: w.l.o.Version, GroupRows: groupRows, Metadata: map[string]string{"recording": w.s.inputs[0].Recording}})
			if err != nil {
				return 0, err
			}
			for _, s := range p.series {
				points := *p.points.At(s.ID)
				rows += int64(len(points))
				if err := to.WriteSeries(s, points); err != nil {
					return 0, err
				}
			}
			return rows, to.Close()
		})
		if err != nil {
			return err
		}
		w.rows += rows
	}
	clear(w.parts)
	w.held = 0
	w.turn++
	return nil
}

// file writes a file of the stretch.
func (w *writer) file(name, table string, write func(*os.File) (rows int64, err error)) error {
	of := &File{Name: name, Stretch: w.s.id, Table: table}
	if err := w.l.file(of, write); err != nil {
		return err
	}
	w.files = append(w.files, of)
	return nil
}

func (l *lake) file(of *File, write func(*os.File) (rows int64, err error)) error {
	return writeFile(filepath.Join(l.dir, filepath.FromSlash(of.Name)), func(f *os.File) (err error) {
		if of.Rows, err = write(f); err != nil {
			return err
		}
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
	return w.file(path.Join("findings", w.s.id+".parquet"), "findings", func(f *os.File) (rows int64, err error) {
		t, err := parquet.NewTable(f, parquet.Options{Version: w.l.o.Version}, findingColumns...)
		if err != nil {
			return 0, err
		}
		for _, r := range reports {
			for _, x := range r.Findings {
				first, last := x.Intervals[0], x.Intervals[len(x.Intervals)-1]
				instance := any(nil)
				if x.Instance != "" {
					instance = x.Instance
				}
				if err := t.Row(r.Machine, w.s.inputs[0].Recording, first.Start, last.End, x.Rule, x.Severity.String(), x.Area, instance, x.Counter,
					x.Title, x.Worst.Value, x.Average, x.Threshold, x.Share); err != nil {
					return 0, err
				}
				rows++
			}
		}
		return rows, t.Close()
	})
}
