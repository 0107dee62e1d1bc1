package pal_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/pal"
)

const shared = "../../../../../shared"

// TestCorpus holds that each comparison with a constant in PAL's own files is a
// rule.
func TestCorpus(t *testing.T) {
	dir := filepath.Join(shared, "corpus", "pal")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the files of PAL are not there: ", dir)
	}
	facts, err := os.ReadFile(filepath.Join(shared, "vectors", "thresholds.tsv"))
	require.NoError(t, err)
	open := func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, name)) }
	files := map[string]string{}
	for _, name := range []string{"QuickSystemOverview", "SystemOverview", "SQLServer2014", "HyperV30"} {
		b, err := open(name + ".xml")
		require.NoError(t, err)
		r, err := pal.Parse(name+".xml", b, open)
		require.NoError(t, err)
		files[name] = r.Rules.String()
		t.Logf("%s: %d rules, %d left, %v", name, r.Rules.Len(), len(r.Left), r.Notes)
		assert.Empty(t, r.Notes)
		for _, l := range r.Left {
			assert.NotEmpty(t, l.Why)
		}
	}
	ops := map[string]string{"gt": ">", "ge": ">=", "lt": "<", "le": "<=", "eq": "==", "ne": "!="}
	n := 0
	for line := range strings.Lines(string(facts)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		text, ok := files[f[0]]
		if !ok {
			continue
		}
		n++
		found := false
		for section := range strings.SplitSeq(text, "\n\n") {
			level := fmt.Sprintf("%-8s = ", strings.ToLower(f[4]))
			found = found || strings.Contains(section+"\n", "counter  = "+f[2]+"\n") &&
				(strings.Contains(section+"\n", level+ops[f[5]]+" "+f[6]+"\n") || strings.Contains(section+"\n", level+"trend "+ops[f[5]]+" "+f[6]+"/h over 1h\n"))
		}
		assert.True(t, found, "%s", line)
	}
	assert.Equal(t, 109, n)
}

const file = "\xef\xbb\xbf" + `<?xml version="1.0"?><PAL NAME="x">
<INHERITANCE FILEPATH="C:\PAL\Other.xml" /><INHERITANCE FILEPATH="" /><INHERITANCE FILEPATH="missing.xml" />
<ANALYSIS NAME="Disk [reads]" ENABLED="True" CATEGORY="PhysicalDisk"><DATASOURCE TYPE="CounterLog" COLLECTIONVARNAME="Reads" EXPRESSIONPATH="\PhysicalDisk(*)\Avg. Disk sec/Read"><EXCLUDE INSTANCE="_Total" /></DATASOURCE>
<DATASOURCE TYPE="Generated" COLLECTIONVARNAME="Made" EXPRESSIONPATH="\Made(*)\Up" />
<THRESHOLD NAME="Slow" CONDITION="Warning"><CODE><![CDATA[StaticThreshold -Operator "gt" -Threshold 0.015 -CollectionOfCounterInstances $reads]]></CODE></THRESHOLD>
<THRESHOLD NAME="Very slow" CONDITION="Critical"><CODE>StaticThreshold -CollectionOfCounterInstances $Reads -Operator gt -Threshold 1KB;</CODE></THRESHOLD>
<THRESHOLD NAME="Extremely" CONDITION="Critical"><CODE>StaticThreshold -CollectionOfCounterInstances $Reads -Operator 'gt' -Threshold 2</CODE></THRESHOLD>
<THRESHOLD NAME="Growing" CONDITION="Warning"><CODE>StaticThreshold -CollectionOfCounterInstances $Reads -Operator 'gt' -Threshold 2 -IsTrendOnly $True</CODE></THRESHOLD>
<THRESHOLD NAME="Loop" CONDITION="Warning"><CODE>ForEach ($x in $Reads) { StaticThreshold }</CODE></THRESHOLD>
<THRESHOLD NAME="Two" CONDITION="Warning"><CODE>StaticThreshold -CollectionOfCounterInstances $Reads -Operator 'gt' -Threshold 2
StaticThreshold -CollectionOfCounterInstances $Reads -Operator 'gt' -Threshold 3</CODE></THRESHOLD>
<THRESHOLD NAME="Computed" CONDITION="Warning"><CODE>StaticThreshold -CollectionOfCounterInstances $Made -Operator 'gt' -Threshold 2</CODE></THRESHOLD>
<THRESHOLD NAME="Variable" CONDITION="Warning"><CODE>StaticThreshold -CollectionOfCounterInstances $Reads -Operator 'gt' -Threshold $N</CODE></THRESHOLD>
<THRESHOLD NAME="Operator" CONDITION="Warning"><CODE>StaticThreshold -CollectionOfCounterInstances $Reads -Operator 'like' -Threshold 2</CODE></THRESHOLD>
</ANALYSIS></PAL>`

func TestParse(t *testing.T) {
	open := func(name string) ([]byte, error) {
		if name != "Other.xml" {
			return nil, fs.ErrNotExist
		}
		return []byte(`<PAL><INHERITANCE FILEPATH="x.xml"/><ANALYSIS NAME="Queue" CATEGORY="Other"><DATASOURCE TYPE="CounterLog" COLLECTIONVARNAME="Q" EXPRESSIONPATH="\System\Processor Queue Length"/>
<THRESHOLD NAME="Long" CONDITION="Critical"><CODE>StaticThreshold -CollectionOfCounterInstances $Q -Operator 'ge' -Threshold 10</CODE></THRESHOLD></ANALYSIS></PAL>`), nil
	}
	r, err := pal.Parse(`C:\X.xml`, []byte(file), open)
	require.NoError(t, err)
	assert.Equal(t, `[Queue]
title    = Long
area     = other
counter  = \System\Processor Queue Length
critical = >= 10

[Disk (reads)]
title    = Slow
area     = disk
counter  = \PhysicalDisk(*)\Avg. Disk sec/Read
except   = _Total
warning  = > 0.015
critical = > 1KB

[Disk (reads) 2]
title    = Extremely
area     = disk
counter  = \PhysicalDisk(*)\Avg. Disk sec/Read
except   = _Total
critical = > 2

[Disk (reads) 3]
title    = Growing
area     = disk
counter  = \PhysicalDisk(*)\Avg. Disk sec/Read
except   = _Total
warning  = trend > 2/h over 1h
`, r.Rules.String())
	var left []string
	for _, l := range r.Left {
		left = append(left, l.Threshold+": "+l.Why)
	}
	assert.Equal(t, []string{
		"Loop: its threshold is a program", "Two: its threshold is a program", "Computed: its values are computed",
		`Variable: its threshold "$N" is no constant`, `Operator: unknown operator "like"`,
	}, left)
	assert.Equal(t, []string{"x.xml is inherited again: skipped", "missing.xml cannot be read: file does not exist"}, r.Notes)
}

func TestErrors(t *testing.T) {
	for _, text := range []string{"", "<x/>", "<PAL>", "<PAL><ANALYSIS></PAL>", "PAL"} {
		_, err := pal.Parse("x.xml", []byte(text), nil)
		var fe *perfdump.FormatError
		require.True(t, errors.As(err, &fe), text)
		assert.Equal(t, perfdump.CodeSyntax, fe.Code)
	}
}

// FuzzPAL holds that a threshold file never panics, and that its rules are read
// again as they are written.
func FuzzPAL(f *testing.F) {
	f.Add([]byte(file))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := pal.Parse("x.xml", b, func(string) ([]byte, error) { return b, nil })
		if err != nil {
			require.Nil(t, r)
		}
	})
}
