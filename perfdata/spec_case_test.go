package perfdata_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// specCase is a block and what becomes of it in tolerant mode: "fine", the
// codes of its anomalies in order (of equal ones in a row the first), or "!" and the code of its error.
type specCase struct {
	name, codes string
	m           *perftest.Image
}

var causes = map[perfdump.Code]error{
	perfdump.CodeEmpty: perfdump.ErrEmpty, perfdump.CodeTruncated: perfdump.ErrTruncated, perfdump.CodeSignature: perfdump.ErrSignature,
	perfdump.CodeBigEndian: perfdump.ErrBigEndian, perfdump.CodeLength: perfdump.ErrLength, perfdump.CodeCount: perfdump.ErrCount,
}

// runSpec checks cases, and their messages and values against a file. What is
// as in the plain block is not in the file.
func runSpec(t *testing.T, name string, cases []specCase) {
	whole := brief(mustBeClean(t, plain().Bytes()))
	var all strings.Builder
	for _, c := range cases {
		fmt.Fprintln(&all, c.name)
		if c.m == nil { // a comment
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			blk, err := checkAny(t, c.m.Bytes)
			_, strictErr := parseIn(c.m.Bytes, perfdump.Strict)
			salvaged, salvageErr := parseIn(c.m.Bytes, perfdump.Salvage)
			refused := func(err error) string {
				fe := formatError(t, err)
				if slices.Contains(c.m.Leaves, fe.Path) {
					require.EqualValues(t, c.m.At(fe.Path).Off, fe.Off, "%v", err)
				}
				return string(fe.Code)
			}
			switch {
			case err != nil:
				require.Equal(t, c.codes, "!"+refused(err))
				require.ErrorIs(t, err, causes[formatError(t, err).Code])
				require.Error(t, strictErr)
				fmt.Fprintf(&all, "\t%v\n", err)
				if blk = salvaged; blk == nil {
					require.ErrorIs(t, salvageErr, causes[formatError(t, err).Code])
					return
				}
				require.NotZero(t, blk.NumFaults())
				for i, fault := range slices.Collect(blk.Faults()) {
					require.Equal(t, fault, blk.Fault(i))
					fmt.Fprintf(&all, "\tfault %s: %s\n", fault.Code, fault)
				}
			case blk.Anomalies().Len() > 0:
				var got []string
				for _, a := range blk.Anomalies().Kept() {
					got = append(got, refused(a.Err()))
				}
				require.Equal(t, c.codes, strings.Join(slices.Compact(got), ","))
				require.ErrorIs(t, strictErr, perfdump.ErrAnomaly)
				require.Contains(t, got, refused(strictErr))
				require.NoError(t, salvageErr)
				require.Equal(t, told(blk), told(salvaged))
			default:
				require.Equal(t, "fine", c.codes)
				require.NoError(t, strictErr)
			}
			for _, line := range told(blk) {
				fmt.Fprintf(&all, "\t%s\n", line)
			}
			for _, line := range brief(blk) {
				if !slices.Contains(whole, line) {
					fmt.Fprintf(&all, "\t%s\n", line)
				}
			}
		})
	}
	if !t.Failed() {
		golden.File(t, filepath.Join("testdata", name+".txt"), []byte(all.String()))
	}
}

// brief is what programs read of a block, a line for each object.
func brief(blk *perfdata.Block) []string {
	lines := []string{fmt.Sprintf("%q %v %v: %d objects, default %d",
		blk.ComputerName(), blk.SystemTime, blk.PerfTime, blk.NumObjects(), blk.DefaultObject)}
	for _, o := range blk.Objects() {
		line := fmt.Sprintf("%s %d:", o.Path(), o.ObjectNameTitleIndex)
		for _, c := range o.Counters() {
			line += fmt.Sprintf(" %d", c.CounterNameTitleIndex)
			if c.Base() >= 0 {
				line += fmt.Sprintf("/%d", c.Base())
			}
		}
		names := displayNames(o)
		for i, in := range o.Instances() {
			line += fmt.Sprintf("; %s", names[i])
			if id := in.UniqueID(); id != -1 {
				line += fmt.Sprintf(" id %d", id)
			}
			line += " ="
			for c, v := range in.Values() {
				if count, ok := in.Multi(c); ok && o.Counter(c).CounterType.Multi() {
					line += fmt.Sprintf(" %d of", count)
				}
				switch v.Kind {
				case perfdata.Absent:
					line += " -"
				case perfdata.Text:
					line += fmt.Sprintf(" %q", v.Text())
				case perfdata.Uint32, perfdata.Uint64:
					line += fmt.Sprintf(" %#x", v.Uint)
				default:
					line += fmt.Sprintf(" [% x]", v.Raw)
				}
			}
		}
		lines = append(lines, line)
	}
	return lines
}
