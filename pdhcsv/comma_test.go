package pdhcsv_test

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/pdhcsv"
)

// TestDecimalCommas reads what a spreadsheet saves where semicolons separate cells. Where
// one number of a file has a decimal comma, a point is none in any other.
func TestDecimalCommas(t *testing.T) {
	for _, at := range []string{"26.03.2015 22:42:10", "03/26/2015 22:42:10.000"} {
		for name, c := range map[string]struct {
			sep   string
			cells []string // one a row
			want  []any    // nil for no value
		}{
			"commas":          {";", []string{"86,93", "7", "", "-0,25", `"1,5"`, "1,2E+3", ",5"}, []any{86.93, 7.0, nil, -0.25, 1.5, 1200.0, 0.5}},
			"late":            {";", []string{"1.024", "1.024.000", "1.024,5", "86,93"}, []any{nil, nil, nil, 86.93}},
			"points":          {";", []string{"86.93", "1.024", "7"}, []any{86.93, 1.024, 7.0}},
			"words":           {";", []string{"a, b", "1,2,3", "86.93"}, []any{nil, nil, 86.93}},
			"other separator": {"\t", []string{"86,93", "86.93"}, []any{nil, 86.93}},
		} {
			var text strings.Builder
			text.WriteString("(PDH-CSV 4.0) (UTC)(0)" + c.sep + `\\h\A\B` + "\n")
			for _, cell := range c.cells {
				text.WriteString(at + c.sep + cell + "\n")
			}
			for _, format := range []string{"", "%d.%m.%Y %H:%M:%S"} {
				if format != "" && strings.Contains(at, "/") {
					continue
				}
				res := read(t, strings.NewReader(text.String()), pdhcsv.Options{TimeFormat: format})
				require.NoError(t, res.err, name)
				require.Len(t, res.values, len(c.want), name)
				for i, want := range c.want {
					if want == nil {
						assert.NotEqual(t, res.values[i][0], res.values[i][0], "%s %s", name, c.cells[i]) // NaN
						continue
					}
					assert.Equal(t, want, res.values[i][0], "%s %s", name, c.cells[i])
				}
			}
		}
	}
	// A source that goes forth only shows its first row before the others.
	res := read(t, io.MultiReader(strings.NewReader("(PDH-CSV 4.0) (UTC)(0);\\\\h\\A\\B\n03/26/2015 22:42:10.000;1,5\n03/26/2015 22:42:11.000;2\n")), pdhcsv.Options{})
	require.NoError(t, res.err)
	assert.Equal(t, [][]float64{{1.5}, {2}}, res.values)
}

// TestSkippedColumns: what stands in a column that is no counter is no number that is missing.
func TestSkippedColumns(t *testing.T) {
	res := read(t, strings.NewReader(`"(PDH-CSV 4.0) (UTC)(0)","Remark","\\h\A\B"`+"\n"+`"03/26/2015 22:42:10.000","slow","x"`+"\n"), pdhcsv.Options{})
	require.NoError(t, res.err)
	assert.Equal(t, []string{
		"column[0]: the name of the column is no counter path: skipped (offset 0x19)",
		"row[0].column[1]: the cell is no number: taken for missing (offset 0x4d)",
	}, res.anomalies)
}
