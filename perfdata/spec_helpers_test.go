package perfdata_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

var modes = []perfdump.Mode{perfdump.Tolerant, perfdump.Strict, perfdump.Salvage}

func parseIn(b []byte, mode perfdump.Mode) (*perfdata.Block, error) {
	return perfdata.Parse(b, perfdump.Options{Mode: mode})
}

// mustParse parses b in tolerant mode.
func mustParse(t *testing.T, b []byte) *perfdata.Block {
	t.Helper()
	blk, err := parseIn(b, perfdump.Tolerant)
	require.NoError(t, err)
	require.NotNil(t, blk)
	checkBlock(t, blk, b)
	return blk
}

// mustBeClean parses b in strict mode and wants no anomaly.
func mustBeClean(t *testing.T, b []byte) *perfdata.Block {
	t.Helper()
	blk, err := parseIn(b, perfdump.Strict)
	require.NoError(t, err)
	checkBlock(t, blk, b)
	require.Empty(t, told(blk))
	require.Empty(t, told(mustParse(t, b)))
	return blk
}

// told lists the anomalies of a block as text.
func told(blk *perfdata.Block) []string {
	var lines []string
	for _, a := range blk.Anomalies().Kept() {
		lines = append(lines, fmt.Sprintf("%s: %s", a.Code, a))
	}
	return lines
}

// codes returns the codes of a block's anomalies.
func codes(blk *perfdata.Block) map[perfdump.Code]int {
	n := make(map[perfdump.Code]int)
	for _, a := range blk.Anomalies().Kept() {
		n[a.Code]++
	}
	for code, dropped := range blk.Anomalies().Dropped() {
		n[code] += dropped
	}
	return n
}

// formatError wants err to be a FormatError and returns it.
func formatError(t *testing.T, err error) *perfdump.FormatError {
	t.Helper()
	var fe *perfdump.FormatError
	require.ErrorAs(t, err, &fe)
	return fe
}

// place cuts the first block's own index off a path: there is only one.
func place(path string) string {
	path = strings.TrimPrefix(path, "block[0]")
	return strings.TrimPrefix(path, ".")
}

// displayNames collects the display names of an object.
func displayNames(o *perfdata.Object) []string {
	names := make([]string, 0, o.Len())
	for _, name := range o.DisplayNames() {
		names = append(names, name)
	}
	return names
}

// walk is what a block offers, written down where it is not quiet, and what
// does not agree in it.
type walk struct {
	strings.Builder
	quiet bool
	bad   []string
}

func (w *walk) printf(format string, args ...any) {
	if !w.quiet {
		fmt.Fprintf(w, format, args...)
	}
}

func (w *walk) check(ok bool, format string, args ...any) {
	if !ok {
		w.bad = append(w.bad, fmt.Sprintf(format, args...))
	}
}

// describe walks all that a block offers and writes it down.
func describe(blk *perfdata.Block) string {
	var w walk
	w.block(blk)
	return w.String()
}

// disagreements walks a block and returns what does not agree in it.
func disagreements(blk *perfdata.Block) []string {
	w := walk{quiet: true}
	w.block(blk)
	return w.bad
}

func (w *walk) block(blk *perfdata.Block) {
	at, ok := blk.Time()
	w.printf("%+v size %d offset %d name %q time %v %v rest %d\n", blk.DataBlock, blk.Size(), blk.Offset(), blk.ComputerName(), at, ok, len(blk.Rest()))
	n := 0
	for i, o := range blk.Objects() {
		w.check(i == n && o == blk.Object(i), "object %d is not object %d", i, n)
		n++
		w.object(o)
	}
	w.check(n == blk.NumObjects(), "%d objects of %d", n, blk.NumObjects())
	for _, a := range blk.Anomalies().Kept() {
		w.printf("%s %d %s %s\n", a.Code, a.Off, a.Path, a)
	}
	for code, n := range blk.Anomalies().Dropped() {
		w.printf("%s x%d\n", code, n)
	}
	for f := range blk.Faults() {
		w.printf("fault %s %d %s\n", f.Code, f.Off, f)
	}
}

func (w *walk) object(o *perfdata.Object) {
	w.printf("object at %d: %+v, %d instances\n", o.Offset(), o.ObjectType, o.Len())
	for i, c := range o.Counters() {
		w.printf(" counter %d: %+v base %d\n", i, c.CounterDefinition, c.Base())
	}
	n := len(o.Counters())
	all, display := o.AppendUint64s(nil), displayNames(o)
	if len(all) != n*o.Len() || len(display) != o.Len() {
		w.check(false, "%d values and %d names for %d instances of %d counters", len(all), len(display), o.Len(), n)
		return
	}
	at := 0
	for i, in := range o.Instances() {
		w.check(i == at && in.Offset() == o.Instance(i).Offset(), "instance %d is not instance %d", i, at)
		at++
		name, full := in.Name(), in.FullName()
		parent, ok := in.Parent()
		w.printf(" instance %d at %d: %+v %v id %d raw %x name %q full %q parent %v", i, in.Offset(), in.Definition(),
			in.Defined(), in.UniqueID(), in.RawName(), name, full, ok)
		w.check(string(in.AppendName([]byte("x"))) == "x"+name, "AppendName %q, Name %q", in.AppendName(nil), name)
		want := name
		if ok {
			w.printf(" %q", parent.Name())
			want = parent.Name() + "/" + name
		}
		w.check(full == want || ok && len(parent.Name()) > 1024, "full name %q, want %q", full, want)
		w.check(len(in.RawName()) > 2048 || strings.HasPrefix(display[i], full), "display name %q, full name %q", display[i], full)
		w.printf(" display %q block %x\n ", display[i], in.BlockBytes())
		w.values(o, in, all[i*n:(i+1)*n])
	}
	for c := range n {
		column := o.AppendColumn(nil, c)
		w.check(len(column) == o.Len(), "column %d has %d values", c, len(column))
		for i, u := range column {
			w.check(all[i*n+c] == u, "AppendColumn(%d)[%d] is %d", c, i, u)
		}
	}
	got, ok := o.Block().ObjectByIndex(o.ObjectNameTitleIndex)
	w.check(ok && got.ObjectNameTitleIndex == o.ObjectNameTitleIndex, "object %d is not found by its index", o.ObjectNameTitleIndex)
}

func (w *walk) values(o *perfdata.Object, in perfdata.Instance, all []uint64) {
	w.check(slices.Equal(all, in.AppendUint64s(nil)), "row %s differs from all", in.Path())
	for c, v := range in.Values() {
		u, isInt := in.Uint64(c)
		m, isMulti := in.Multi(c)
		w.printf(" %d:%d:%x:%v", v.Kind, v.Uint, v.Raw, isInt)
		if isMulti {
			w.printf(":multi %d", m)
		}
		if v.Kind == perfdata.Text {
			w.printf(":%q", v.Text())
		}
		w.check(isInt == (v.Kind == perfdata.Uint32 || v.Kind == perfdata.Uint64) && u == v.Uint && u == all[c],
			"Uint64(%d) is %d %v, Value %+v, in bulk %d", c, u, isInt, v, all[c])
		other := in.Value(c)
		w.check(other.Kind == v.Kind && other.Uint == v.Uint && bytes.Equal(other.Raw, v.Raw), "Values gives %+v, Value(%d) %+v", v, c, other)
		if v.Kind == perfdata.Absent {
			w.check(v.Raw == nil, "absent: %x", v.Raw)
			continue
		}
		from := int64(o.Counter(c).CounterOffset)
		end := from + int64(len(v.Raw))
		w.check(end <= int64(len(in.BlockBytes())) && bytes.Equal(v.Raw, in.BlockBytes()[from:end]), "value %d is not in its block", c)
	}
	w.printf("\n")
}

// checkBlock walks a block that was decoded from b and checks what is true of
// every block: bulk and single access agree, values are inside their blocks,
// the spans tile the bytes, and encoding gives the bytes back.
func checkBlock(t *testing.T, blk *perfdata.Block, b []byte) {
	t.Helper()
	require.Empty(t, disagreements(blk))
	require.True(t, bytes.HasPrefix(b, blk.Bytes()), "Bytes is not the input's beginning")
	if rest := blk.Rest(); rest != nil {
		require.Len(t, b, len(blk.Bytes())+len(rest), "Bytes and Rest do not make the input")
		require.Equal(t, "P\x00E\x00R\x00F\x00", string(rest[:8]))
	}
	checkSpans(t, blk)
	out, err := blk.AppendBinary([]byte("before"))
	require.NoError(t, err)
	require.True(t, string(out) == "before"+string(blk.Bytes()), "AppendBinary")
}

// checkSpans wants the spans of a block to cover its bytes without a hole.
func checkSpans(t *testing.T, blk *perfdata.Block) {
	t.Helper()
	formattest.Cover(t, blk.Spans(), blk.Offset(), blk.Offset()+int64(len(blk.Bytes())))
}

// checkTree wants a block's tree to encode to the block's bytes.
func checkTree(t *testing.T, blk *perfdata.Block) {
	t.Helper()
	tree, ok := blk.Tree()
	require.True(t, ok, "no tree")
	out, err := tree.AppendBinary(nil)
	require.NoError(t, err)
	require.True(t, bytes.Equal(blk.Bytes(), out), "the tree encodes to\n%x\nnot\n%x", out, blk.Bytes())
}

// checkAny decodes whatever b is in all modes: an error or a block, never both
// nor none, never a panic; and what was decoded holds together. It returns the
// result of tolerant mode.
func checkAny(t *testing.T, b []byte) (*perfdata.Block, error) {
	t.Helper()
	var blocks [3]*perfdata.Block
	var errs [3]error
	for _, mode := range modes {
		blk, err := parseIn(b, mode)
		require.NotEqual(t, err == nil, blk == nil, "%s: block and error, or neither", mode)
		blocks[mode], errs[mode] = blk, err
		if err != nil {
			fe := formatError(t, err)
			require.LessOrEqual(t, fe.Off, int64(len(b)), "%s: %v", mode, err)
			continue
		}
		if mode == perfdump.Strict {
			require.Empty(t, told(blk), "strict mode told an anomaly")
			continue // as in tolerant mode, which is checked
		}
		checkBlock(t, blk, b)
		if mode == perfdump.Tolerant {
			checkTree(t, blk)
			require.Zero(t, blk.NumFaults())
		}
	}
	tolerant, err := blocks[perfdump.Tolerant], errs[perfdump.Tolerant]
	strict, strictErr := blocks[perfdump.Strict], errs[perfdump.Strict]
	switch {
	case err != nil:
		require.Error(t, strictErr, "strict mode accepts what tolerant mode does not")
	case tolerant.Anomalies().Len() > 0:
		require.Error(t, strictErr, "strict mode accepts %v", told(tolerant))
	default:
		require.NoError(t, strictErr, "strict mode refuses what has no anomaly")
		require.Equal(t, brief(tolerant), brief(strict))
	}
	return tolerant, err
}

// thin reports whether the i-th of many cases is to be left out: under the
// race detector, which makes them ten times slower, all but one in eight.
func thin(i int) bool { return (perftest.Race || testing.Short()) && i%8 != 0 }

// spare returns b with the bytes of more behind it, past its length but
// within its capacity.
func spare(b, more []byte) []byte {
	return append(append(make([]byte, 0, len(b)+len(more)), b...), more...)[:len(b)]
}

// outcome is what a decoder makes of b, in words.
func outcome(b []byte, mode perfdump.Mode) string {
	blk, err := parseIn(b, mode)
	if err != nil {
		var fe *perfdump.FormatError
		errors.As(err, &fe)
		return fmt.Sprintf("%s %d %s: %v", fe.Code, fe.Off, fe.Path, err)
	}
	return describe(blk)
}

// number is an object of one counter of 4 bytes.
func number(title uint32, instances ...perftest.Instance) perftest.Object {
	return perftest.Object{Title: title, Counters: []perftest.Counter{{Title: title + 2, Type: 0x00010000}}, Instances: instances}
}

// plain is a block that strict mode accepts: a single object, one with
// instances, one whose instances have parents in the one before, one with
// names in a code page.
func plain() *perftest.Block {
	counters := []perftest.Counter{
		{Title: 6, Type: 0x20510500},
		{Title: 8, Type: 0x10410400, Scale: -2, DetailLevel: 200},
		{Title: 10, Type: 0x20020400},
		{Title: 10, Type: 0x40030403},
		{Title: 12, Type: 0x30240500},
	}
	values := func(n uint64) []uint64 {
		return []uint64{0x1122334455667788 + n, 0x99aabbcc + n, 10 + n, 100 + n, 133_999_999_000_000_000 + n}
	}
	return &perftest.Block{
		Name:          "HOST",
		DefaultObject: 230,
		Objects: []perftest.Object{
			{
				Title: 2, Single: true, Counters: counters, PerfTime: 134_000_000_000_000_000, PerfFreq: 10_000_000,
				Instances: []perftest.Instance{{Values: values(0)}},
			},
			{
				Title: 230, Counters: counters, PerfTime: 134_000_000_000_000_000, PerfFreq: 10_000_000,
				Instances: []perftest.Instance{{Name: "first", Values: values(1)}, {Name: "second", UniqueID: 7, Values: values(2)}},
			},
			{
				Title: 232, Counters: counters[:2],
				Instances: []perftest.Instance{
					{Name: "0", ParentTitle: 230, Values: values(3)},
					{Name: "1", ParentTitle: 230, Parent: 1, Values: values(4)},
					{Name: "_Total", Values: values(5)},
				},
			},
			{
				Title: 600, CodePage: 1252, Counters: counters[1:2],
				Instances: []perftest.Instance{{Name: "café", Values: values(6)[1:]}},
			},
		},
	}
}

// sameBeginning checks that what was salvaged from the first n bytes of a block
// is in the whole too: its objects in their order, their instances with their
// values; and that no object is lost that is before the cut.
func sameBeginning(t *testing.T, whole, cut *perfdata.Block, n int) {
	t.Helper()
	for i, want := range whole.Objects() {
		entire := int(want.Offset())+int(want.TotalByteLength) <= n
		if i >= cut.NumObjects() {
			require.False(t, entire, "%d bytes: object %d is lost", n, i)
			continue
		}
		o := cut.Object(i)
		require.Equal(t, want.Offset(), o.Offset(), "%d bytes", n)
		require.Equal(t, want.ObjectType, o.ObjectType, "%d bytes", n)
		require.True(t, o.Len() == want.Len() || o.Len() < want.Len() && !entire, "%d bytes: %d instances of %d", n, o.Len(), want.Len())
		same := len(o.Counters()) == len(want.Counters())
		require.True(t, same || !entire, "%d bytes: object %d has lost counters", n, i)
		for j, in := range o.Instances() {
			is := want.Instance(j)
			require.Equal(t, is.Definition(), in.Definition(), "%d bytes", n)
			require.Equal(t, is.RawName(), in.RawName(), "%d bytes", n)
			if same {
				require.Equal(t, is.BlockBytes(), in.BlockBytes(), "%d bytes", n)
				require.Equal(t, is.AppendUint64s(nil), in.AppendUint64s(nil), "%d bytes", n)
			}
		}
	}
}
