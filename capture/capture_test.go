package capture_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/titles"
)

func first(t testing.TB, name string, o capture.Options) *capture.Snapshot {
	t.Helper()
	for s := range snapshots(t, open(t, name), o) {
		return s
	}
	t.Fatal("no snapshot")
	return nil
}

func paths(t testing.TB, s *capture.Snapshot) []string {
	t.Helper()
	var all []string
	for r := range s.Rows() {
		name := r.Object
		if r.HasInstance {
			name += "(" + string(pdhpath.AppendInstance(nil, r.Parent, r.Instance, r.InstanceIndex)) + ")"
		}
		all = append(all, name+`\`+r.Counter)
	}
	return all
}

// expected is what an independent C program read from a capture.
type expected struct {
	Block   struct{ SystemName string }
	Objects []struct {
		ObjectNameTitleIndex uint32
		NumInstances         int32
		Counters             []struct {
			CounterNameTitleIndex uint32
			CounterType           uint32
			CounterSize           uint32
		}
		Values    []expectedValue
		Instances []struct {
			Name   string
			Values []expectedValue
		}
	}
}

type expectedValue struct {
	U32, U64     *json.Number
	SizeMismatch bool
}

// TestRowsAgreeWithTheCaptures compares every row with what the C program saw.
func TestRowsAgreeWithTheCaptures(t *testing.T) {
	files, _ := filepath.Glob(shared + "*/*.expected.json")
	if len(files) == 0 {
		t.Skip("the shared captures are not here")
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		require.NoError(t, err)
		var want expected
		if json.Unmarshal(b, &want) != nil || want.Objects == nil {
			continue // of a table of names
		}
		bin := strings.TrimSuffix(file, ".expected.json") + ".bin"
		t.Run(filepath.Base(bin), func(t *testing.T) {
			s := first(t, bin, capture.Options{})
			assert.Equal(t, want.Block.SystemName, s.Host)
			var rows []capture.Row
			for r := range s.Rows() {
				rows = append(rows, *r)
			}
			n := 0
			for _, o := range want.Objects {
				instances := o.Instances
				if o.NumInstances == perfdata.NoInstances {
					instances = append(instances, struct {
						Name   string
						Values []expectedValue
					}{"", o.Values})
				}
				for _, in := range instances {
					for j, v := range in.Values {
						require.Less(t, n, len(rows))
						r := rows[n]
						n++
						c := o.Counters[j]
						require.Equal(t, o.ObjectNameTitleIndex, r.ObjectIndex)
						require.Equal(t, c.CounterNameTitleIndex, r.CounterIndex)
						require.Equal(t, c.CounterType, uint32(r.Type))
						require.Equal(t, o.NumInstances != perfdata.NoInstances, r.HasInstance)
						if !strings.ContainsRune(in.Name, '\ufffd') { // of a lone surrogate
							require.Equal(t, in.Name, r.Instance)
						}
						number := v.U64
						if number == nil {
							number = v.U32
						}
						if number != nil && !v.SizeMismatch {
							require.False(t, r.NoFirst)
							require.Equal(t, number.String(), strconv.FormatUint(r.First, 10))
						}
					}
				}
			}
			assert.Len(t, rows, n)
		})
	}
}

// TestObjectsAndRowsAgree holds the two ways of reading a snapshot against
// each other.
func TestObjectsAndRowsAgree(t *testing.T) {
	filter, err := capture.NewFilter(`\Process(s*)\*`, `\System\*`, `\6000(*)\6002`, `\6060(*)\6062`)
	require.NoError(t, err)
	for _, name := range []string{"small", "inst-x86_64-1", "var-x86_64-1", "basic-x86_64-1"} {
		for _, f := range []*capture.Filter{nil, filter} {
			s := first(t, captures+name+".bin", capture.Options{Filter: f})
			var fromRows, fromObjects []string
			for r := range s.Rows() {
				fromRows = append(fromRows, fmt.Sprint(r.Object, r.Parent, r.Instance, r.InstanceIndex, r.Counter, r.First, r.NoFirst, r.Text))
			}
			for o := range s.Objects() {
				for in := range o.Instances() {
					for i := range o.Counters {
						v, ok := in.Value(i)
						if !ok {
							continue
						}
						fromObjects = append(fromObjects, fmt.Sprint(o.Name, in.Parent, in.Name, in.Repeat, o.Counters[i].Name, v.Uint, v.Kind != capture.Number, v.Text))
					}
				}
			}
			assert.Equal(t, fromRows, fromObjects, name)
		}
	}
}

func TestRowsOfMultiBaseAndText(t *testing.T) {
	byIndex := map[uint32]capture.Row{}
	for r := range first(t, captures+"basic-x86_64-1.bin", capture.Options{}).Rows() {
		if r.ObjectIndex == 5000 {
			byIndex[r.CounterIndex] = *r
		}
	}
	// 30 of 120, and a timer summed over four things.
	assert.Equal(t, uint64(30), byIndex[5064].First)
	assert.Equal(t, uint64(120), byIndex[5064].Second)
	assert.Equal(t, uint32(4), byIndex[5048].Multi)
	assert.Equal(t, uint64(18446744073709551615), byIndex[5096].First)

	for r := range first(t, captures+"var-x86_64-1.bin", capture.Options{}).Rows() {
		switch r.CounterIndex {
		case 7002:
			assert.True(t, r.NoFirst && r.HasText)
			assert.Equal(t, "Unicode text ä漢", r.Text)
		case 7010, 7024:
			assert.True(t, r.NoFirst)
			assert.False(t, r.HasText)
		case 7028:
			assert.False(t, r.NoFirst || r.HasText)
			assert.Equal(t, uint64(100), r.First)
		}
	}
}

func TestFilter(t *testing.T) {
	for _, c := range []struct {
		file string
		path string
		want []string
	}{
		{"inst-x86_64-1", `\6000(svchost#1)\6002`, []string{`6000(svchost#1)\6002`, `6000(svchost#1)\6002`}},
		{"inst-x86_64-1", `\6040(disk 0/*)\6042`, []string{`6040(Disk 0/Part 1)\6042`, `6040(Disk 0/Part 2)\6042`}},
		{"inst-x86_64-1", `\6000([paren]#1[[x]]*)\6002`, nil},
		{"inst-x86_64-1", `\\elsewhere\*(*)\*`, nil},
		{"inst-x86_64-1", `\6000\6002`, nil},
		{"sys-238-x86_64-1", `\\vm\processor(_total)\% user time`, []string{`Processor(_Total)\% User Time`}},
	} {
		f, err := capture.NewFilter(c.path)
		require.NoError(t, err)
		assert.Equal(t, c.want, paths(t, first(t, captures+c.file+".bin", capture.Options{Filter: f})), c.path)
	}
	_, err := capture.NewFilter("Process")
	var fe *perfdump.FormatError
	assert.ErrorAs(t, err, &fe)
	f, err := capture.NewFilter()
	assert.NoError(t, err)
	assert.Nil(t, f)
}

// TestFilterKnowsItsPaths: which of them name a counter, and which were for nothing.
func TestFilterKnowsItsPaths(t *testing.T) {
	const file = captures + "sys-238-x86_64-1.bin"
	f, err := capture.NewFilter(`\Processor(*)\*`, `\Processor(*)\% User*`)
	require.NoError(t, err)
	for o := range first(t, file, capture.Options{Filter: f}).Objects() {
		for _, c := range o.Counters {
			assert.Equal(t, c.Name == "% User Time", c.Named, c.Name)
		}
	}

	asked := []string{`\Processor(*)\*`, `\Processor(0)\% User Time`, `\Memory\*`, `\Processor(0)\*`, `\Processor(7)\% User Time`}
	f, err = capture.NewFilter(asked...)
	require.NoError(t, err)
	assert.Equal(t, asked, f.Unused())
	paths(t, first(t, file, capture.Options{Filter: f}))
	assert.Equal(t, []string{`\Memory\*`, `\Processor(7)\% User Time`}, f.Unused())

	// Of definitions alone, the instance of a path does not count.
	f, err = capture.NewFilter(`\Processor(7)\% User Time`)
	require.NoError(t, err)
	query, err := perfdata.ParseQuery("MetadataGlobal")
	require.NoError(t, err)
	for range first(t, file, capture.Options{Filter: f, Query: query}).Objects() {
		continue
	}
	assert.Empty(t, f.Unused())
}

func TestQuery(t *testing.T) {
	q, err := perfdata.ParseQuery("2 238")
	require.NoError(t, err)
	var objects []string
	for o := range first(t, captures+"small.bin", capture.Options{Query: q}).Objects() {
		objects = append(objects, o.Name)
	}
	assert.Equal(t, []string{"System", "Processor"}, objects)

	q, err = perfdata.ParseQuery("MetadataGlobal")
	require.NoError(t, err)
	s := first(t, captures+"small.bin", capture.Options{Query: q})
	assert.Empty(t, paths(t, s))
	for o := range s.Objects() {
		assert.True(t, o.Metadata)
		for range o.Instances() {
			t.Fatal("an instance")
		}
	}
}

func TestNames(t *testing.T) {
	table, err := titles.Parse(open(t, captures+"titles-009.bin").Data, perfdump.Options{})
	require.NoError(t, err)
	names := capture.NewNames(table)
	s := first(t, captures+"small.bin", capture.Options{Names: names})
	all := map[string]*capture.ObjectNames{}
	for n := range s.Names() {
		all[n.Object] = n
	}
	assert.Contains(t, all["Processor Information"].Counters, "% Processor Utility")
	assert.Contains(t, all["Process"].Instances, "sqlservr#1")
	assert.Empty(t, all["System"].Instances)
	assert.Zero(t, names.Missing(), "asking what there is counts for nothing")
	assert.False(t, names.BuiltIn())
	paths(t, s)
	assert.Zero(t, names.Missing())

	names = capture.NewNames()
	paths(t, first(t, captures+"inst-x86_64-1.bin", capture.Options{Names: names}))
	assert.Positive(t, names.Missing())
	assert.True(t, names.BuiltIn())
}

func TestSeveralBlocks(t *testing.T) {
	a, b := open(t, captures+"small.bin"), open(t, captures+"small-next.bin")
	in := &capture.Input{Name: "both", Format: "perfdata", Data: append(slices.Clone(a.Data), b.Data...)}
	var records []int
	for s := range snapshots(t, in, capture.Options{}) {
		assert.Equal(t, "both", s.Source)
		records = append(records, s.Record)
	}
	assert.Equal(t, []int{0, 1}, records)

	// A broken second block leaves the first.
	in.Data = in.Data[:len(a.Data)+500]
	n := 0
	for _, err := range capture.Read(in, capture.Options{}) {
		if err == nil {
			n++
		}
	}
	assert.Equal(t, 1, n)

	for _, err := range capture.Read(open(t, captures+"titles-009.bin"), capture.Options{}) {
		var none *capture.NoCaptureError
		require.ErrorAs(t, err, &none)
		assert.Equal(t, "titles", none.Format)
	}
}

// TestBadInput damages captures in every way that cuts or changes a field and
// reads what comes out.
func TestBadInput(t *testing.T) {
	filter, err := capture.NewFilter(`\*(*)\*`, `*`)
	require.NoError(t, err)
	b := open(t, captures+"sys-238-x86_64-1.bin").Data
	try := func(data []byte) {
		in := &capture.Input{Name: "x", Format: "perfdata", Data: data}
		for _, mode := range []perfdump.Mode{perfdump.Tolerant, perfdump.Strict, perfdump.Salvage} {
			o := capture.Options{Options: perfdump.Options{Mode: mode}, Filter: filter}
			for s, err := range capture.Read(in, o) {
				if err != nil {
					var fe *perfdump.FormatError
					require.ErrorAs(t, err, &fe)
					continue
				}
				paths(t, s)
			}
		}
	}
	for n := range b {
		try(b[:n])
	}
	for i := 0; i+4 <= len(b); i += 4 {
		for _, v := range []byte{0, 1, 0x7f, 0x80, 0xff} {
			c := slices.Clone(b)
			copy(c[i:], []byte{v, v, v, v})
			try(c)
			copy(c[i:], []byte{v, 0, 0, 0})
			try(c)
		}
	}
}

// TestRowsAllocateByInstanceNotByValue checks that reading rows costs a name for
// each instance, and nothing for a value.
func TestRowsAllocateByInstanceNotByValue(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures")
	}
	in := &capture.Input{Format: "perfdata", Data: perftest.Wide(100, 100)}
	names := capture.NewNames()
	var snapshot *capture.Snapshot
	for s := range snapshots(t, in, capture.Options{Names: names}) {
		snapshot = s
	}
	rows := 0
	allocs := testing.AllocsPerRun(3, func() {
		rows = 0
		for range snapshot.Rows() {
			rows++
		}
	})
	assert.GreaterOrEqual(t, rows, 10000)
	assert.Less(t, allocs, 600.0, "%d rows", rows)
}
