package perfdata_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/perftest"
)

// Section 12: the malformed field values of .NET's ValidationTests. Strict
// mode rejects each and says where; no mode panics.
func TestSpecVectors(t *testing.T) {
	const largest = 0x7FFFFFC7 // the largest array of .NET
	object := perftest.Object{Title: 2}
	defined := perftest.Object{Title: 2, Counters: []perftest.Counter{{Title: 4, Type: 0x00010000}}}
	present := defined
	present.Instances = []perftest.Instance{{Unnamed: true}}
	build := func(o ...perftest.Object) *perftest.Image {
		m := (&perftest.Block{Objects: o}).Build()
		mustBeClean(t, m.Bytes)
		return m
	}
	tables := []struct {
		name   string
		base   *perftest.Image
		at     string
		fields []string
		values [][]int64
		more   bool // not among the 44
	}{
		{
			"data block", build(), "",
			[]string{"TotalByteLength", "HeaderLength"},
			[][]int64{{0, 88}, {1, 88}, {-1, 88}, {88, 0}, {88, 1}, {88, -1}, {88, 89}, {87, 88}},
			false,
		},
		{
			"object", build(object), "object[0]",
			[]string{"TotalByteLength", "HeaderLength", "DefinitionLength"},
			[][]int64{
				{0, 64, 64},
				{1, 64, 64},
				{-1, 64, 64},
				{64, 0, 64},
				{64, 1, 64},
				{64, -1, 64},
				{64, 64, 0},
				{64, 64, 1},
				{64, 64, -1},
				{63, 64, 64},
				{64, 63, 64},
				{64, 65, 64},
				{64, 64, 63},
				{64, 64, 65},
			},
			false,
		},
		{
			"counts", build(object), "object[0]",
			[]string{"NumInstances", "NumCounters"},
			[][]int64{{largest, 1}, {1, -1}, {1, largest}, {largest / 1000, 1}, {1, largest / 1000}, {largest, largest}},
			false,
		},
		{
			"definition", build(defined), "object[0].counter[0]",
			[]string{"ByteLength", "CounterOffset"},
			[][]int64{{0, 4}, {1, 4}, {-1, 4}, {24, -1}, {23, 4}, {24, 1000}},
			false,
		},
		{
			"instance", build(present), "object[0].instance[0]",
			[]string{"ByteLength", "NameOffset", "NameLength"},
			[][]int64{{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {24, -1, 0}, {24, 0, -1}, {24, 1000, 0}, {24, 0, 1000}},
			false,
		},
		{"counter block", build(present), "object[0].instance[0].block", []string{"ByteLength"}, [][]int64{{-1}, {0}, {1}}, false},
		{
			"definition of today's size", build(defined), "object[0].counter[0]",
			[]string{"ByteLength", "CounterOffset"},
			[][]int64{{40, -1}, {39, 4}},
			true,
		},
		{
			"definition with a block", build(present), "object[0].counter[0]",
			[]string{"ByteLength", "CounterOffset"},
			[][]int64{{40, -1}, {40, 1000}, {39, 4}},
			true,
		},
	}
	vectors := 0
	for _, table := range tables {
		for _, values := range table.values {
			if !table.more {
				vectors++
			}
			t.Run(fmt.Sprintf("%s/%v", table.name, values), func(t *testing.T) {
				m := table.base.Clone()
				for i, field := range table.fields {
					m.Set(strings.TrimPrefix(table.at+"."+field, "."), values[i])
				}
				_, _ = checkAny(t, m.Bytes)
				_, err := parseIn(m.Bytes, perfdump.Strict)
				fe := formatError(t, err)
				require.True(t, under(fe.Path, strings.TrimSuffix(table.at, ".block")), "%q", fe.Path)
			})
		}
	}
	require.Equal(t, 44, vectors)
}
