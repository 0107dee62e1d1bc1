package speedtable

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"time"

	pq "github.com/parquet-go/parquet-go"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/export/parquet"
	"github.com/perfdump/perfdump/internal/testkit/perftest/serverlog"
	"github.com/perfdump/perfdump/pdhcsv"
)

// counting counts what is written.
type counting struct{ n int }

func (c *counting) Write(b []byte) (int, error) {
	c.n += len(b)
	return len(b), nil
}

// open gives a log that is in memory to be cooked.
func open(b []byte) *capture.Recording {
	r := capture.NewRecording(capture.Options{}, capture.CookOptions{})
	in := &capture.Input{Name: "server.blg", Format: "blg", Data: b}
	if err := r.Add(in); err != nil {
		panic(err)
	}
	return r
}

// frames are those of a log, to be kept.
func frames(b []byte) (all []capture.Frame) {
	r := open(b)
	for f, err := range r.Frames() {
		if err != nil {
			panic(err)
		}
		kept := *f
		kept.Cells = slices.Clone(f.Cells)
		all = append(all, kept)
	}
	return all
}

// numbers are the values of frames.
func numbers(all []capture.Frame) (values []float64) {
	for i := range all {
		for k := range all[i].Cells {
			if v, ok := all[i].Cells[k].Number(); ok {
				values = append(values, v)
			}
		}
	}
	return values
}

// plain is the least that an output of numbers costs, of 17 digits or, by -1, of
// as many as they need.
func plain(values []float64, digits int) way {
	return way{"strconv", "the same numbers, made before, by `strconv.AppendFloat` into a bufio.Writer, and nothing else", func() int {
		w := bufio.NewWriterSize(io.Discard, 64<<10)
		var cell []byte
		for _, v := range values {
			cell = append(strconv.AppendFloat(cell[:0], v, 'g', digits, 64), ',')
			_, _ = w.Write(cell)
		}
		_ = w.Flush()
		return 0
	}}
}

// write writes frames to a writer that is new.
func write(w export.FrameWriter, all []capture.Frame) {
	for i := range all {
		if err := w.WriteFrame(&all[i]); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
}

var blgTask = task{"blg", "a log of 3,000 counters and 240 samples, and all its values", func(s size) work {
	b := serverlog.New(s.of(240, 3))
	var values []uint64
	return work{len(b), []way{
		{"*blg.Open", "indexes the log and reads each record, its objects with all checks", func() (n int) {
			for rec, err := range must(blg.Open(bytes.NewReader(b), int64(len(b)), blg.Options{})).Records() {
				if err != nil {
					panic(err)
				}
				for _, series := range rec.All() {
					if series.Kind != blg.Object {
						for _, v := range series.Values() {
							sink += v.Sample.First
							n++
						}
						continue
					}
					for _, o := range must(series.Block()).Objects() {
						values = o.AppendUint64s(values[:0])
						n += len(values)
					}
				}
			}
			return n
		}},
		{"*index", "`blg.Open` alone", func() int {
			must(blg.Open(bytes.NewReader(b), int64(len(b)), blg.Options{}))
			return 0
		}},
		floor(b),
		{"binary.Read", "as one would write it from the page of the format: `binary.Read` for each struct, a string for each name; no checks", func() int { return readLog(b) }},
	}}
}}

var rangeTask = task{"log, a range", "the spans of 4 KB of that log, as `hexdump --range` shows them; bytes are those of the log", func(s size) work {
	b := serverlog.New(s.of(240, 3))
	return work{len(b), []way{
		{"*blg.SpansWithin", "reads the buffers that hold the range", func() (n int) {
			from := int64(len(b) / 2)
			for range blg.SpansWithin(bytes.NewReader(b), int64(len(b)), from, from+4<<10, blg.Options{}) {
				n++
			}
			return n
		}},
		{"*File.Spans", "the spans of the whole log", func() int {
			for range must(blg.Open(bytes.NewReader(b), int64(len(b)), blg.Options{})).Spans() {
				sink++
			}
			return 0
		}},
	}}
}}

var dumpTask = task{"dump", "the raw values of that log as CSV; bytes are those of the log", func(s size) work {
	b := serverlog.New(s.of(240, 3))
	var raw []uint64
	for _, f := range frames(b) {
		for range f.Cells {
			raw = append(raw, uint64(len(raw))*12345, 132366960000000000)
		}
	}
	return work{len(b), []way{
		{"*export", "`capture.Read` and `export.NewRaw`", func() int {
			var n counting
			w := must(export.NewRaw(&n, "csv", export.Options{}))
			for snapshot, err := range capture.Read(&capture.Input{Name: "x.blg", Data: b}, capture.Options{}) {
				if err != nil {
					panic(err)
				}
				_ = w.Write(snapshot)
			}
			_ = w.Close()
			return n.n
		}},
		{"strconv", "as many numbers, two for each value, by `strconv.AppendUint` into a bufio.Writer, and nothing else", func() int {
			w := bufio.NewWriterSize(io.Discard, 64<<10)
			var text []byte
			for _, v := range raw {
				text = append(strconv.AppendUint(text[:0], v, 10), ',')
				_, _ = w.Write(text)
			}
			_ = w.Flush()
			return 0
		}},
	}}
}}

var logTask = task{"log to PDH-CSV", "that log, from its bytes to text", func(s size) work {
	b := serverlog.New(s.of(240, 3))
	values := numbers(frames(b))
	return work{len(b), []way{
		{"*cook", "reads, cooks and writes, on one core", func() int {
			r := open(b)
			w := must(export.NewCooked(io.Discard, "pdh-csv", export.Options{Series: must(r.Columns())}))
			for f, err := range r.Frames() {
				if err != nil {
					panic(err)
				}
				if err := w.WriteFrame(f); err != nil {
					panic(err)
				}
			}
			_ = w.Close()
			return 1
		}},
		plain(values, 17),
	}}
}}

// cookedRow is a row as programs declare it for encoding/json and parquet-go.
type cookedRow struct {
	Time          *time.Time `json:"time" parquet:"time,optional,timestamp(microsecond)"`
	Host          string     `json:"host" parquet:"host,dict"`
	Object        string     `json:"object" parquet:"object,dict"`
	Parent        *string    `json:"parent" parquet:"parent,optional,dict"`
	Instance      *string    `json:"instance" parquet:"instance,optional,dict"`
	InstanceIndex int32      `json:"instance_index" parquet:"instance_index"`
	Counter       string     `json:"counter" parquet:"counter,dict"`
	Path          string     `json:"path" parquet:"path,dict"`
	Value         *float64   `json:"value" parquet:"value,optional"`
	Status        string     `json:"status" parquet:"status,dict"`
}

// rowOf makes a row of a cell.
func (in *rows) rowOf(f *capture.Frame, c *capture.Cell) cookedRow {
	s := c.Series
	r := cookedRow{
		Time: &f.Time, Host: s.Host, Object: s.Object, InstanceIndex: int32(s.InstanceIndex), Counter: s.Counter, Path: in.paths[s.ID],
		Status: c.EffectiveStatus().String(),
	}
	if s.HasParent {
		r.Parent = &s.Parent
	}
	if s.HasInstance {
		r.Instance = &s.Instance
	}
	if v, ok := c.Number(); ok {
		r.Value = &v
	}
	return r
}

// rows are the input of the tasks that write some.
type rows struct {
	frames []capture.Frame
	paths  []string // of the series, which a rival need not make
	bytes  int      // of all rows as CSV
}

func newRows(s size) *rows {
	in := &rows{frames: frames(serverlog.New(s.of(20, 3)))}
	for i := range in.frames {
		for _, c := range in.frames[i].Cells {
			if c.Series.ID == len(in.paths) {
				in.paths = append(in.paths, c.Series.Path())
			}
		}
	}
	var n counting
	write(must(export.NewCooked(&n, "csv", export.Options{})), in.frames)
	in.bytes = n.n
	return in
}

var csvTask = task{"csv", "60,000 cooked rows of 3,000 counters that are in memory, for the rivals with their paths; bytes are those of the output", func(s size) work {
	in := newRows(s)
	return work{in.bytes, []way{
		{"*export", "`export.NewCooked`", func() int {
			var n counting
			write(must(export.NewCooked(&n, "csv", export.Options{})), in.frames)
			return n.n
		}},
		plain(numbers(in.frames), -1),
		{"encoding/csv", "a `csv.Writer` of records of strings, numbers by `strconv.FormatFloat`: the same bytes", func() int { return in.writeCSV() }},
	}}
}}

func (in *rows) writeCSV() int {
	var n counting
	w := csv.NewWriter(&n)
	_ = w.Write([]string{"time", "host", "object", "parent", "instance", "instance_index", "counter", "path", "value", "status"})
	for i := range in.frames {
		f := &in.frames[i]
		for k := range f.Cells {
			c := &f.Cells[k]
			s, number := c.Series, ""
			if v, ok := c.Number(); ok {
				number = strconv.FormatFloat(v, 'g', -1, 64)
				if v == float64(int64(v)) {
					number = strconv.FormatInt(int64(v), 10)
				}
			}
			_ = w.Write([]string{
				f.Time.Format("2006-01-02T15:04:05.000Z07:00"), s.Host, s.Object, s.Parent, s.Instance, strconv.Itoa(s.InstanceIndex),
				s.Counter, in.paths[s.ID], number, c.EffectiveStatus().String(),
			})
		}
	}
	w.Flush()
	return n.n
}

var jsonlTask = task{"jsonl", "the same rows as JSON Lines; bytes are those of the rows as CSV", func(s size) work {
	in := newRows(s)
	return work{in.bytes, []way{
		{"*export", "`export.NewCooked`", func() int {
			write(must(export.NewCooked(io.Discard, "jsonl", export.Options{})), in.frames)
			return 1
		}},
		{"encoding/json", "a `json.Encoder` of a struct, into a bufio.Writer", func() int {
			w := bufio.NewWriterSize(io.Discard, 64<<10)
			e := json.NewEncoder(w)
			for i := range in.frames {
				for k := range in.frames[i].Cells {
					row := in.rowOf(&in.frames[i], &in.frames[i].Cells[k])
					if err := e.Encode(&row); err != nil {
						panic(err)
					}
				}
			}
			_ = w.Flush()
			return 0
		}},
	}}
}}

// outputTask writes the rows of csvTask in another output.
func outputTask(name, words string) task {
	return task{name, "the same rows as " + words + "; bytes are those of the rows as CSV", func(s size) work {
		in := newRows(s)
		return work{in.bytes, []way{
			{"*export", "`export.NewCooked`", func() int {
				write(must(export.NewCooked(io.Discard, name, export.Options{})), in.frames)
				return 1
			}},
			plain(numbers(in.frames), 17),
		}}
	}}
}

var parquetTask = task{"parquet", "the same rows as Parquet with zstd; bytes are those of the rows as CSV", func(s size) work {
	in := newRows(s)
	return work{in.bytes, []way{
		{"*export/parquet", "`parquet.NewCooked`", func() int {
			write(must(parquet.NewCooked(io.Discard, parquet.Options{})), in.frames)
			return 1
		}},
		{"parquet-go", "the library's own `GenericWriter` of a struct with tags, same columns, a frame at a time", func() int {
			w := pq.NewGenericWriter[cookedRow](io.Discard, pq.Compression(&pq.Zstd))
			var batch []cookedRow
			for i := range in.frames {
				batch = batch[:0]
				for k := range in.frames[i].Cells {
					batch = append(batch, in.rowOf(&in.frames[i], &in.frames[i].Cells[k]))
				}
				must(w.Write(batch))
			}
			_ = w.Close()
			return 0
		}},
	}}
}}

var pdhcsvTask = task{"pdh-csv", "a PDH-CSV of 3,000 columns and 60 rows, and all its numbers", func(s size) work {
	r := open(serverlog.New(s.of(60, 3)))
	var text bytes.Buffer
	w := must(export.NewCooked(&text, "pdh-csv", export.Options{Series: must(r.Columns())}))
	for f, err := range r.Frames() {
		if err != nil {
			panic(err)
		}
		_ = w.WriteFrame(f)
	}
	_ = w.Close()
	return work{text.Len(), []way{
		{"*pdhcsv.NewReader", "row by row, with all checks", func() (n int) {
			r := must(pdhcsv.NewReader(bytes.NewReader(text.Bytes()), pdhcsv.Options{}))
			for row, err := range r.Rows() {
				if err != nil {
					panic(err)
				}
				n += row.Cells
			}
			return n
		}},
		floor(text.Bytes()),
		{"encoding/csv", "a `csv.Reader` that uses its record again, and `strconv.ParseFloat`", func() (n int) {
			r := csv.NewReader(bytes.NewReader(text.Bytes()))
			r.ReuseRecord = true
			must(r.Read())
			for {
				record, err := r.Read()
				if err != nil {
					return n
				}
				n += len(record) - 1
				for _, cell := range record[1:] {
					_, _ = strconv.ParseFloat(cell, 64)
				}
			}
		}},
	}}
}}
