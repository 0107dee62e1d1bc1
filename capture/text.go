package capture

import (
	"crypto/sha256"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/pdhcsv"
	"github.com/perfdump/perfdump/pdhpath"
)

// textTrack holds the rows of a PDH-CSV or PDH-TSV, which are already cooked.
type textTrack struct {
	name    string
	options pdhcsv.Options
	r       io.ReaderAt
	size    int64
	begin   time.Time
	host    string // of the first column
	zone    string
	offset  Offset
}

// addText adds the rows of a PDH-CSV or PDH-TSV. Errors after the first row are reported
// when the rows are read.
func (r *Recording) addText(in *Input) error {
	t := &textTrack{name: in.Name, r: in.At, size: in.size(), options: pdhcsv.Options{Options: r.o.Options, TimeFormat: r.o.TimeFormat}}
	rows, err := t.open()
	if err != nil {
		return err
	}
	h := rows.Header()
	t.zone, t.offset = strings.Clone(cut(h.Zone.Name)), Offset{East: -time.Duration(h.Zone.Bias) * time.Minute, Known: h.Zone.HasBias}
	for i := range h.Len() {
		if p, ok := h.Path(i); ok {
			t.host = strings.Clone(cut(p.Machine)) // do not keep the whole header
			break
		}
	}
	for row, err := range rows.Rows() {
		if err != nil {
			return err
		}
		t.begin = row.Time
		break
	}
	r.reportColumns(in.Name, rows)
	r.takeFile(in)
	r.tracks = append(r.tracks, t)
	return nil
}

// reportColumns reports columns whose names are not counter paths, and times in an unusual
// format.
func (r *Recording) reportColumns(name string, rows *pdhcsv.Reader) {
	h := rows.Header()
	n := h.Len()
	if _, ok := h.Description(); ok {
		n--
	}
	bad, read, first := 0, 0, 0
	for i := range n {
		if _, err := pdhpath.Parse(h.Column(i)); err == nil {
			continue
		}
		if bad++; bad == 1 {
			first = i
		}
		if _, ok := h.Path(i); ok {
			read++
		}
	}
	if bad > 0 {
		quoted := strings.ReplaceAll(fmt.Sprintf("%.60q", h.Column(first)), `\\`, `\`)
		r.report(Remark{Code: pdhcsv.CodeColumnPath, Source: name, Text: fmt.Sprintf(
			"columns whose names are not counter paths: %d, the first is column %d, %s; read as counters without a machine: %d, skipped: %d",
			bad, first+2, quoted, read, bad-read)})
	}
	for _, a := range rows.Anomalies().Kept() {
		if a.Code == pdhcsv.CodeTimeFormat {
			r.report(Remark{Code: a.Code, Source: name, Text: a.Message() + "; use --time-format for another format"})
		}
	}
}

func (t *textTrack) open() (*pdhcsv.Reader, error) {
	return pdhcsv.NewReader(io.NewSectionReader(t.r, 0, t.size), t.options)
}

func (t *textTrack) start() time.Time { return t.begin }

func (t *textTrack) machines(s *machineStarts) {
	s.add(machineStart{host: t.host, time: t.begin, offset: t.offset, last: t.offset, zone: t.zone})
}

func (t *textTrack) len() int { return 2 }

// textItem is the item of all columns; no item of a log has this name.
const textItem = "PDH-CSV"

// series returns the series of the columns, nil for those that the filter excludes and for
// repeated ones.
func (t *textTrack) series(r *Recording, h *pdhcsv.Header) []*Series {
	all := make([]*Series, h.Len())
	g := r.table.group(groupKey{item: textItem}, 0) // one group keeps the order of columns
	for i := range all {
		if r.table.budget.Over() {
			break
		}
		text := h.Column(i)
		path, ok := h.Path(i)
		if !ok || h.FirstOf(i) != i {
			continue
		}
		path = shownPath(path)
		m := Metric{}
		path.Object = r.o.Names.name(&m, naming{path.Object, path.Counter}, 0, 0)
		row, isNew := g.row(columnKey(text))
		if o := &row.owner; isNew {
			o.Host, o.Object = path.Machine, path.Object
			o.Parent, o.HasParent = path.Parent, path.Parent != ""
			o.Instance, o.HasInstance, o.InstanceIndex = path.Instance, path.HasInstance, path.Index
		}
		all[i] = r.table.at(g, row, 0, r.table.metricAt(m, 0))
	}
	return all
}

func shownPath(p pdhpath.Path) pdhpath.Path {
	p.Machine, p.Object, p.Parent, p.Instance, p.Counter = cutClone(p.Machine), cutClone(p.Object), cutClone(p.Parent), cutClone(p.Instance), cutClone(p.Counter)
	return p
}

// columnKey returns the key of a column, including a hash of long names.
func columnKey(text string) []byte {
	if len(text) <= maxName {
		return []byte(text)
	}
	sum := sha256.Sum256([]byte(text))
	return append([]byte(text[:maxName]), sum[:]...)
}

func (t *textTrack) frames(r *Recording, values bool, yield func(*Frame, error) bool) bool {
	rows, err := t.open()
	if err != nil {
		return yield(&Frame{Source: t.name}, err)
	}
	h := rows.Header()
	series := t.series(r, h)
	if !values {
		return true
	}
	frame := Frame{Source: t.name, Zone: t.zone, Offset: t.offset}
	for _, s := range series {
		if s != nil {
			frame.Host = s.Host
			break
		}
	}
	w := r.window()
	seen := 0
	for row, err := range rows.Rows() {
		if err != nil {
			return yield(&Frame{Source: t.name}, err)
		}
		if w.side(t.host, row.Time, t.offset) != inside {
			continue
		}
		if seen++; (seen-1)%max(1, r.cook.Every) != 0 {
			continue
		}
		frame.Time, frame.Record, frame.Cells = row.Time, row.Index, frame.Cells[:0]
		for i, s := range series[:row.Cells] { // a short line may have few cells
			if s == nil {
				continue
			}
			cell := Cell{Series: s, Value: row.Values[i]}
			if math.IsNaN(cell.Value) {
				cell.Value, cell.Status = 0, countertypes.StatusInvalidData
			}
			frame.Cells = append(frame.Cells, cell)
		}
		if !yield(&frame, nil) {
			return false
		}
	}
	return true
}
