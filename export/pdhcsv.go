package export

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"sync/atomic"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/pdhcsv"
)

const utf16LE = 1200

// CheckCodePage returns an error for a Windows code page that a PDH-CSV cannot be
// in: it must be known and contain ASCII.
func CheckCodePage(number uint32) error {
	_, err := pdhPage(number)
	return err
}

// pdhPage returns the code page, nil for UTF-8 and UTF-16.
func pdhPage(number uint32) (*wire.CodePage, error) {
	if number == 0 || number == utf16LE {
		return nil, nil //nolint:nilnil // no page, no table of it
	}
	page, ok := wire.LookupCodePage(number)
	if !ok || !page.ASCII() {
		return nil, fmt.Errorf("code page %d is unknown, or lacks ASCII, which PDH-CSV needs", number)
	}
	return page, nil
}

// pdhWriter writes the format of perfmon's logs: a row for each frame, a column for
// each series. Cells of series that are not in Options.Series are counted and left
// out. If a frame has two cells of one series, the last one counts.
type pdhWriter struct {
	w       *bufio.Writer
	sep     byte
	at      *time.Location // of times; nil for the recorder's
	utf16   bool
	page    *wire.CodePage
	series  []*capture.Series
	column  []int32 // by ID: 1 + the column of each series
	values  []float64
	row     []byte
	wide    []byte
	zone    pdhcsv.Zone
	begun   bool
	unknown int
	omitted *atomic.Int64 // shards count here, too
}

func newPDH(sep byte) func(io.Writer, Options) (FrameWriter, error) {
	return func(w io.Writer, o Options) (FrameWriter, error) {
		page, err := pdhPage(o.CodePage)
		if err != nil {
			return nil, err
		}
		p := &pdhWriter{w: newBuffer(w), sep: sep, at: o.Zone, utf16: o.CodePage == utf16LE, page: page, series: o.Series, omitted: &atomic.Int64{}}
		for i, s := range o.Series {
			*at(&p.column, s.ID) = int32(i) + 1
		}
		return p, nil
	}
}

// ErrNoTime is the error of pdh-csv and pdh-tsv for a frame without a time, such as
// those of IPC control blocks.
var ErrNoTime = errors.New("it has no time, which each row of PDH-CSV needs")

// WriteFrame writes a row, and the header before the first. All rows have the time
// zone of the first frame, since the header has one.
func (p *pdhWriter) WriteFrame(f *capture.Frame) error {
	if !p.begun && !f.Time.IsZero() {
		p.zone = p.zoneOf(f)
		if err := p.header(); err != nil {
			return err
		}
	}
	row, err := p.append(p.row[:0], f, p.write)
	if err != nil {
		return err
	}
	p.row = row
	return p.write(row)
}

// append appends the row of a frame. Where there is a flush, it gets what has come
// together now and then.
func (p *pdhWriter) append(row []byte, f *capture.Frame, flush func([]byte) error) ([]byte, error) {
	if f.Time.IsZero() {
		return row, fmt.Errorf("record %d of %s: %w", f.Record, f.Source, ErrNoTime)
	}
	if p.values == nil {
		p.values = make([]float64, len(p.series))
	}
	local := f.Time.Add(-time.Duration(p.zone.Bias) * time.Minute)
	if year := local.UTC().Year(); year < 1 || year > 9999 {
		p.omitted.Add(1)
		return row, nil
	}
	// A missing value is NaN, for which AppendValue writes a blank.
	for i := range p.values {
		p.values[i] = math.NaN()
	}
	for i := range f.Cells {
		c := &f.Cells[i]
		if c.Series.ID >= len(p.column) || p.column[c.Series.ID] == 0 {
			p.unknown++
			continue
		}
		v, ok := c.Number()
		if !ok {
			v = math.NaN()
		}
		p.values[p.column[c.Series.ID]-1] = v
	}
	row = pdhcsv.AppendTime(row, local)
	for _, v := range p.values {
		row = pdhcsv.AppendValue(row, p.sep, v)
		if flush != nil && len(row) >= partSize {
			if err := flush(row); err != nil {
				return row, err
			}
			row = row[:0]
		}
	}
	return append(row, pdhcsv.RowEnd...), nil
}

// shard returns a function with the zone of the header. It does not count unknown
// cells.
func (p *pdhWriter) shard() func([]byte, *capture.Frame) ([]byte, error) {
	s := *p
	s.values, s.row, s.wide = nil, nil, nil // values are made where it gets a frame
	return func(dst []byte, f *capture.Frame) ([]byte, error) {
		from := len(dst)
		dst, err := s.append(dst, f, nil)
		if err == nil && (s.utf16 || s.page != nil) {
			dst = append(dst[:from], s.encoded(dst[from:])...)
		}
		return dst, err
	}
}

func (p *pdhWriter) buffer() *bufio.Writer { return p.w }

func (p *pdhWriter) rowCells() int { return max(1, len(p.series)) }

func (p *pdhWriter) omissions() []Omission {
	return []Omission{
		{int(p.omitted.Load()), "row", "left out: their times are outside the years 1 to 9999; -o csv has them"},
		{p.unknown, "value", "left out: the inputs changed while they were read"},
	}
}

// Close writes what is left, and the header if there were no frames.
func (p *pdhWriter) Close() error {
	if !p.begun {
		p.zone = p.zoneOf(&capture.Frame{})
		if err := p.header(); err != nil {
			return err
		}
	}
	return p.w.Flush()
}

func (p *pdhWriter) zoneOf(f *capture.Frame) pdhcsv.Zone {
	switch {
	case f.Offset.Known && p.at != nil:
		_, east := f.Time.In(p.at).Zone()
		if east == 0 {
			return pdhcsv.Zone{Name: "UTC", HasBias: true}
		}
		return pdhcsv.ZoneOf("", time.Duration(east)*time.Second)
	case f.Offset.Known:
		return pdhcsv.ZoneOf(f.Zone, f.Offset.East)
	case strings.HasPrefix(f.Zone, "@"):
		return pdhcsv.Zone{}
	default:
		return pdhcsv.Zone{Name: f.Zone}
	}
}

func (p *pdhWriter) header() error {
	p.begun = true
	if p.utf16 {
		_, _ = p.w.Write([]byte{0xff, 0xfe}) // the error stays
	}
	var path []byte
	line := pdhcsv.AppendZone(p.row[:0], p.sep, p.zone)
	for _, s := range p.series {
		path = s.AppendPath(path[:0])
		line = pdhcsv.AppendColumn(line, p.sep, path)
		if len(line) >= partSize {
			if err := p.write(line); err != nil {
				return err
			}
			line = line[:0]
		}
	}
	return p.write(append(line, pdhcsv.RowEnd...))
}

// partSize is about how much of a line is written at a time: it may have a
// million columns.
const partSize = 16 << 10

func (p *pdhWriter) write(part []byte) error {
	_, err := p.w.Write(p.encoded(part))
	return err
}

// encoded returns a part of a line in the file's code page, with a ? for what the page
// does not have, as Windows does.
func (p *pdhWriter) encoded(part []byte) []byte {
	switch {
	case p.utf16:
		p.wide = wire.EncodeUTF16(p.wide[:0], string(part))
		part = p.wide
	case p.page != nil:
		text, ok := string(part), false
		if part, ok = p.page.Encode(nil, text); ok {
			break
		}
		part = nil
		for _, r := range text {
			if part, ok = p.page.Encode(part, string(r)); !ok {
				part = append(part, '?')
			}
		}
	}
	return part
}
