package reference_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/reference"
	"github.com/perfdump/perfdump/countertypes"
)

// said is the readings of an answer with the names of their meanings.
func said(a reference.Answer) string {
	var parts []string
	for _, r := range a.Readings {
		part := string(r.As)
		if r.As != reference.AsWord {
			part += fmt.Sprintf(" %#x", r.Number)
		}
		var names []string
		for _, m := range r.Meanings {
			name := m.Name
			for _, d := range m.Data {
				name += fmt.Sprintf(" [%s %d", d.Name, d.Number)
				for _, sub := range d.Meanings {
					name += " " + sub.Name
				}
				name += "]"
			}
			names = append(names, name)
		}
		parts = append(parts, part+": "+strings.Join(names, ", "))
	}
	if len(a.See) > 0 {
		parts = append(parts, "see "+strings.Join(a.See, " "))
	}
	if a.Problem != "" {
		parts = append(parts, "problem: "+a.Problem)
	}
	return strings.Join(parts, "; ")
}

func TestWords(t *testing.T) {
	for _, c := range []struct{ words, want string }{
		// Eight hex digits are bytes; as the number too where that is known.
		{"F3030000", "event-data 0x3f3: ERROR_CANTOPEN"},
		{"050000C0", "event-data 0xc0000005: STATUS_ACCESS_VIOLATION"},
		{"C0000BB9", "event-data 0xb90b00c0: ; number 0xc0000bb9: PDH_CSTATUS_NO_COUNTER"},
		{"800007D5", "event-data 0xd5070080: ; number 0x800007d5: PDH_NO_DATA"},
		{"00000000", "event-data 0x0: PDH_CSTATUS_VALID_DATA, ERROR_SUCCESS"},
		{"00001011", "event-data 0x11100000: ; number 0x1011: ; number 0x3f3: ERROR_CANTOPEN"},
		{"F3 03 00 00", "event-data 0x3f3: ERROR_CANTOPEN"},
		// Numbers.
		{"0x3F3", "number 0x3f3: ERROR_CANTOPEN; see perflib:1011"},
		{"1011", "number 0x3f3: ERROR_CANTOPEN; see perflib:1011"},
		{"2003", "number 0x7d3: ; see loadperf:2003 perflib:2003"},
		{"0xC0000BBA", "number 0xc0000bba: PDH_CSTATUS_INVALID_DATA, perflib:3002"},
		{"-1073738822", "number 0xc0000bba: PDH_CSTATUS_INVALID_DATA, perflib:3002"},
		{"0xC00003F0", "number 0xc00003f0: perflib:1008"},
		{"0x8007007E", "number 0x8007007e: ERROR_MOD_NOT_FOUND"},
		{"0x21510500", "number 0x21510500: PERF_100NSEC_TIMER_INV"},
		{"4294967296", "problem: it has more than 32 bits, which no code has"},
		{"0x123456789", "problem: it has more than 32 bits, which no code has"},
		{"0xhello", "problem: hex digits must follow 0x"},
		// Events and flags.
		{"perflib:1008", "event 0x3f0: perflib:1008"},
		{"Perflib:1008|F3030000", "event 0x3f0: perflib:1008 [error 1011 ERROR_CANTOPEN]"},
		{"perflib:0xC00003F0|126", "event 0xc00003f0: perflib:1008 [error 126 ERROR_MOD_NOT_FOUND]"},
		{"loadperf:3001|C6080000|C4080000|0x8c2", "event 0xbb9: loadperf:3001 [index of the malformed string 2246] [last valid index 2244] [last valid index 2242]"},
		{"perflib:1015|5", "event 0x3f7: perflib:1015 [D0 5 ERROR_ACCESS_DENIED]"},
		{"perflib:1008|5|size-mismatch", "event 0x3f0: perflib:1008 [error 5 ERROR_ACCESS_DENIED] / word: size-mismatch, size-mismatch, size-mismatch"},
		{"perflib:77", "event 0x4d: "},
		{"perflib:x", "problem: expected a number after perflib:"},
		{"perflib:x foo", "problem: expected a number after perflib:"},
		{"perflib:1008 foo", `problem: "foo" is no DWORD of an event's data; expected its bytes or a number after the event, such as perflib:1008 F3030000 or perflib:1008 1011`},
		{"perflib:1008 0x123456789", `problem: "0x123456789" is no DWORD of an event's data; expected its bytes or a number after the event, such as perflib:1008 F3030000 or perflib:1008 1011`},
		{"perflib:1008 5 F3030000|gap", "event 0x3f0: perflib:1008 [error 5 ERROR_ACCESS_DENIED] [D1 1011 ERROR_CANTOPEN] / word: gap"},
		{"gap|perflib:1008 5|6", "word: gap / event 0x3f0: perflib:1008 [error 5 ERROR_ACCESS_DENIED] [D1 6 ERROR_INVALID_HANDLE]"},
		{"flags:0x12", "flags 0x12: flags:0x2, flags:0x10"},
		{"flags:0x120", "flags 0x120: flags:0x120"},
		{"flags:many", "problem: expected a number after flags:, such as flags:0x12"},
		// Words.
		{"size-mismatch", "word: size-mismatch, size-mismatch, size-mismatch"},
		{"PDH_NO_DATA", "word: PDH_NO_DATA"},
		{"cantopen", "word: ERROR_CANTOPEN"},
		{"invalid_data", "word: PDH_CSTATUS_INVALID_DATA, PDH_INVALID_DATA, ERROR_INVALID_DATA"},
		{"size-mismach", "word: ; see size-mismatch"},
		{"base", "word: ; see PDH_CALC_NEGATIVE_TIMEBASE PERF_AVERAGE_BASE PERF_COUNTER_MULTI_BASE PERF_LARGE_RAW_BASE"},
		// Counters of the network.
		{"received packets/SEC", "word: Received Packets/sec"},
		{"Interrupts/sec", "word: Interrupts/sec, Interrupts/sec"},
		{`Processor Information\Interrupts/sec`, "word: Interrupts/sec"},
		{`\\host\Network Adapter(x/y)\Output Queue Length`, "word: Output Queue Length"},
		{`Processor\No such/sec`, "word: "},
		{"Recieved Packets/sec", "word: ; see Received Packets/sec"},
		{"", "word: "},
		// Four words of two digits are one, if they can be nothing else.
		{"F3|03|00|00", "event-data 0x3f3: ERROR_CANTOPEN"},
		{"F3|03|00", "word:  / number 0x3: ERROR_PATH_NOT_FOUND / number 0x0: PDH_CSTATUS_VALID_DATA, ERROR_SUCCESS"},
		{"32|53|21|87", "number 0x20: ERROR_SHARING_VIOLATION / number 0x35: ERROR_BAD_NETPATH / number 0x15: ERROR_NOT_READY / number 0x57: ERROR_INVALID_PARAMETER"},
	} {
		var got []string
		for _, a := range reference.Words(strings.Split(c.words, "|")...) {
			got = append(got, said(a))
		}
		assert.Equal(t, c.want, strings.Join(got, " / "), c.words)
	}
}

// declared finds constants of type perfdump.Code.
var declared = regexp.MustCompile(`\bCode(?:\(| *= )"([a-z0-9-]+)"`)

// TestEveryCodeIsExplained holds that explain knows all codes that the packages
// of the command declare, and no others.
func TestEveryCodeIsExplained(t *testing.T) {
	given := map[string]bool{}
	for s := countertypes.StatusOK; !strings.HasPrefix(s.String(), "status("); s++ {
		given[s.String()] = true
		assert.NotEmpty(t, of(reference.Status, s.String()), "the status %s", s)
		if code, ok := s.PDH(); ok && s != countertypes.StatusOK {
			assert.NotEmpty(t, reference.Number(code), "the code of %s", s)
		}
	}
	require.NoError(t, filepath.WalkDir("../../../..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "tools" || d.Name() == "testkit"):
			return filepath.SkipDir
		case filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(name)
		for _, m := range declared.FindAllSubmatch(text, -1) {
			code := string(m[1])
			given[code] = true
			assert.NotEmpty(t, append(of(reference.Error, code), of(reference.Anomaly, code)...), "%s gives the code %q", name, code)
		}
		return err
	}))
	require.Greater(t, len(given), 50)
	for _, source := range []reference.Source{reference.Error, reference.Anomaly, reference.Status} {
		for _, m := range reference.All(source) {
			assert.True(t, given[m.Name], "nothing gives %s", m.Name)
		}
	}
}

func of(source reference.Source, name string) []reference.Meaning {
	var found []reference.Meaning
	for _, m := range reference.All(source) {
		if m.Name == name {
			found = append(found, m)
		}
	}
	return found
}

var sources = []reference.Source{
	reference.Win32, reference.PDH, reference.NTStatus, reference.LoadPerf, reference.Perflib, reference.Flags,
	reference.Error, reference.Anomaly, reference.Status, reference.Counter, reference.Object,
}

// TestTablesAreConsistent holds that what the tables say is found by its
// number and by its name, and reads as a text.
func TestTablesAreConsistent(t *testing.T) {
	assert.True(t, slices.IsSorted(reference.Names()))
	for _, source := range sources {
		all := reference.All(source)
		require.NotEmpty(t, all, source)
		assert.NotEqual(t, string(source), source.Describe())
		for i, m := range all {
			assert.Equal(t, source, m.Source)
			assert.NotEmpty(t, m.Text, m.Name)
			assert.True(t, strings.HasSuffix(m.Text, "."), "%s: %q", m.Name, m.Text)
			assert.False(t, strings.HasSuffix(m.Advice, "."), "%s: %q", m.Name, m.Advice)
			assert.False(t, strings.HasSuffix(m.Beware, "."), "%s: %q", m.Name, m.Beware)
			switch source {
			case reference.Win32, reference.PDH, reference.NTStatus, reference.LoadPerf, reference.Perflib, reference.Flags:
				if i > 0 {
					assert.Less(t, all[i-1].Number, m.Number)
				}
			default: // words have no number
			}
			answers := reference.Words(m.Name)
			require.Len(t, answers, 1, m.Name)
			var names []string
			for _, r := range answers[0].Readings {
				for _, found := range r.Meanings {
					names = append(names, found.Name)
				}
			}
			assert.Contains(t, names, m.Name)
		}
	}
}

// TestCountersOfThePage holds that each counter of the page of NDIS is told of,
// in the object that it names.
func TestCountersOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../../../../shared/spec/ndis.md")
	if err != nil {
		t.Skip("no page of the counters beside the checkout")
	}
	letter := map[string]string{"A": "Per Processor Network Interface Card Activity", "C": "Per Processor Network Activity Cycles"}
	_, table, ok := strings.Cut(string(page), "## Per-processor counters")
	require.True(t, ok)
	table, _, _ = strings.Cut(table, "\n## ")
	n := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) < 5 || strings.Contains(line, "---") || strings.Contains(line, "| counter |") {
			continue
		}
		sets := strings.Split(strings.TrimSpace(cells[2]), ", ")
		for i, name := range strings.Split(cells[1], ",") {
			n++
			m, ok := reference.OfCounter(letter[sets[min(i, len(sets)-1)]], strings.TrimSpace(name))
			if assert.True(t, ok, name) && strings.TrimSpace(cells[4]) != "" && !strings.HasPrefix(cells[4], " minus") && (len(sets) == 1 || i > 0) {
				assert.NotEmpty(t, m.Beware, name)
			}
		}
	}
	assert.Equal(t, 30, n)
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{"F3030000", "0x3F3", "-5", "perflib:1008 F3030000", "flags:0x12", "size-mismatch", "F3 03 00 00", "loadperf: :"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		words := strings.Split(s, " ")
		answers := reference.Words(words...)
		assert.LessOrEqual(t, len(answers), len(words))
		for _, a := range answers {
			if (a.Problem == "") == (len(a.Readings) == 0) {
				t.Errorf("%q: a problem or readings, one of the two: %+v", a.Word, a)
			}
			// What it is read as must read as the same.
			for _, r := range a.Readings {
				if r.As == reference.AsNumber {
					again := reference.Words(fmt.Sprintf("0x%X", r.Number))
					assert.Equal(t, r.Number, again[0].Readings[0].Number)
				}
			}
		}
	})
}
