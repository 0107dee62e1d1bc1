package analyze_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/analyze"
)

func TestParseErrors(t *testing.T) {
	const head = "[a]\ncounter = \\A(*)\\B\n"
	for _, c := range []struct{ text, want string }{
		{"x = 1\n[a]\n", `line[0]: "x" is in front of the first rule`},
		{"[]\n", "line[0]: a rule without a name"},
		{head + "warning = > 1\n[A]\n", `line[3]: the rule "A" is defined twice`},
		{head + "warn = > 1\n", `line[2]: unknown key "warn"; the keys are title, `},
		{head + "warning = > 1\nwarning = > 1\n", `line[3]: "warning" occurs twice in the rule a`},
		{head + "something\n", `line[2]: "something" is no key = value`},
		{head, "line[0]: rule a: a rule has a level"},
		{"[a]\nwarning = > 1\n", "line[0]: rule a: a rule has a counter or a metric"},
		{head + "metric = [A\\B]\nwarning = > 1\n", "line[0]: rule a: a rule has a counter or a metric"},
		{head + "area = moon\nwarning = > 1\n", `line[2]: rule a: area: "moon"; the areas are cpu, `},
		{"[a]\ncounter = A\nwarning = > 1\n", "line[1]: rule a: counter: "},
		{"[a]\ncounter = \\A*\\B\nwarning = > 1\n", `line[1]: rule a: counter: \A*\B: a rule names its object and its counter`},
		{"[a]\nmetric = [B] / 2\nwarning = > 1\n", `line[1]: rule a: metric: "B" has no object`},
		{"[a]\nmetric = cpus / [A\\B]\nwarning = > 1\n", "line[1]: rule a: metric: the first name must be a counter"},
		{"[a]\nmetric = [A\\B] /\nwarning = > 1\n", `line[1]: rule a: metric: at "": it ends where`},
		{head + "warning = 5\n", `line[2]: rule a: warning: "5" is no condition`},
		{head + "warning = > 5 parsecs\n", `line[2]: rule a: warning: "> 5 parsecs" is no condition`},
		{head + "warning = > 5kg\n", `line[2]: rule a: warning: "5kg" is no number`},
		{head + "warning = > 5 for a while\n", `line[2]: rule a: warning: "a while" is no duration`},
		{head + "warning = > 5 for 0 samples\n", `line[2]: rule a: warning: "0" is no number of samples`},
		{head + "warning = > 5 for 101% of the time\n", `line[2]: rule a: warning: "101% of the time" is no share`},
		{head + "warning = trend > 5\n", `line[2]: rule a: warning: "trend > 5" is no trend`},
		{head + "warning = > 1\nwhen = > 1\n", `line[3]: rule a: when: "> 1" is no comparison`},
		{head + "warning = > 1\nshow = \n", ""},
	} {
		_, err := analyze.Parse([]byte(c.text), perfdump.Options{})
		if c.want == "" {
			require.NoError(t, err, c.text)
			continue
		}
		var fe *perfdump.FormatError
		require.True(t, errors.As(err, &fe), c.text)
		assert.Contains(t, err.Error(), c.want, c.text)
	}
}

// TestText holds what an .ini reader with other habits would spoil.
func TestText(t *testing.T) {
	rules := parse(t, "; a comment\n[svchost#1]\ntitle = 50 # of 100 ; all\nmetric = [.NET CLR Memory\\# Gen 2 Collections] / 2\nwarning = > 1\nmeans = it ends in \\\nnext = x = y\nlink = https://example.com/#a\n")
	for r := range rules.All() {
		assert.Equal(t, "svchost#1", r.Name)
		assert.Equal(t, "50 # of 100 ; all", r.Title)
		assert.Equal(t, "it ends in \\", r.Means)
		assert.Equal(t, "x = y", r.Next)
		assert.Equal(t, "other", r.Area)
		assert.Equal(t, `[.NET CLR Memory\# Gen 2 Collections] / 2`, r.Counter())
	}
	assert.Equal(t, 1, rules.Len())
}

// FuzzRules holds that rules never panic and are read again as they are written.
func FuzzRules(f *testing.F) {
	f.Add([]byte("[a]\ntitle = t\narea = disk\ncounter = \\A(*)\\B\nwarning = > 20ms for 3 samples\ncritical = == 4 for 20% of the time\n"))
	f.Add([]byte("[a]\ncounter = \\A(x#1)\\B\nwarning = > 1ms and ratio \\B\\C > 2 for 3 samples\nexcept = a, b*\nwhen = \\A(*)\\C > 1 and \\D\\E < 2"))
	f.Add([]byte("[a]\nmetric = ([A\\B] - [A\\C]) / ram\ncritical = > 5 and trend < -1MB/h over 2h\nshow = \\A(*)\\B,\\C\\D"))
	f.Fuzz(func(t *testing.T, b []byte) {
		rules, err := analyze.Parse(b, perfdump.Options{})
		if err != nil {
			require.Nil(t, rules)
			return
		}
		again, err := analyze.Parse([]byte(rules.String()), perfdump.Options{})
		require.NoError(t, err, rules.String())
		require.Equal(t, rules.String(), again.String())
		analyze.New(rules, nil).Reports()
	})
}
