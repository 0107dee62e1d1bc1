package countertypes

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The page for users lists what the package has, no more and no less.
func TestDocsPage(t *testing.T) {
	data, err := os.ReadFile("../docs/countertypes.md")
	require.NoError(t, err)
	page := string(data)

	rows := regexp.MustCompile(`(?m)^\| 0x[0-9A-F]{8} \|.*$`).FindAllString(page, -1)
	require.Len(t, rows, len(named))
	i := 0
	for info := range All() {
		cells := strings.Split(rows[i], " | ")
		i++
		assert.Equal(t, fmt.Sprintf("| 0x%08X", uint32(info.Type)), cells[0])
		assert.True(t, strings.HasPrefix(cells[1], "`"+info.Name+"`"), cells[1])
		for _, alias := range info.Aliases {
			assert.Contains(t, cells[1], "`"+alias+"`")
		}
		assert.Equal(t, info.Formula, strings.Trim(cells[2], "`-"), info.Name)
		assert.Equal(t, info.Type.Suffix(), strings.TrimPrefix(cells[3], "-"), info.Name)
		assert.Equal(t, info.Type.NeedsTwo(), cells[4] == "2", info.Name)
		assert.Equal(t, info.Doc+" |", cells[5])
	}

	_, statuses, _ := strings.Cut(page, "## Statuses")
	statuses, switches, found := strings.Cut(statuses, "## Switches")
	require.True(t, found)
	last := -1
	for s := StatusOK; s <= StatusZeroDenominator; s++ {
		code := "-"
		if c, ok := s.PDH(); ok && c != 0 {
			code = fmt.Sprintf("0x%08X", c)
		} else if ok {
			code = "0"
		}
		row := regexp.MustCompile("(?m)^\\| `" + s.String() + "` \\|.*\\| " + code + " \\|$").FindStringIndex(statuses)
		require.NotNil(t, row, s)
		assert.Greater(t, row[0], last, "in the order of the tests")
		last = row[0]
	}
	assert.Equal(t, len(Switches()), strings.Count(switches, "\n| `"))
	for _, s := range Switches() {
		assert.Contains(t, switches, "| `"+s.Key+"` | `"+strings.Join(s.Values, "`, `")+"` |")
	}
}
