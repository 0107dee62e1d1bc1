package pdhcsv_test

import (
	"io"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/pdhcsv"
)

const utcHeader = `"(PDH-CSV 4.0) (UTC)(0)","\\h\A\B"` + "\n"

// TestSpreadsheetTimes reads times as spreadsheets save them, where the whole column
// agrees on one reading.
func TestSpreadsheetTimes(t *testing.T) {
	for name, c := range map[string]struct {
		cells []string
		want  []string // the times, or what the error says
	}{
		"american":         {[]string{"3/26/2015 22:42", "3/26/2015 22:43"}, []string{"2015-03-26T22:42:00Z", "2015-03-26T22:43:00Z"}},
		"german":           {[]string{"26.03.2015 22:42:10"}, []string{"2015-03-26T22:42:10Z"}},
		"german, early":    {[]string{"05.06.2015 22:42:10", "06.06.2015 00:00:01"}, []string{"2015-06-05T22:42:10Z", "2015-06-06T00:00:01Z"}},
		"german, short":    {[]string{"26.03.15 22:42"}, []string{"2015-03-26T22:42:00Z"}},
		"british":          {[]string{"26/03/2015 22:42"}, []string{"2015-03-26T22:42:00Z"}},
		"british, late":    {[]string{"12/03/2015 23:59", "13/03/2015 00:00"}, []string{"2015-03-12T23:59:00Z", "2015-03-13T00:00:00Z"}},
		"american, late":   {[]string{"3/12/2015 23:59", "3/13/2015 0:00"}, []string{"2015-03-12T23:59:00Z", "2015-03-13T00:00:00Z"}},
		"british, seconds": {[]string{"12/03/2015 23:59:59", "13/03/2015 00:00:00"}, []string{"2015-03-12T23:59:59Z", "2015-03-13T00:00:00Z"}},
		"half days":        {[]string{"3/26/2015 12:42:10 AM", "3/26/2015 10:42:10 pm"}, []string{"2015-03-26T00:42:10Z", "2015-03-26T22:42:10Z"}},
		"year first":       {[]string{"2015-03-26 22:42:10.5", "2015-03-06T22:42:10"}, []string{"2015-03-26T22:42:10.5Z", "2015-03-06T22:42:10Z"}},
		"no matter":        {[]string{"3/3/2015 22:42", "4/4/2015 22:42"}, []string{"2015-03-03T22:42:00Z", "2015-04-04T22:42:00Z"}},
		"windows":          {[]string{"05/06/2015 22:42:10", "05/07/2015 22:42:10"}, []string{"2015-05-06T22:42:10Z", "2015-05-07T22:42:10Z"}},
		"message":          {[]string{"3/26/2015 22:42", "Exiting, please wait..."}, []string{"2015-03-26T22:42:00Z"}},

		"either":  {[]string{"3/4/2015 22:42", "3/5/2015 22:42"}, []string{"and may be month/day/year or day/month/year"}},
		"neither": {[]string{"3/26/2015 22:42", "26/3/2015 22:43"}, []string{"no order of month, day and year fits them all"}},
		"dashes":  {[]string{"03-04-2015 22:42"}, []string{"and may be month/day/year or day/month/year"}},
	} {
		t.Run(name, func(t *testing.T) {
			text := utcHeader + strings.Join(c.cells, ",1\n") + ",1\n"
			wide := "\ufeff" + text
			var b []byte
			for _, u := range utf16.Encode([]rune(wide)) {
				b = append(b, byte(u), byte(u>>8))
			}
			for _, text := range []string{text, "\ufeff" + text, string(b)} {
				res := read(t, strings.NewReader(text), pdhcsv.Options{})
				if strings.HasPrefix(c.want[0], "20") {
					require.NoError(t, res.err)
					assert.Equal(t, c.want, res.times)
					if name != "windows" {
						assert.Contains(t, res.anomalies[0], "row[0]: the times are not as Windows writes them: read as ")
					}
					continue
				}
				require.ErrorContains(t, res.err, c.want[0])
				require.ErrorIs(t, res.err, pdhcsv.ErrTimeFormat)
				require.ErrorIs(t, res.err, perfdump.ErrSyntax)
				assert.Empty(t, res.times)
			}
		})
	}
	// A source that goes forth only shows no column before its rows.
	res := read(t, io.MultiReader(strings.NewReader(utcHeader+"26.03.2015 22:42:10,1\n")), pdhcsv.Options{})
	require.ErrorIs(t, res.err, pdhcsv.ErrTimeFormat)
	res = read(t, io.MultiReader(strings.NewReader(utcHeader+"05/06/2015 22:42:10,1\n")), pdhcsv.Options{})
	assert.Equal(t, []string{"2015-05-06T22:42:10Z"}, res.times)
}

func TestTimeFormat(t *testing.T) {
	for format, c := range map[string][2]string{
		"%m/%d/%Y %H:%M":          {"3/4/2015 22:42", "2015-03-04T22:42:00Z"},
		"%d/%m/%Y %H:%M":          {"3/4/2015 22:42", "2015-04-03T22:42:00Z"},
		"%d.%m.%Y %H:%M:%S":       {"03.04.2015  22:42:10", "2015-04-03T22:42:10Z"},
		"%y%m%d-%H%M%S.%f":        {"150403-224210.25", "2015-04-03T22:42:10.25Z"},
		"%d-%m-%y %I.%M %p":       {"3-4-99 12.42 AM", "1999-04-03T00:42:00Z"},
		"100%% %Y-%m-%dT%H:%M:%S": {"100% 2015-04-03T22:42:10", "2015-04-03T22:42:10Z"},
	} {
		res := read(t, strings.NewReader(utcHeader+`"`+c[0]+`",1`), pdhcsv.Options{TimeFormat: format})
		require.NoError(t, res.err)
		assert.Equal(t, []string{c[1]}, res.times, format)
		assert.Empty(t, res.anomalies, format)
	}
	for _, format := range []string{"%", "%Y", "%q", "%Y-%m-%d", "%m/%d %H:%M", "%Y-%m-%d %I:%M", "x"} {
		assert.Error(t, pdhcsv.CheckTimeFormat(format), format)
		_, err := pdhcsv.NewReader(strings.NewReader(utcHeader), pdhcsv.Options{TimeFormat: format})
		assert.ErrorIs(t, err, perfdump.ErrSyntax)
	}
	for _, cell := range []string{"31/04/2015 22:42", "1/2/15 22:42", "1/2/2015 24:42", "1/2/2015 22:60", "1/2/2015", "1/2/2015 22:42 x", "a/2/2015 22:42"} {
		res := read(t, strings.NewReader(utcHeader+`"`+cell+`",1`), pdhcsv.Options{TimeFormat: "%d/%m/%Y %H:%M"})
		require.ErrorIs(t, res.err, pdhcsv.ErrTimeFormat, cell)
		require.ErrorContains(t, res.err, `is not written as "%d/%m/%Y %H:%M"`)
	}
	res := read(t, strings.NewReader(utcHeader+"1/2/2015 22:42,1\nthe end\n"), pdhcsv.Options{TimeFormat: "%d/%m/%Y %H:%M"})
	require.NoError(t, res.err)
	assert.Equal(t, []string{"2015-02-01T22:42:00Z"}, res.times)
}

// TestDescription: Windows puts the description of a collector set at the end of the
// header, and nothing into the rows.
func TestDescription(t *testing.T) {
	const header = `"(PDH-CSV 4.0) (UTC)(0)","\\h\A\B",`
	const row = `"01/02/2003 04:05:06.007","1"`
	for text, c := range map[string]struct {
		description bool
		anomalies   []string
	}{
		header + "\"Nightly run\"\n" + row + "\n" + row + "\n":   {true, nil},
		header + "\"\"\n" + row + "\n":                           {true, nil},
		header + "\"C:\\PerfLogs\\Admin\"\n" + row + "\n":        {true, nil},
		header + "\"Nightly run\"\n" + row + ",\" \"\n":          {true, nil},
		header + "\"Nightly run\"\n":                             {true, nil},
		header + "\"Temperature\"\n" + row + ",\"7\"\n":          {false, []string{"column[1]: the name of the column is no counter path: skipped (offset 0x23)"}},
		header + "\"Temperature\"\n" + row + "\n" + row + ",7\n": {true, []string{"row[1].column[1]"}},
		header + "\"A\\C\"\n" + row + ",\" \"\n":                 {false, []string{"column[1]: the name of the column does not begin with a backslash: read as that of a counter without a machine (offset 0x23)"}},
		header + "\"x\",\"\\\\h\\A\\C\"\n" + row + ",2,3\n":      {false, []string{"column[1]: the name of the column is no counter path: skipped (offset 0x23)"}},
	} {
		res := read(t, strings.NewReader(text), pdhcsv.Options{})
		require.NoError(t, res.err)
		_, ok := res.header.Description()
		assert.Equal(t, c.description, ok, text)
		if c.anomalies != nil && strings.HasPrefix(c.anomalies[0], "row") {
			require.Len(t, res.anomalies, 1)
			continue
		}
		assert.Equal(t, c.anomalies, res.anomalies, text)
	}
	res := read(t, strings.NewReader(`"(PDH-CSV 4.0) (UTC)(0)","Processor(_Total)\% Processor Time","x","\\h\A\B"`+"\n"), pdhcsv.Options{})
	p, ok := res.header.Path(0)
	require.True(t, ok)
	assert.Equal(t, `\Processor(_Total)\% Processor Time`, p.String())
	_, ok = res.header.Path(1)
	assert.False(t, ok)
	p, ok = res.header.Path(2)
	require.True(t, ok)
	assert.Equal(t, "h", p.Machine)
}
