package table_test

import (
	"bytes"
	"errors"
	"iter"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/table"
)

// page returns what is printed, with | for the margin.
func page(t *testing.T, o table.Options, fill func(*table.Printer)) string {
	t.Helper()
	var out bytes.Buffer
	p := table.NewPrinter(&out, o)
	fill(p)
	require.NoError(t, p.Flush())
	return "\n" + out.String()
}

func rows(all ...*table.Row) iter.Seq[*table.Row] {
	return func(yield func(*table.Row) bool) {
		for _, r := range all {
			if !yield(r) {
				return
			}
		}
	}
}

func row(texts ...string) *table.Row { return new(table.Row).Texts(texts...) }

func value(r *table.Row, main, tail string) *table.Row {
	return r.Text(main).Tail(func(b []byte) []byte { return append(b, tail...) })
}

func values() *table.Table {
	return &table.Table{Indent: 2, Columns: []table.Column{
		{Max: 8},
		{Head: []string{"% Time", "x"}, Unit: "/s", Align: table.Right},
		{Head: []string{"State"}},
	}}
}

func TestTable(t *testing.T) {
	all := rows(
		value(row("short"), "7", " / 100").Text("on"),
		value(row("日本"), "12345", " x 3").Text("off"),
		row("very long name", "-", ""),
	)
	assert.Equal(t, `
                 % Time
                      x  State
                     /s
  short         7 / 100  on
  日本      12345 x 3    off
  very long name  -
`, page(t, table.Options{}, func(p *table.Printer) { p.Table(values(), all) }))
}

// A page that cuts is never wider than it says; columns go before others shrink.
func TestCut(t *testing.T) {
	all := rows(row("a long name of a file", "perfdata", "123456"), row("b", "blg", "7"))
	columns := func() *table.Table {
		return &table.Table{Columns: []table.Column{
			{Head: []string{"file"}, Shrink: 8}, {Head: []string{"format"}, Drop: 1}, {Head: []string{"bytes"}, Align: table.Right},
		}}
	}
	for width, want := range map[int]string{
		40: "\nfile                   format     bytes\na long name of a file  perfdata  123456\nb                      blg            7\n",
		30: "\nfile                    bytes\na long name of a file  123456\nb                           7\n",
		20: "\nfile           bytes\na long name…  123456\nb                  7\n",
	} {
		assert.Equal(t, want, page(t, table.Options{Width: width, Cut: true}, func(p *table.Printer) { p.Table(columns(), all) }), width)
	}
}

func TestCells(t *testing.T) {
	free := &table.Table{Columns: []table.Column{{}, {Align: table.Right}, {Dim: true}, {}}}
	assert.Equal(t, "\na  12  s  T\nb  a text of any length  T\nc   x  s  T\n", page(t, table.Options{}, func(p *table.Printer) {
		p.Table(free, rows(row("a", "12", "s", "T"), row("b").Text("a text of any length").Free().Texts("", "T"), row("c", "x", "s", "T")))
	}))
	long := &table.Table{Columns: []table.Column{{Max: 4, Break: true}, {Align: table.Right}}}
	assert.Equal(t, "\nabcd   1\nabcdef\n      22\n", page(t, table.Options{}, func(p *table.Printer) { p.Table(long, rows(row("abcd", "1"), row("abcdef", "22"))) }))
	last := &table.Table{Columns: []table.Column{{}, {Wrap: true}}}
	assert.Equal(t, "\nn  a text that is wider than the\n   page has room for it\n", page(t, table.Options{Width: 35}, func(p *table.Printer) {
		p.Table(last, rows(row("n", "a text that is wider than the page has room for it")))
	}))
	bold := &table.Table{Columns: []table.Column{{Head: []string{"h"}, Dim: true}}}
	assert.Equal(t, "\n\x1b[1mh\x1b[0m\n\x1b[2mv\x1b[0m\n\x1b[31mx\x1b[0m\n", page(t, table.Options{Color: true}, func(p *table.Printer) {
		p.Table(bold, rows(row("v"), row("x").PaintAll(table.Red)))
	}))
}

func TestSplit(t *testing.T) {
	wide := &table.Table{Columns: []table.Column{{Min: 4}, {Min: 10}, {Min: 6}, {Min: 30}, {Min: 4}}}
	var widths [][]int
	for _, part := range wide.Split(24) {
		of := []int{part.Width()}
		for _, c := range part.Columns {
			of = append(of, c.Min)
		}
		widths = append(widths, of)
	}
	assert.Equal(t, [][]int{{24, 4, 10, 6}, {36, 4, 30}, {10, 4, 4}}, widths)
}

func TestWrapHead(t *testing.T) {
	var c table.Column
	c.WrapHead("% Processor Time Total", 2, 40)
	assert.Equal(t, []string{"% Processor", "Time Total"}, c.Head)
	c.WrapHead(strings.Repeat("x", 100), 2, 40)
	assert.Equal(t, []string{strings.Repeat("x", 39) + "…"}, c.Head)
}

func TestText(t *testing.T) {
	assert.Equal(t, `
Title  2 counters, old
  note
  name    one
          two
  In: a text that is wrapped at the
      page
`, page(t, table.Options{Width: 36}, func(p *table.Printer) {
		p.Heading("Title", table.Plural(2, "counter"), "old")
		p.Note("note")
		p.Fact(6, "name", "one\ntwo")
		p.Text(2, "In: ", "a text that is wrapped at the page")
	}))
}

func TestWords(t *testing.T) {
	assert.Equal(t, "0 counters", table.Plural(0, "counter"))
	assert.Equal(t, "1 anomaly", table.Plural(1, "anomaly"))
	assert.Equal(t, "2 anomalies", table.Plural(2, "anomaly"))
	assert.Equal(t, "3 keys", table.Plural(3, "key"))
	assert.Equal(t, "2 series", table.Plural(2, "series"))
	assert.Equal(t, "1,234,567 bytes", table.GroupedPlural(1234567, "byte"))
	assert.Equal(t, "-1,000", table.Grouped(-1000))
	assert.Equal(t, "999", table.Grouped(999))
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestErrorStays(t *testing.T) {
	p := table.NewPrinter(broken{}, table.Options{})
	p.Raw(strings.Repeat("x", 1<<20))
	p.Line("y")
	assert.EqualError(t, p.Err(), "full")
	assert.EqualError(t, p.Flush(), "full")
}

// A row costs no allocation once the first have been written.
func TestRowAllocs(t *testing.T) {
	p := table.NewPrinter(new(bytes.Buffer), table.Options{})
	tab := values()
	var r table.Row
	write := func() {
		value(r.Reset().Text("name"), "12345678", " / 99").Text("on")
		p.Row(tab, &r)
	}
	for range 1 << 16 {
		write()
	}
	assert.Less(t, testing.AllocsPerRun(1000, write), 1.0)
}

// TestScripts wants what others format to be the same, of rows that are kept and of too
// many.
func TestScripts(t *testing.T) {
	write := func(p *table.Printer) {
		for n := 1; n < 1<<16; n *= 5 {
			p.Line("before")
			p.Table(values(), func(yield func(*table.Row) bool) {
				for i := range n {
					if !yield(value(row("name"), strconv.Itoa(i), " / 3").Uint(uint64(i * i))) {
						return
					}
				}
			})
		}
	}
	want := page(t, table.Options{}, write)
	var got []byte
	p, other := table.NewPrinter(nil, table.Options{}), table.NewPrinter(nil, table.Options{})
	p.Hand(func(s table.Script) (table.Script, error) {
		got = other.Append(got, &s)
		return s, nil
	})
	write(p)
	require.NoError(t, p.Flush())
	require.Equal(t, want, "\n"+string(got))
}
