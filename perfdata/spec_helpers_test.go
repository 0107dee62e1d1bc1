package perfdata_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/formattest"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

var modes = []perfdump.Mode{perfdump.Tolerant, perfdump.Strict, perfdump.Salvage}

func parseIn(b []byte, mode perfdump.Mode) (*perfdata.Block, error) {
	return perfdata.Parse(b, perfdata.Options{Mode: mode})
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

// under reports whether a path lies at or below the place named; "" is the
// block's header.
func under(path, want string) bool {
	path = place(path)
	if want == "" {
		return !strings.HasPrefix(path, "object[")
	}
	return path == want || strings.HasPrefix(path, want+".")
}

// displayNames collects the display names of an object.
func displayNames(o *perfdata.Object) []string {
	names := make([]string, 0, o.Len())
	for i, name := range o.DisplayNames() {
		if i != len(names) {
			panic("display names out of order")
		}
		names = append(names, name)
	}
	return names
}

// walk is what a block offers, written down, and what does not agree in it.
type walk struct {
	strings.Builder
	bad []string
}

func (w *walk) printf(format string, args ...any) { fmt.Fprintf(w, format, args...) }

func (w *walk) wrong(format string, args ...any) { w.bad = append(w.bad, fmt.Sprintf(format, args...)) }

// describe walks all that a block offers and writes it down.
func describe(blk *perfdata.Block) string { return walkBlock(blk).String() }

func walkBlock(blk *perfdata.Block) *walk {
	w := &walk{}
	name := blk.ComputerName()
	at, ok := blk.Time()
	w.printf("%+v size %d offset %d name %q time %v %v rest %d\n", blk.DataBlock, blk.Size(), blk.Offset(), name, at, ok, len(blk.Rest()))
	n := 0
	for i, o := range blk.Objects() {
		if i != n || o.Offset() != blk.Object(i).Offset() {
			w.wrong("object %d is not object %d", i, n)
		}
		n++
		w.object(o)
	}
	if n != blk.NumObjects() {
		w.wrong("%d objects of %d", n, blk.NumObjects())
	}
	for _, a := range blk.Anomalies().Kept() {
		w.printf("%s %d %s %s\n", a.Code, a.Off, a.Path, a)
	}
	for code, n := range blk.Anomalies().Dropped() {
		w.printf("%s x%d\n", code, n)
	}
	for _, f := range blk.Faults() {
		w.printf("fault %s %d %s\n", f.Code, f.Off, f)
	}
	return w
}

func (w *walk) object(o *perfdata.Object) {
	w.printf("object at %d: %+v, %d instances\n", o.Offset(), o.ObjectType, o.Len())
	for i := range o.Counters() {
		c := o.Counter(i)
		w.printf(" counter %d: %+v base %d\n", i, c.CounterDefinition, c.Base())
	}
	all := o.AppendUint64s(nil)
	if want := len(o.Counters()) * o.Len(); len(all) != want {
		w.wrong("AppendUint64s: %d values, want %d", len(all), want)
	}
	display := displayNames(o)
	if len(display) != o.Len() {
		w.wrong("%d display names for %d instances", len(display), o.Len())
	}
	n := 0
	for i, in := range o.Instances() {
		if i != n || in.Offset() != o.Instance(i).Offset() {
			w.wrong("instance %d is not instance %d", i, n)
		}
		n++
		parent, ok := in.Parent()
		w.printf(" instance %d at %d: %+v %v id %d raw %x name %q full %q parent %v", i, in.Offset(), in.Definition(),
			in.Defined(), in.UniqueID(), in.RawName(), in.Name(), in.FullName(), ok)
		if string(in.AppendName([]byte("x"))) != "x"+in.Name() {
			w.wrong("AppendName %q, Name %q", in.AppendName(nil), in.Name())
		}
		if want := in.Name(); ok {
			want = parent.Name() + "/" + want
			w.printf(" %q", parent.Name())
			if in.FullName() != want && len(parent.Name()) <= 1024 {
				w.wrong("full name %q, want %q", in.FullName(), want)
			}
		} else if in.FullName() != want {
			w.wrong("full name %q without parent, want %q", in.FullName(), want)
		}
		if i < len(display) && len(in.RawName()) <= 2048 && !strings.HasPrefix(display[i], in.FullName()) {
			w.wrong("display name %q, full name %q", display[i], in.FullName())
		}
		if i < len(display) {
			w.printf(" display %q", display[i])
		}
		w.printf(" block %x\n ", in.BlockBytes())
		w.values(o, in, i, all)
	}
	for c := range o.Counters() {
		column := o.AppendColumn(nil, c)
		for i, u := range column {
			if at := i*len(o.Counters()) + c; at >= len(all) || all[at] != u {
				w.wrong("AppendColumn(%d)[%d] is %d", c, i, u)
			}
		}
		if len(column) != o.Len() {
			w.wrong("AppendColumn(%d): %d values", c, len(column))
		}
	}
	if got, ok := o.Block().ObjectByIndex(o.ObjectNameTitleIndex); !ok || got.ObjectNameTitleIndex != o.ObjectNameTitleIndex {
		w.wrong("object %d is not found by its index", o.ObjectNameTitleIndex)
	}
}

func (w *walk) values(o *perfdata.Object, in perfdata.Instance, i int, all []uint64) {
	row := in.AppendUint64s(nil)
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
		if want := v.Kind == perfdata.Uint32 || v.Kind == perfdata.Uint64; want != isInt || isInt && u != v.Uint || !isInt && u != 0 {
			w.wrong("Uint64(%d) is %d %v, Value %+v", c, u, isInt, v)
		}
		if at := i*len(o.Counters()) + c; at >= len(all) || all[at] != u || row[c] != u {
			w.wrong("the value of counter %d in instance %d is not the one in bulk", c, i)
		}
		if other := in.Value(c); other.Kind != v.Kind || other.Uint != v.Uint || !bytes.Equal(other.Raw, v.Raw) {
			w.wrong("Values gives %+v, Value(%d) %+v", v, c, other)
		}
	}
	w.printf("\n")
}

// checkBlock walks a block that was decoded from b and holds what is true of
// every block: bulk and single access agree, values lie inside their blocks
// and the spans tile the bytes; where no fault was passed over, encoding gives
// the bytes back.
func checkBlock(t *testing.T, blk *perfdata.Block, b []byte) {
	t.Helper()
	require.Empty(t, walkBlock(blk).bad)
	require.True(t, bytes.HasPrefix(b, blk.Bytes()), "Bytes is not the input's beginning")
	if rest := blk.Rest(); rest != nil {
		require.Equal(t, len(b), len(blk.Bytes())+len(rest), "Bytes and Rest do not make the input")
		require.Equal(t, "P\x00E\x00R\x00F\x00", string(rest[:8]))
	}
	for _, o := range blk.Objects() {
		for _, in := range o.Instances() {
			for c, v := range in.Values() {
				d := &o.Counter(c).CounterDefinition
				if v.Kind == perfdata.Absent {
					require.Nil(t, v.Raw)
					continue
				}
				end := int64(d.CounterOffset) + int64(len(v.Raw))
				require.LessOrEqual(t, end, int64(len(in.BlockBytes())), "value outside its block")
				require.True(t, bytes.Equal(v.Raw, in.BlockBytes()[d.CounterOffset:end]), "Raw is not at CounterOffset")
			}
		}
	}
	checkSpans(t, blk)
	out, err := blk.AppendBinary([]byte("before"))
	require.NoError(t, err)
	require.Equal(t, "before"+string(blk.Bytes()), string(out), "AppendBinary")
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
	if !bytes.Equal(blk.Bytes(), out) {
		assert.Equal(t, hexDump(blk.Bytes()), hexDump(out), "the tree encodes to other bytes")
	}
}

func hexDump(b []byte) string {
	var w strings.Builder
	for i := 0; i < min(len(b), 1<<14); i += 16 {
		fmt.Fprintf(&w, "%04x % x\n", i, b[i:min(i+16, len(b))])
	}
	return w.String()
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
			require.Empty(t, blk.Faults())
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
		require.Equal(t, describe(tolerant), describe(strict))
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

// sameBeginning wants what was salvaged from the first n bytes of a block to
// be what stands in the whole: its objects in their order, their instances
// with their values, none of them invented.
func sameBeginning(t *testing.T, whole, cut *perfdata.Block, n int) {
	t.Helper()
	require.LessOrEqual(t, cut.NumObjects(), whole.NumObjects())
	for i, o := range cut.Objects() {
		want := whole.Object(i)
		require.Equal(t, want.Offset(), o.Offset(), "%d bytes", n)
		require.Equal(t, want.ObjectType, o.ObjectType, "%d bytes", n)
		require.LessOrEqual(t, o.Len(), want.Len(), "%d bytes", n)
		for j, in := range o.Instances() {
			require.Equal(t, want.Instance(j).Definition(), in.Definition(), "%d bytes", n)
			require.Equal(t, want.Instance(j).RawName(), in.RawName(), "%d bytes", n)
			if len(o.Counters()) == len(want.Counters()) {
				require.Equal(t, want.Instance(j).BlockBytes(), in.BlockBytes(), "%d bytes", n)
				require.Equal(t, want.Instance(j).AppendUint64s(nil), in.AppendUint64s(nil), "%d bytes", n)
			}
		}
		// All that stands whole before the cut is there.
		if int(want.Offset())+int(want.TotalByteLength) <= n {
			require.Equal(t, want.Len(), o.Len(), "%d bytes: object %d stands whole", n, i)
			require.Equal(t, len(want.Counters()), len(o.Counters()), "%d bytes: object %d stands whole", n, i)
		}
	}
	kept := 0
	for i, o := range whole.Objects() {
		if int(o.Offset())+int(o.TotalByteLength) <= n {
			kept = i + 1
		}
	}
	require.GreaterOrEqual(t, cut.NumObjects(), kept, "%d bytes: objects that stand whole are lost", n)
}
