package pdhcsv_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/formattest"
	"github.com/perfdump/perfdump/pdhcsv"
)

// pacific is the form of a Windows 10 log.
const pacific = `"(PDH-CSV 4.0) (Pacific Standard Time)(480)","\\h\Processor(_Total)\% Processor Time","\\h\Memory\Available MBytes"` + "\r\n" +
	`"11/26/2016 13:46:30.874"," ","86.93735103284412"` + "\r\n" +
	`"11/26/2016 13:46:31.874","0","5"` + "\r\n"

type result struct {
	header    *pdhcsv.Header
	times     []string
	values    [][]float64
	anomalies []string
	err       error
}

func read(t testing.TB, src io.Reader, o pdhcsv.Options) result {
	t.Helper()
	r, err := pdhcsv.NewReader(src, o)
	if err != nil {
		return result{err: err}
	}
	res := result{header: r.Header()}
	for row, err := range r.Rows() {
		require.NoError(t, res.err) // nothing comes behind it
		if res.err = err; err != nil {
			require.Nil(t, row)
			continue
		}
		res.times = append(res.times, row.Time.Format(time.RFC3339Nano))
		res.values = append(res.values, slices.Clone(row.Values))
	}
	for _, a := range r.Anomalies().Kept() {
		res.anomalies = append(res.anomalies, a.String())
	}
	return res
}

func codes(t testing.TB, text string) []perfdump.Code {
	t.Helper()
	r, err := pdhcsv.NewReader(strings.NewReader(text), pdhcsv.Options{})
	require.NoError(t, err)
	for _, err := range r.Rows() {
		require.NoError(t, err)
	}
	var all []perfdump.Code
	for _, a := range r.Anomalies().Kept() {
		all = append(all, a.Code)
	}
	return all
}

func TestTheFormOfWindows(t *testing.T) {
	for _, src := range []io.Reader{strings.NewReader(pacific), iotest.OneByteReader(strings.NewReader(pacific))} {
		res := read(t, src, pdhcsv.Options{Mode: perfdump.Strict})
		require.NoError(t, res.err)
		assert.Equal(t, pdhcsv.Zone{Name: "Pacific Standard Time", Bias: 480, HasBias: true}, res.header.Zone)
		assert.Equal(t, []string{`\\h\Processor(_Total)\% Processor Time`, `\\h\Memory\Available MBytes`}, slices.Collect(res.header.Columns()))
		assert.Equal(t, []string{"2016-11-26T21:46:30.874Z", "2016-11-26T21:46:31.874Z"}, res.times)
		assert.True(t, math.IsNaN(res.values[0][0]))
		assert.Equal(t, []float64{0, 5}, res.values[1])
		assert.Equal(t, 86.93735103284412, res.values[0][1])
	}
}

// TestTolerances reads what other producers make of the form.
func TestTolerances(t *testing.T) {
	const path = `\\h\System\Threads`
	for name, c := range map[string]struct {
		text   string
		zone   pdhcsv.Zone
		column string
		values []float64
		codes  []perfdump.Code
	}{
		"tsv":         {"\"(PDH-TSV 4.0) (UTC)(0)\"\t\"" + path + "\"\r\n\"01/02/2003 04:05:06.007\"\t\"1\"\r\n", pdhcsv.Zone{"UTC", 0, true}, path, []float64{1}, nil},
		"semicolons":  {`"(PDH-CSV 4.0) (UTC)(0)";"` + path + `"` + "\n" + `"01/02/2003 04:05:06.007";"1.5"` + "\n", pdhcsv.Zone{"UTC", 0, true}, path, []float64{1.5}, nil},
		"bare":        {`(PDH-CSV 4.0) (GMT Standard Time)(-60),` + path + "\n01/02/2003 04:05:06,7", pdhcsv.Zone{"GMT Standard Time", -60, true}, path, []float64{7}, nil},
		"bare, comma": {`(PDH-CSV 4.0) (Bern, Rom)(-60),` + path + "\n01/02/2003 04:05:06.1234567, 7 ", pdhcsv.Zone{"Bern, Rom", -60, true}, path, []float64{7}, nil},
		"cut":         {`"(PDH-CSV 4.0) (RTZ 2 (","` + path + `"` + "\n", pdhcsv.Zone{Name: "RTZ 2 ("}, path, nil, []perfdump.Code{pdhcsv.CodeNoBias}},
		"cut in bias": {`"(PDH-CSV 4.0) (PST)(48","` + path + `"` + "\n", pdhcsv.Zone{Name: "PST"}, path, nil, []perfdump.Code{pdhcsv.CodeNoBias}},
		"older":       {`"(Pacific Daylight Time)(420)","` + path + `"` + "\n", pdhcsv.Zone{"Pacific Daylight Time", 420, true}, path, nil, nil},
		"other":       {`"Time","` + path + `"` + "\n", pdhcsv.Zone{}, path, nil, []perfdump.Code{pdhcsv.CodeHeaderCell, pdhcsv.CodeNoBias}},
		"typeperf":    {"\r\n" + pacific[:strings.Index(pacific, "\r")] + "\r\n", pdhcsv.Zone{"Pacific Standard Time", 480, true}, `\\h\Processor(_Total)\% Processor Time`, nil, []perfdump.Code{pdhcsv.CodeBlankLine}},
		"bom":         {"\ufeff" + `"(PDH-CSV 4.0) (UTC)(0)","` + path + `"` + "\n", pdhcsv.Zone{"UTC", 0, true}, path, nil, nil},
		"1252":        {"\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\h\\Prozessor\\Gr\xf6\xdfe\"\n", pdhcsv.Zone{"UTC", 0, true}, `\\h\Prozessor\Größe`, nil, nil},
		"quotes":      {`"(PDH-CSV 4.0) (UTC)(0)","\\h\Process(a ""b"")\Threads"` + "\n", pdhcsv.Zone{"UTC", 0, true}, `\\h\Process(a "b")\Threads`, nil, nil},
		"line ends":   {"\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\h\\Process(a\r\nb)\\Threads\"\r\n\"01/02/2003 04:05:06.007\",\"1e3\"\r\n", pdhcsv.Zone{"UTC", 0, true}, "\\\\h\\Process(a\r\nb)\\Threads", []float64{1000}, nil},
		"behind":      {`"(PDH-CSV 4.0) (UTC)(0)" x,"` + path + `"` + "\n", pdhcsv.Zone{"UTC", 0, true}, path, nil, []perfdump.Code{pdhcsv.CodeQuote}},
		"no path":     {`"(PDH-CSV 4.0) (UTC)(0)","Threads"` + "\n01/02/2003 04:05:06,7", pdhcsv.Zone{"UTC", 0, true}, "Threads", []float64{7}, []perfdump.Code{pdhcsv.CodeColumnPath}},
		"no machine":  {`"(PDH-CSV 4.0) (UTC)(0)","System\Threads"` + "\n01/02/2003 04:05:06,7", pdhcsv.Zone{"UTC", 0, true}, `System\Threads`, []float64{7}, []perfdump.Code{pdhcsv.CodeColumnPath}},
		"bias, Time":  {`"(PDH-CSV 4.0) (Pacific Standard Time)(480)Time","` + path + `"` + "\n", pdhcsv.Zone{"Pacific Standard Time", 480, true}, path, nil, nil},
		"bias,  Time": {`"(Pacific Standard Time)(480) Time","` + path + `"` + "\n", pdhcsv.Zone{"Pacific Standard Time", 480, true}, path, nil, nil},
		"Time alone":  {`"(PDH-CSV 4.0) Time","` + path + `"` + "\n", pdhcsv.Zone{Name: "Time"}, path, nil, []perfdump.Code{pdhcsv.CodeNoBias}},
	} {
		t.Run(name, func(t *testing.T) {
			res := read(t, strings.NewReader(c.text), pdhcsv.Options{})
			require.NoError(t, res.err)
			assert.Equal(t, c.zone, res.header.Zone)
			assert.Equal(t, c.column, res.header.Column(0))
			if c.values != nil {
				require.Len(t, res.values, 1)
				assert.Equal(t, c.values, res.values[0])
			}
			assert.Equal(t, c.codes, codes(t, c.text))
		})
	}
}

func TestRowsThatAreOdd(t *testing.T) {
	const header = `"(PDH-CSV 4.0) (UTC)(0)","\\h\A\B","\\h\A\C","\\H\a\b"` + "\r\n"
	for _, c := range []struct {
		rows   string
		values []float64
		want   []string
	}{
		{`"01/02/2003 04:05:06.007","1"` + "\n", []float64{1, math.NaN(), math.NaN()}, []string{
			"row[0]: 1 cells for 3 columns: the rest is missing (offset 0x38)",
			"row[0].column[2]: the column has the name of column 0 and another value: the first one counts (offset 0x38)",
		}},
		{`"01/02/2003 04:05:06.007","1","2","1","4"`, []float64{1, 2, 1}, []string{"row[0]: more cells than the 3 columns: passed over (offset 0x5d)"}},
		{`"01/02/2003 04:05:06.007","1,5","0x10","-1.#IND"`, []float64{math.NaN(), math.NaN(), math.NaN()}, []string{
			"row[0].column[0]: the cell is no number: taken for missing (offset 0x52)",
			"row[0].column[1]: the cell is no number: taken for missing (offset 0x58)",
			"row[0].column[2]: the cell is no number: taken for missing (offset 0x5f)",
		}},
		{`"01/02/2003 04:05:06.007",inf,1_0,1e999`, []float64{math.NaN(), math.NaN(), math.NaN()}, []string{
			"row[0].column[0]: the cell is no number: taken for missing (offset 0x52)",
			"row[0].column[1]: the cell is no number: taken for missing (offset 0x56)",
			"row[0].column[2]: the cell is no number: taken for missing (offset 0x5a)",
		}},
		{`"01/02/2003 04:05:06.007","","   ",""` + "\r\n\r\nExiting, please wait...\r\n", []float64{math.NaN(), math.NaN(), math.NaN()}, []string{
			"row[1]: a line that does not begin with a time ends the data: what follows is not read (offset 0x5f)",
		}},
		{`"01/02/2003 04:05:06.007","","   ",""` + "\r\n\r\n.\r\n", []float64{math.NaN(), math.NaN(), math.NaN()}, []string{
			"row[1]: a line that does not begin with a time ends the data: what follows is not read (offset 0x5f)",
		}},
		{`"01/02/2003 04:05:06.007",1,2,1` + "\r\n\r\n\r\n", []float64{1, 2, 1}, nil},
		{`"02/30/2003 04:05:06.007",1,2,1`, nil, []string{
			"row[0]: the first line behind the header does not begin with a time such as 05/15/2024 13:46:30.874: nothing is read; --time-format says how times are written (offset 0x38)",
		}},
		{"\"01/02/2003 04:05:06.007\",1,2,1\n\"01/02/2003 04:05:05.007\",1,2,1", []float64{1, 2, 1}, []string{
			"row[1]: the time is before that of the row above, as where daylight time ends (offset 0x58)",
		}},
	} {
		res := read(t, strings.NewReader(header+c.rows), pdhcsv.Options{})
		require.NoError(t, res.err)
		if c.values != nil {
			require.NotEmpty(t, res.values, c.rows)
			for i, v := range c.values {
				assert.Equal(t, math.Float64bits(v) == math.Float64bits(res.values[0][i]), true, "%s: %v", c.rows, res.values[0])
			}
		}
		assert.Equal(t, c.want, res.anomalies, c.rows)
		strict := read(t, strings.NewReader(header+c.rows), pdhcsv.Options{Mode: perfdump.Strict})
		assert.Equal(t, len(c.want) > 0, strict.err != nil, c.rows)
	}
}

// A line whose first cell is no time of a calendar and a clock ends the rows.
func TestTimes(t *testing.T) {
	for cell, want := range map[string]string{
		"01/02/2003 04:05:06":          "2003-01-02T04:05:06Z",
		" 01/02/2003 04:05:06.7 ":      "2003-01-02T04:05:06.7Z",
		"01/02/2003 04:05:06.007":      "2003-01-02T04:05:06.007Z",
		"01/02/2003 04:05:06.1234567":  "2003-01-02T04:05:06.1234567Z",
		"01/01/0001 00:00:00.000":      "0001-01-01T00:00:00Z",
		"12/31/9999 23:59:59.9999999":  "9999-12-31T23:59:59.9999999Z",
		"02/29/2004 04:05:06.007":      "2004-02-29T04:05:06.007Z",
		"02/29/2003 04:05:06.007":      "",
		"04/31/2003 04:05:06.007":      "",
		"00/02/2003 04:05:06.007":      "",
		"13/02/2003 04:05:06.007":      "2003-02-13T04:05:06.007Z", // day/month/year
		"01/00/2003 04:05:06.007":      "",
		"01/32/2003 04:05:06.007":      "",
		"01/02/0000 04:05:06.007":      "",
		"01/02/2003 24:05:06.007":      "",
		"01/02/2003 04:60:06.007":      "",
		"01/02/2003 04:05:60.007":      "",
		"01/02/2003 24:60:60.007":      "",
		"01-02/2003 04:05:06.007":      "",
		"01/02-2003 04:05:06.007":      "",
		"01/02/2003T04:05:06.007":      "",
		"01/02/2003 04.05:06.007":      "",
		"01/02/2003 04:05.06.007":      "",
		"0:/02/2003 04:05:06.007":      "",
		"01/x2/2003 04:05:06.007":      "",
		"01/02/20/3 04:05:06.007":      "",
		"01/02/2003 -4:05:06.007":      "",
		"01/02/2003 04: 5:06.007":      "",
		"01/02/2003 04:05:0x.007":      "",
		"01/02/2003 04:05:0":           "",
		"01/02/2003 04:05:06.":         "",
		"01/02/2003 04:05:06:007":      "",
		"01/02/2003 04:05:06.0x7":      "",
		"01/02/2003 04:05:06.12345678": "",
	} {
		res := read(t, strings.NewReader(`"(PDH-CSV 4.0) (UTC)(0)","\\h\A\B"`+"\n\""+cell+"\",1\n"), pdhcsv.Options{})
		require.NoError(t, res.err)
		if want == "" {
			assert.Empty(t, res.times, cell)
			assert.Len(t, res.anomalies, 1, cell)
			continue
		}
		assert.Equal(t, []string{want}, res.times, cell)
	}
}

func TestRefusals(t *testing.T) {
	for text, want := range map[string]error{
		"":                               perfdump.ErrEmpty,
		"\n\n":                           perfdump.ErrSignature,
		"a,b\n1,2\n":                     perfdump.ErrSignature,
		"PK\x03\x04":                     perfdump.ErrSignature,
		`"(PDH-CSV 4.0) (UTC)(0)","\\h\`: perfdump.ErrSyntax,
		`"(PDH-CSV 4.0)"` + strings.Repeat(",", 70000): perfdump.ErrLimit,
	} {
		res := read(t, strings.NewReader(text), pdhcsv.Options{})
		var fe *perfdump.FormatError
		require.ErrorAs(t, res.err, &fe, text[:min(len(text), 40)])
		assert.ErrorIs(t, res.err, want)
	}
	broken := errors.New("broken pipe")
	res := read(t, io.MultiReader(strings.NewReader(pacific), iotest.ErrReader(broken)), pdhcsv.Options{})
	assert.ErrorIs(t, res.err, broken)
	assert.Len(t, res.values, 2)
	res = read(t, strings.NewReader("\"(PDH-CSV 4.0)\",\"\\\\h\\\xff\\x\""), pdhcsv.Options{CodePage: 4711})
	assert.ErrorIs(t, res.err, perfdump.ErrSyntax)
}

// An error of the reader stands behind all that came before it, however much
// of that has been given back.
func TestReadErrorPlace(t *testing.T) {
	text := "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\h\\o\\c\"\r\n" + strings.Repeat("\"01/02/2026 03:04:05.000\",\"1\"\r\n", 10000) + "\"01/02"
	res := read(t, io.MultiReader(strings.NewReader(text), iotest.ErrReader(errors.New("broken pipe"))), pdhcsv.Options{})
	var fe *perfdump.FormatError
	require.ErrorAs(t, res.err, &fe)
	assert.Equal(t, perfdump.CodeIO, fe.Code)
	assert.EqualValues(t, len(text), fe.Off)
}

func utf16Bytes(text string, big bool) []byte {
	b := []byte{0xff, 0xfe}
	if big {
		b = []byte{0xfe, 0xff}
	}
	for _, u := range utf16.Encode([]rune(text)) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return b
}

// TestUTF16 reads the same from all encodings, and tells the offsets of the
// file.
func TestUTF16(t *testing.T) {
	text := strings.Replace(pacific, "Memory", "Mémoire 𝄞", 1) + "the end\r\n"
	want := read(t, strings.NewReader(text), pdhcsv.Options{})
	little, big := utf16Bytes(text, false), utf16Bytes(text, true)
	for _, b := range [][]byte{little, big, little[2:], big[2:]} { // with a mark and without
		for _, src := range []io.Reader{bytes.NewReader(b), iotest.OneByteReader(bytes.NewReader(b))} {
			res := read(t, src, pdhcsv.Options{})
			require.NoError(t, res.err)
			assert.Equal(t, want.times, res.times)
			assert.Equal(t, slices.Collect(want.header.Columns()), slices.Collect(res.header.Columns()))
			require.Len(t, res.anomalies, 1)
			off := strconv.FormatInt(int64(len(b)-2*len("the end\r\n")), 16)
			assert.Contains(t, res.anomalies[0], "(offset 0x"+off+")")
		}
	}
}

// A file that a spreadsheet has saved may have no times that can be read.
func TestNoRowHasATime(t *testing.T) {
	header, _, _ := strings.Cut(pacific, "\r")
	for _, row := range []string{`"15. Mai 2024 12:00:00","1","2"`, `00:15.1,1,2`} {
		res := read(t, strings.NewReader(header+"\r\n"+row+"\r\n"), pdhcsv.Options{})
		require.NoError(t, res.err)
		require.Len(t, res.anomalies, 1)
		assert.Contains(t, res.anomalies[0], "does not begin with a time such as 05/15/2024 13:46:30.874: nothing is read; --time-format says how times are written")
	}
}

// TestRoundTrip writes what it read, reads it again by this package and by the
// standard library, and gets the same bytes.
func TestRoundTrip(t *testing.T) {
	r, err := pdhcsv.NewReader(strings.NewReader(pacific), pdhcsv.Options{})
	require.NoError(t, err)
	assert.Equal(t, pacific, string(rewrite(t, r)))
	records, err := csv.NewReader(strings.NewReader(pacific)).ReadAll()
	require.NoError(t, err)
	assert.Equal(t, r.Header().Column(0), records[0][1])
}

func rewrite(t testing.TB, r *pdhcsv.Reader) []byte {
	t.Helper()
	h := r.Header()
	out := pdhcsv.AppendHeader(nil, h.Separator, h.Zone, h.Columns())
	for row, err := range r.Rows() {
		require.NoError(t, err)
		out = pdhcsv.AppendTime(out, row.Local)
		for _, v := range row.Values {
			out = pdhcsv.AppendValue(out, h.Separator, v)
		}
		out = append(out, pdhcsv.RowEnd...)
	}
	return out
}

// TestValues holds the cells against strconv, bit for bit.
func TestValues(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	values := []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 1 << 53, 1<<53 + 2, -(1 << 53), 1e17, 1e16, 123456789012345678, 1e-5, 1e-4, math.MaxFloat64, math.SmallestNonzeroFloat64, 1e300, 99999999999999999}
	for range 20000 {
		values = append(values, math.Float64frombits(rnd.Uint64()), rnd.Float64()*100, math.Trunc(rnd.Float64()*1e18), float64(rnd.IntN(1000)))
	}
	for _, v := range values {
		got := string(pdhcsv.AppendValue(nil, pdhcsv.CSV, v))
		if math.IsNaN(v) || math.IsInf(v, 0) {
			require.Equal(t, `," "`, got)
			continue
		}
		require.Equal(t, `,"`+strconv.FormatFloat(v, 'g', 17, 64)+`"`, got)
	}
	assert.Equal(t, `," "`, string(pdhcsv.AppendMissing(nil, pdhcsv.CSV)))
	assert.Equal(t, `"11/26/2016 13:46:30.007"`, string(pdhcsv.AppendTime(nil, time.Date(2016, 11, 26, 13, 46, 30, 7_999_999, time.UTC))))
}

// TestNumbers holds what is read against strconv, bit for bit.
func TestNumbers(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 10))
	cells := []string{"0", "-0", "00012", "+5", "9007199254740993", "999999999999999999", "9999999999999999999", "18446744073709551615", "5.", ".5", "1e-320"}
	for range 2000 {
		cells = append(cells, strconv.FormatUint(rnd.Uint64()>>rnd.IntN(60), 10), strconv.FormatFloat(rnd.NormFloat64(), 'g', 17, 64))
	}
	var text strings.Builder
	text.WriteString(`"(PDH-CSV 4.0) (UTC)(0)","\\h\A\B"` + "\n")
	for _, cell := range cells {
		text.WriteString("01/02/2003 04:05:06," + cell + "\n")
	}
	res := read(t, strings.NewReader(text.String()), pdhcsv.Options{Mode: perfdump.Strict})
	require.NoError(t, res.err)
	require.Len(t, res.values, len(cells))
	for i, cell := range cells {
		want, err := strconv.ParseFloat(cell, 64)
		require.NoError(t, err)
		require.Equal(t, math.Float64bits(want), math.Float64bits(res.values[i][0]), cell)
	}
}

func TestRepeatedColumns(t *testing.T) {
	res := read(t, strings.NewReader(`"(PDH-CSV 4.0) (UTC)(0)","\\h\A\B","\\h\Ä\K","\\H\ä\K","\\h\A\C","\\h\a\c"`+"\n"), pdhcsv.Options{})
	require.NoError(t, res.err)
	var first []int
	for i := range res.header.Len() {
		first = append(first, res.header.FirstOf(i))
	}
	assert.Equal(t, []int{0, 1, 1, 3, 3}, first)
}

func TestZones(t *testing.T) {
	for _, c := range []struct {
		recorded string
		east     time.Duration
		name     string
		bias     int
	}{
		{"Pacific Standard Time", -8 * time.Hour, "Pacific Standard Time", 480},
		{"@tzres.dll,-211", -7 * time.Hour, "Pacific Daylight Time", 420},
		{"@tzres.dll,-112", -5 * time.Hour, "Eastern Standard Time", 300},
		{"@tzres.dll,-999", 330 * time.Minute, "UTC+05:30", -330},
		{"", -150 * time.Minute, "UTC-02:30", 150},
		{"", 0, "UTC+00:00", 0},
	} {
		assert.Equal(t, pdhcsv.Zone{Name: c.name, Bias: c.bias, HasBias: true}, pdhcsv.ZoneOf(c.recorded, c.east))
	}
}

// TestHostile reads lines that are built to cost more than their length.
func TestHostile(t *testing.T) {
	for name, text := range map[string]string{
		"open quotes":                 pacific + `"01/02/2003 04:05:06.007"` + strings.Repeat(`,"a""`, 1<<20),
		"open quotes in many columns": `"(PDH-CSV 4.0)"` + strings.Repeat(`,x`, 60000) + "\n" + "01/02/2003 04:05:06" + strings.Repeat(`,"a""`, 60000),
		"open header":                 strings.Repeat("\"\n", 1<<20),
		"one line":                    pacific + strings.Repeat("x", 8<<20),
		"repeats":                     `"(PDH-CSV 4.0)"` + strings.Repeat(`,"\\h\A\B"`, 60000) + "\n" + strings.Repeat("01/02/2003 04:05:06,1,2\n", 20),
	} {
		start := time.Now()
		read(t, strings.NewReader(text), pdhcsv.Options{})
		assert.Less(t, time.Since(start), 5*time.Second, name)
	}
}

// TestShortRowsAreLinear reads a wide header and many rows of a time alone: what
// a row costs goes by its own cells, also where columns have the same name.
func TestShortRowsAreLinear(t *testing.T) {
	for name, column := range map[string]string{"columns": `,"\\h\P(%d)\C"`, "equal columns": `,"\\h\P\C%[2]s"`} {
		var b strings.Builder
		b.WriteString(`"(PDH-CSV 4.0) (UTC)(0)"`)
		const columns, rows = 60_000, 60_000
		for i := range columns {
			fmt.Fprintf(&b, column, i, "")
		}
		b.WriteString("\r\n" + strings.Repeat("\"11/26/2016 13:46:30.874\"\r\n", rows))
		start := time.Now()
		r, err := pdhcsv.NewReader(strings.NewReader(b.String()), pdhcsv.Options{})
		require.NoError(t, err)
		last := -1
		for row, err := range r.Rows() {
			require.NoError(t, err)
			require.Zero(t, row.Cells)
			require.True(t, math.IsNaN(row.Values[columns-1]))
			last = row.Index
		}
		require.Equal(t, rows-1, last)
		require.Less(t, time.Since(start), 10*time.Second, name) // 3.6e9 cells otherwise
	}
}

// TestRowsGoOn breaks off: the rows go on behind the last one that was read,
// an error comes again, and nothing comes behind the end.
func TestRowsGoOn(t *testing.T) {
	text := pacific + `"11/26/2016 13:46:32.874","1","x"` + "\r\n"
	for mode, want := range map[perfdump.Mode][]string{
		perfdump.Tolerant: {"0", "1", "2", "end", "end"},
		perfdump.Strict:   {"0", "1", "error", "error", "error"},
	} {
		r, err := pdhcsv.NewReader(strings.NewReader(text), pdhcsv.Options{Mode: mode})
		require.NoError(t, err)
		var got []string
		for range want {
			met := "end"
			for row, err := range r.Rows() {
				if met = "error"; err == nil {
					met = strconv.Itoa(row.Index)
				} else {
					require.Nil(t, row)
					require.ErrorIs(t, err, perfdump.ErrAnomaly)
				}
				break
			}
			got = append(got, met)
		}
		require.Equal(t, want, got)
	}
}

// TestCellsOfOtherRows wants nothing of a row to be left in a shorter one.
func TestCellsOfOtherRows(t *testing.T) {
	const stamp = `"11/26/2016 13:46:30.874"`
	got := read(t, strings.NewReader(`"(PDH-CSV 4.0) (UTC)(0)","\\h\P\A","\\h\P\B","\\h\P\A"`+"\r\n"+
		stamp+`,"1","2","1"`+"\r\n"+stamp+`,"3"`+"\r\n"+stamp+"\r\n"+stamp+`," ","5"`+"\r\n"), pdhcsv.Options{})
	require.NoError(t, got.err)
	var all []string
	for _, row := range got.values {
		all = append(all, fmt.Sprint(row))
	}
	require.Equal(t, []string{"[1 2 1]", "[3 NaN NaN]", "[NaN NaN NaN]", "[NaN 5 NaN]"}, all)
	require.Equal(t, []string{
		"row[1]: 1 cells for 3 columns: the rest is missing (offset 0x5f)",
		"row[1].column[2]: the column has the name of column 0 and another value: the first one counts (offset 0x5f)",
	}, got.anomalies[:2])
}

// TestColumnsStop breaks off the columns at every place.
func TestColumnsStop(t *testing.T) {
	formattest.Stops(t, read(t, strings.NewReader(pacific), pdhcsv.Options{}).header.Columns())
}
