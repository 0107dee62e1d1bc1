package export

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/paged"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/pdhcsv"
)

// PDHOptions say how PDH-CSV and PDH-TSV are written.
type PDHOptions struct {
	Zone *time.Location // of times; nil for the recorder's
	// CodePage is the Windows code page of the file; 0 is UTF-8. 1200 is
	// UTF-16LE, which gets a byte order mark.
	CodePage uint32
}

// utf16LE is the number of a code page.
const utf16LE = 1200

// Check tells whether the code page is one that a file can be in: a page that is
// known and contains ASCII. The error is fit to be shown.
func (o PDHOptions) Check() error {
	_, err := o.page()
	return err
}

// page returns the code page, nil for UTF-8 and UTF-16.
func (o PDHOptions) page() (*wire.CodePage, error) {
	if o.CodePage == 0 || o.CodePage == utf16LE {
		return nil, nil //nolint:nilnil // no page, no table of it
	}
	page, ok := wire.LookupCodePage(o.CodePage)
	if !ok || !page.ASCII() {
		return nil, fmt.Errorf("code page %d: unknown, or none that a PDH-CSV can be in", o.CodePage)
	}
	return page, nil
}

// PDHCSV writes the form of perfmon's logs: a row for each frame, a column for
// each series. Cells of series that were not announced are counted and left
// out. Of two cells of one series in a frame the last one counts.
type PDHCSV struct {
	w       *bufio.Writer
	sep     byte
	o       PDHOptions
	page    *wire.CodePage
	series  []*capture.Series
	column  paged.Slice[int32] // 1 + the column of each series
	values  []float64
	row     []byte
	wide    []byte
	zone    pdhcsv.Zone
	begun   bool
	unknown int
	omitted *atomic.Int64 // shards count here, too
}

// newPDHCSV returns a writer of PDH-CSV with the given columns.
func newPDHCSV(w io.Writer, series []*capture.Series, o PDHOptions) (*PDHCSV, error) {
	return newPDH(w, pdhcsv.CSV, series, o)
}

// newPDHTSV returns a writer of PDH-TSV with the given columns.
func newPDHTSV(w io.Writer, series []*capture.Series, o PDHOptions) (*PDHCSV, error) {
	return newPDH(w, pdhcsv.TSV, series, o)
}

func newPDH(w io.Writer, sep byte, series []*capture.Series, o PDHOptions) (*PDHCSV, error) {
	page, err := o.page()
	if err != nil {
		return nil, err
	}
	p := &PDHCSV{w: newBuffer(w), sep: sep, o: o, page: page, series: series, omitted: &atomic.Int64{}}
	for i, s := range series {
		*p.column.At(s.ID) = int32(i) + 1
	}
	return p, nil
}

// ErrNoTime is what [PDHCSV.WriteFrame] says of a frame of no time, as those of
// IPC control blocks: a row begins with one.
var ErrNoTime = errors.New("it has no time, and a row of PDH-CSV begins with one")

// WriteFrame writes a row, and the header before the first. The time zone of
// the first frame holds for all, since the header has room for one.
func (p *PDHCSV) WriteFrame(f *capture.Frame) error {
	if f.Time.IsZero() {
		return fmt.Errorf("record %d of %s: %w", f.Record, f.Source, ErrNoTime)
	}
	if p.values == nil {
		p.values = make([]float64, len(p.series))
		p.row = make([]byte, 0, min(2*partSize, partSize/4+32*len(p.series)))
	}
	if !p.begun {
		p.zone = p.zoneOf(f)
		if err := p.header(); err != nil {
			return err
		}
	}
	local := f.Time.Add(-time.Duration(p.zone.Bias) * time.Minute)
	if year := local.UTC().Year(); year < 1 || year > 9999 {
		p.omitted.Add(1)
		return nil
	}
	// A missing value is NaN, for which AppendValue writes a blank.
	for i := range p.values {
		p.values[i] = missing
	}
	for i := range f.Cells {
		c := &f.Cells[i]
		column := *p.column.At(c.Series.ID)
		if column == 0 {
			p.unknown++
			continue
		}
		if v, ok := c.Number(); ok {
			p.values[column-1] = v
		} else {
			p.values[column-1] = missing
		}
	}
	row := pdhcsv.AppendTime(p.row[:0], local)
	for _, v := range p.values {
		row = pdhcsv.AppendValue(row, p.sep, v)
		if len(row) >= partSize {
			if err := p.write(row); err != nil {
				return err
			}
			row = row[:0]
		}
	}
	p.row = append(row, pdhcsv.RowEnd...)
	return p.write(p.row)
}

// shard returns a writer with the zone of the header. The cells that it does
// not know are not counted.
func (p *PDHCSV) shard(w *bufio.Writer) sharded {
	s := *p
	s.column = p.column.Apart()
	s.w, s.values, s.row, s.wide = w, nil, nil, nil // values are made where it gets a frame
	return &s
}

func (p *PDHCSV) buffer() *bufio.Writer { return p.w }

func (p *PDHCSV) rowCells() int { return max(1, len(p.series)) }

// Unknown returns how many cells were left out because their series was not
// announced.
func (p *PDHCSV) Unknown() int { return p.unknown }

// Omitted returns how many rows were left out because their times are out of the
// years 1 to 9999.
func (p *PDHCSV) Omitted() int { return int(p.omitted.Load()) }

// Close writes what is left, and the header if there were no frames.
func (p *PDHCSV) Close() error {
	if !p.begun {
		p.zone = p.zoneOf(&capture.Frame{})
		if err := p.header(); err != nil {
			return err
		}
	}
	return p.w.Flush()
}

func (p *PDHCSV) zoneOf(f *capture.Frame) pdhcsv.Zone {
	switch {
	case f.Offset.Known && p.o.Zone != nil:
		_, east := f.Time.In(p.o.Zone).Zone()
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

func (p *PDHCSV) header() error {
	p.begun = true
	if p.o.CodePage == utf16LE {
		if _, err := p.w.Write([]byte{0xff, 0xfe}); err != nil {
			return err
		}
	}
	var path []byte
	line := pdhcsv.AppendZone(p.row[:0], p.sep, p.zone)
	for _, s := range p.series {
		path = s.AppendPath(path[:0])
		line = pdhcsv.AppendColumn(line, p.sep, path)
		if len(line) >= partSize {
			if err := p.text(line); err != nil {
				return err
			}
			line = line[:0]
		}
	}
	return p.text(append(line, pdhcsv.RowEnd...))
}

// partSize is about how much of a line is written at a time: it may have a
// million columns.
const partSize = 16 << 10

// text writes a part of the header in the file's code page.
func (p *PDHCSV) text(part []byte) error {
	switch {
	case p.o.CodePage == utf16LE:
		p.wide = wire.EncodeUTF16(p.wide[:0], string(part))
		part = p.wide
	case p.page != nil:
		part = encode(p.page, part)
	}
	_, err := p.w.Write(part)
	return err
}

// encode writes text in a code page, with a ? for what the page does not have,
// as Windows does.
func encode(page *wire.CodePage, text []byte) []byte {
	if all, ok := page.Encode(nil, string(text)); ok {
		return all
	}
	var out []byte
	for _, r := range string(text) {
		var ok bool
		if out, ok = page.Encode(out, string(r)); !ok {
			out = append(out, '?')
		}
	}
	return out
}

// write writes a row, which is ASCII.
func (p *PDHCSV) write(row []byte) error {
	if p.o.CodePage == utf16LE {
		p.wide = p.wide[:0]
		for _, c := range row {
			p.wide = append(p.wide, c, 0)
		}
		row = p.wide
	}
	_, err := p.w.Write(row)
	return err
}
