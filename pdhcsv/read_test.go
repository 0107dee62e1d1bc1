package pdhcsv_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/pdhcsv"
)

const (
	// pacific is the form of a Windows 10 log.
	pacific = `"(PDH-CSV 4.0) (Pacific Standard Time)(480)","\\h\Processor(_Total)\% Processor Time","\\h\Memory\Available MBytes"` + "\r\n" +
		`"11/26/2016 13:46:30.874"," ","86.93735103284412"` + "\r\n" +
		`"11/26/2016 13:46:31.874","0","5"` + "\r\n"
	utc       = `"(PDH-CSV 4.0) (UTC)(0)"`
	utcHeader = utc + `,"\\h\A\B"` + "\n"
	moment    = `"01/02/2003 04:05:06.007"`
)

func read(t testing.TB, text string, o pdhcsv.Options) (header *pdhcsv.Header, values [][]float64, anomalies *perfdump.Anomalies, err error) {
	t.Helper()
	return readFrom(t, strings.NewReader(text), o)
}

func readFrom(t testing.TB, src io.Reader, o pdhcsv.Options) (header *pdhcsv.Header, values [][]float64, anomalies *perfdump.Anomalies, err error) {
	t.Helper()
	r, err := pdhcsv.NewReader(src, o)
	if err != nil {
		return nil, nil, nil, err
	}
	for row, rowErr := range r.Rows() {
		require.NoError(t, err) // nothing comes after it
		if err = rowErr; err != nil {
			require.Nil(t, row)
			continue
		}
		values = append(values, slices.Clone(row.Values))
	}
	return r.Header(), values, r.Anomalies(), err
}

// show writes all that a text is read as: the header, the rows, the anomalies and
// the error, with their offsets or without.
func show(t testing.TB, src io.Reader, o pdhcsv.Options, offsets bool) string {
	t.Helper()
	var out strings.Builder
	fail := func(err error) {
		var fe *perfdump.FormatError
		require.ErrorAs(t, err, &fe)
		if !offsets {
			fe.Off = 0
		}
		fmt.Fprintf(&out, "\terror %s: %v\n", fe.Code, fe)
	}
	r, err := pdhcsv.NewReader(src, o)
	if err != nil {
		fail(err)
		return out.String()
	}
	h := r.Header()
	description, _ := h.Description()
	fmt.Fprintf(&out, "\t%+v %q %q", h.Zone, h.Separator, description)
	for i := range h.Len() {
		path, ok := h.Path(i)
		fmt.Fprintf(&out, " %q", h.Column(i))
		if text := path.String(); ok && text != h.Column(i) {
			fmt.Fprintf(&out, " = %q", text)
		}
		if first := h.FirstOf(i); first != i {
			fmt.Fprintf(&out, " as %d", first)
		}
	}
	out.WriteByte('\n')
	for row, err := range r.Rows() {
		if err != nil {
			fail(err)
			continue
		}
		fmt.Fprintf(&out, "\t%s %v\n", row.Time.Format(time.RFC3339Nano), row.Values)
	}
	for _, a := range r.Anomalies().Kept() {
		text := a.String()
		if !offsets {
			text, _, _ = strings.Cut(text, " (offset")
		}
		fmt.Fprintf(&out, "\t%s: %s\n", a.Code, text)
	}
	return out.String()
}

func utf16Bytes(text string, big bool) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return b
}

// TestRead reads what producers and spreadsheets make of the form, and compares
// with testdata/read.txt. Text in UTF-16 reads the same, and strict mode accepts
// what has no anomaly.
func TestRead(t *testing.T) {
	const path = `"\\h\System\Threads"` + "\n"
	const three = utc + `,"\\h\A\B","\\h\A\C","\\H\a\b"` + "\r\n" + moment
	texts := []string{
		pacific,
		"\"(PDH-TSV 4.0) (UTC)(0)\"\t" + strings.Replace(path, "\n", "\r\n", 1) + moment + "\t\"1\"\r\n",
		utc + `;` + path + moment + `;"1.5"` + "\n",
		`(PDH-CSV 4.0) (GMT Standard Time)(-60),\\h\A\B` + "\n01/02/2003 04:05:06,7",
		`(PDH-CSV 4.0) (Bern, Rom)(-60),\\h\A\B` + "\n01/02/2003 04:05:06.1234567, 7 ",
		`"(PDH-CSV 4.0) (RTZ 2 (",` + path,
		`"(PDH-CSV 4.0) (PST)(48",` + path,
		`"(Pacific Daylight Time)(420)",` + path,
		`"Time",` + path,
		"\r\n" + pacific[:strings.Index(pacific, "\n")+1], // as typeperf prints it
		utc + `,"\\h\Process(a ""b"")\Threads"` + "\n",
		utc + ",\"\\\\h\\Process(a\r\nb)\\Threads\"\r\n" + moment + ",\"1e3\"\r\n",
		utc + ` x,` + path,
		utc + `,"Threads"` + "\n01/02/2003 04:05:06,7",
		utc + `,"System\Threads","x",` + path + "01/02/2003 04:05:06,7,8,9",
		utc + `,"Remark",` + path + moment + `,"slow","x"` + "\n", // of a column that is no counter nothing is missing
		`"(PDH-CSV 4.0) (Pacific Standard Time)(480)Time",` + path,
		`"(Pacific Standard Time)(480) Time",` + path,
		`"(PDH-CSV 4.0) Time",` + path,
		utc + `,"\\h\A\B","\\h\Ä\K","\\H\ä\K","\\h\A\C","\\h\a\c"` + "\n" + moment + ",1,2,3,4,4\n",

		three + `,"1"` + "\n" + moment + `,"1","2","1","4"`,
		three + `,"1,5","0x10","-1.#IND"`,
		three + `,inf,1_0,1e999`,
		three + `,"","   ",""` + "\r\n\r\nExiting, please wait...\r\n",
		three + `,"","   ",""` + "\r\n\r\n.\r\n",
		three + ",1,2,1\r\n\r\n\r\n",
		three + ",1,2,1\n\"01/02/2003 04:05:05.007\",1,2,1",
		three + ",1,2,1\n" + moment + ",3\n" + moment + "\n" + moment + ",\" \",5\n",
		three[:strings.Index(three, "\n")+1] + `"02/30/2003 04:05:06.007",1,2,1`,
		utcHeader + `"15. Mai 2024 12:00:00","1"` + "\n",

		"", "\n\n", "a,b\n1,2\n", "PK\x03\x04", `"(PDH-CSV 4.0) (UTC)(0)","\\h\`,
	}
	for _, column := range []string{`"Nightly run"`, `""`, `"C:\PerfLogs\Admin"`, `"Temperature"`, `"A\C"`} {
		for _, rows := range []string{"", moment + ",1\n" + moment + ",1\n", moment + ",1,\" \"\n", moment + ",1,7\n", moment + ",1\n" + moment + ",1,7\n"} {
			texts = append(texts, utc+`,"\\h\A\B",`+column+"\n"+rows)
		}
	}
	// Times as spreadsheets save them: the whole column agrees on one reading.
	for _, times := range []string{
		"3/26/2015 22:42|3/26/2015 22:43", "26.03.2015 22:42:10", "05.06.2015 22:42:10|06.06.2015 00:00:01", "26.03.15 22:42", "26/03/2015 22:42",
		"12/03/2015 23:59|13/03/2015 00:00", "3/12/2015 23:59|3/13/2015 0:00", "12/03/2015 23:59:59|13/03/2015 00:00:00",
		"3/26/2015 12:42:10 AM|3/26/2015 10:42:10 pm", "2015-03-26 22:42:10.5|2015-03-06T22:42:10", "3/3/2015 22:42|4/4/2015 22:42",
		"05/06/2015 22:42:10|05/07/2015 22:42:10", "3/26/2015 22:42|Exiting, please wait...",
		"3/4/2015 22:42|3/5/2015 22:42", "3/26/2015 22:42|26/3/2015 22:43", "03-04-2015 22:42",
	} {
		texts = append(texts, utcHeader+strings.ReplaceAll(times, "|", ",1\n")+",1\n")
	}
	// Where one number of a file has a decimal comma, a point is none in any other.
	for _, at := range []string{"26.03.2015 22:42:10;", "03/26/2015 22:42:10.000;"} {
		for _, cells := range []string{`86,93|7||-0,25|"1,5"|1,2E+3|,5`, "1.024|1.024.000|1.024,5|86,93", "86.93|1.024|7", "a, b|1,2,3|86.93"} {
			texts = append(texts, strings.Replace(utcHeader, ",", ";", 1)+at+strings.ReplaceAll(cells, "|", "\n"+at)+"\n")
		}
	}
	texts = append(texts, strings.Replace(utcHeader, ",", "\t", 1)+"03/26/2015 22:42:10.000\t86,93\n")

	var out strings.Builder
	for _, text := range texts {
		got := show(t, strings.NewReader(text), pdhcsv.Options{}, true)
		fmt.Fprintf(&out, "%q\n%s", text, got)
		if len(text) < 8 {
			continue
		}
		_, _, anomalies, err := read(t, text, pdhcsv.Options{})
		_, _, _, strict := read(t, text, pdhcsv.Options{Options: perfdump.Options{Mode: perfdump.Strict}})
		assert.Equal(t, err != nil || anomalies.Len() > 0, strict != nil, text)
		want := show(t, strings.NewReader(text), pdhcsv.Options{}, false)
		for _, src := range []string{"\ufeff" + text, string(utf16Bytes("\ufeff"+text, false)), string(utf16Bytes(text, true))} {
			assert.Equal(t, want, show(t, strings.NewReader(src), pdhcsv.Options{}, false))
		}
	}
	for _, text := range []string{utc + ",\"\\\\h\\Prozessor\\Gr\xf6\xdfe\"\n", utc + ",\"\\\\h\\x\\Gr\x81\xdfe\xff\xffa\"\n"} {
		fmt.Fprintf(&out, "%q\n%s", text, show(t, strings.NewReader(text), pdhcsv.Options{}, true))
	}
	// A source that cannot go back shows only its first row before the others.
	for _, text := range []string{
		utcHeader + "26.03.2015 22:42:10,1\n", utcHeader + "05/06/2015 22:42:10,1\n",
		strings.Replace(utcHeader, ",", ";", 1) + "03/26/2015 22:42:10.000;1,5\n03/26/2015 22:42:11.000;2\n",
	} {
		fmt.Fprintf(&out, "piped %q\n%s", text, show(t, io.MultiReader(strings.NewReader(text)), pdhcsv.Options{}, true))
	}
	golden.File(t, "testdata/read.txt", []byte(out.String()))
}

// TestTimes: a line whose first cell is no time of a calendar and a clock ends
// the rows.
func TestTimes(t *testing.T) {
	var out strings.Builder
	for _, cell := range []string{
		"01/02/2003 04:05:06", " 01/02/2003 04:05:06.7 ", "01/02/2003 04:05:06.007", "01/02/2003 04:05:06.1234567", "01/01/0001 00:00:00.000",
		"12/31/9999 23:59:59.9999999", "02/29/2004 04:05:06.007", "02/29/2003 04:05:06.007", "04/31/2003 04:05:06.007", "00/02/2003 04:05:06.007",
		"13/02/2003 04:05:06.007", "01/00/2003 04:05:06.007", "01/32/2003 04:05:06.007", "01/02/0000 04:05:06.007", "01/02/2003 24:05:06.007",
		"01/02/2003 04:60:06.007", "01/02/2003 04:05:60.007", "01/02/2003 24:60:60.007", "01-02/2003 04:05:06.007", "01/02-2003 04:05:06.007",
		"01/02/2003T04:05:06.007", "01/02/2003 04.05:06.007", "01/02/2003 04:05.06.007", "0:/02/2003 04:05:06.007", "01/x2/2003 04:05:06.007",
		"01/02/20/3 04:05:06.007", "01/02/2003 -4:05:06.007", "01/02/2003 04: 5:06.007", "01/02/2003 04:05:0x.007", "01/02/2003 04:05:0",
		"01/02/2003 04:05:06.", "01/02/2003 04:05:06:007", "01/02/2003 04:05:06.0x7", "01/02/2003 04:05:06.12345678",
	} {
		_, rows, _ := strings.Cut(show(t, strings.NewReader(utcHeader+`"`+cell+"\",1\n"), pdhcsv.Options{}, true), "\n")
		fmt.Fprintf(&out, "%q%s", cell, rows)
	}
	for _, c := range [][2]string{
		{"%m/%d/%Y %H:%M", "3/4/2015 22:42"},
		{"%d/%m/%Y %H:%M", "3/4/2015 22:42"},
		{"%d.%m.%Y %H:%M:%S", "03.04.2015  22:42:10"},
		{"%y%m%d-%H%M%S.%f", "150403-224210.25"},
		{"%d-%m-%y %I.%M %p", "3-4-99 12.42 AM"},
		{"100%% %Y-%m-%dT%H:%M:%S", "100% 2015-04-03T22:42:10"},
		{"%d/%m/%Y %H:%M", "31/04/2015 22:42|1/2/15 22:42|1/2/2015 24:42|1/2/2015 22:60|1/2/2015|1/2/2015 22:42 x|a/2/2015 22:42|1/2/2015 22:42\",1\n\"the end"},
	} {
		for cell := range strings.SplitSeq(c[1], "|") {
			_, rows, _ := strings.Cut(show(t, strings.NewReader(utcHeader+`"`+cell+`",1`), pdhcsv.Options{TimeFormat: c[0]}, true), "\n")
			fmt.Fprintf(&out, "%s %q%s", c[0], cell, rows)
		}
	}
	golden.File(t, "testdata/times.txt", []byte(out.String()))
	for _, format := range []string{"%", "%Y", "%q", "%Y-%m-%d", "%m/%d %H:%M", "%Y-%m-%d %I:%M", "x"} {
		assert.Error(t, pdhcsv.CheckTimeFormat(format), format)
		_, err := pdhcsv.NewReader(strings.NewReader(utcHeader), pdhcsv.Options{TimeFormat: format})
		assert.ErrorIs(t, err, perfdump.ErrSyntax)
	}
	_, _, _, err := read(t, utcHeader+"3/4/2015 22:42,1\n", pdhcsv.Options{})
	require.ErrorIs(t, err, pdhcsv.ErrTimeFormat)
	require.ErrorIs(t, err, perfdump.ErrSyntax)
}

// TestRefusals: what is too much, and errors of the source, which stand after
// all that came before them, however much of that has been given back.
func TestRefusals(t *testing.T) {
	_, _, _, err := read(t, `"(PDH-CSV 4.0)"`+strings.Repeat(",", 70000), pdhcsv.Options{})
	require.ErrorIs(t, err, perfdump.ErrLimit)
	_, _, _, err = read(t, "\"(PDH-CSV 4.0)\",\"\\\\h\\\xff\\x\"", pdhcsv.Options{Options: perfdump.Options{CodePage: 4711}})
	require.ErrorIs(t, err, perfdump.ErrSyntax)
	broken := errors.New("broken pipe")
	for _, rows := range []int{0, 10000} {
		text := pacific + strings.Repeat(moment+",\"1\",2\r\n", rows) + "\"01/02"
		_, values, _, err := readFrom(t, io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), pdhcsv.Options{})
		require.ErrorIs(t, err, broken)
		require.Len(t, values, 2+rows)
		var fe *perfdump.FormatError
		require.ErrorAs(t, err, &fe)
		require.Equal(t, perfdump.CodeIO, fe.Code)
		require.EqualValues(t, len(text), fe.Off)
	}
}

// TestUTF16 has the offsets of the file, also where its bytes come one by one.
func TestUTF16(t *testing.T) {
	text := strings.Replace(pacific, "Memory", "Mémoire 𝄞", 1) + "the end\r\n"
	for _, big := range []bool{false, true} {
		for _, b := range [][]byte{utf16Bytes("\ufeff"+text, big), utf16Bytes(text, big)} {
			for _, src := range []io.Reader{bytes.NewReader(b), iotest.OneByteReader(bytes.NewReader(b))} {
				header, values, anomalies, err := readFrom(t, src, pdhcsv.Options{})
				require.NoError(t, err)
				require.Equal(t, `\\h\Mémoire 𝄞\Available MBytes`, header.Column(1))
				require.Len(t, values, 2)
				require.Equal(t, 1, anomalies.Len())
				require.EqualValues(t, len(b)-2*len("the end\r\n"), anomalies.Kept()[0].Off)
			}
		}
	}
}

// TestRowsGoOn breaks off: the rows go on after the last one that was read,
// an error comes again, and nothing comes after the end.
func TestRowsGoOn(t *testing.T) {
	text := pacific + `"11/26/2016 13:46:32.874","1","x"` + "\r\n"
	for mode, want := range map[perfdump.Mode]string{perfdump.Tolerant: "0 1 2 end end", perfdump.Strict: "0 1 error error error"} {
		r, err := pdhcsv.NewReader(strings.NewReader(text), pdhcsv.Options{Options: perfdump.Options{Mode: mode}})
		require.NoError(t, err)
		var got []string
		for range 5 {
			next := "end"
			for row, err := range r.Rows() {
				if next = "error"; err == nil {
					next = fmt.Sprint(row.Index)
				}
				break
			}
			got = append(got, next)
		}
		require.Equal(t, want, strings.Join(got, " "))
	}
}
