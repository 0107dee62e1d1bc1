package perfdata_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/golden"
	"github.com/perfdump/perfdump/internal/perftest"
)

// fatal is a block with one fault that no mode but salvage passes over.
type fatal struct {
	name   string
	image  *perftest.Image
	cause  error
	code   perfdump.Code
	at     string // the struct that is at fault, as a path of the image
	path   string // where the error says it is; at, where empty
	more   error  // another cause that the error Is
	keep   int    // objects that salvage mode keeps whole; -1: it has nothing
	inside int    // instances it keeps of the object at fault
}

// table of section 8: each row at least once.
func fatals() []fatal {
	lone := (&perftest.Block{}).Build()
	b := plain()
	base := b.Build()
	set := func(path string, v int64) *perftest.Image { return base.Clone().Set(path, v) }
	cut := func(n int) *perftest.Image {
		m := base.Clone()
		m.Bytes = m.Bytes[:n]
		return m
	}
	bytes := func(b ...byte) *perftest.Image {
		m := base.Clone()
		m.Bytes = b
		return m
	}
	left := func(path string) int64 { return int64(len(base.Bytes) - base.At(path).Off) }
	length := func(path string) int64 { return int64(base.Get(path)) }

	bigEndian := base.Clone()
	copy(bigEndian.Bytes, "\x00P\x00E\x00R\x00F")
	bigEndianFlag0 := bigEndian.Clone().Set("LittleEndian", 0)
	bigEndianFlagBE := bigEndian.Clone().Set("LittleEndian", 1<<24)

	nothing := -1
	lenErr := func(name, path, at string, v int64, keep, inside int) fatal {
		return fatal{name: name, image: set(path, v), cause: perfdump.ErrLength, code: perfdump.CodeLength, at: at, keep: keep, inside: inside}
	}
	countErr := func(name, path, at string, v int64, keep int) fatal {
		return fatal{name: name, image: set(path, v), cause: perfdump.ErrCount, code: perfdump.CodeCount, at: at, keep: keep}
	}
	rows := []fatal{
		{name: "0 bytes", image: bytes(), cause: perfdump.ErrEmpty, code: perfdump.CodeEmpty, keep: nothing},
		{name: "1 byte", image: bytes('P'), cause: perfdump.ErrTruncated, code: perfdump.CodeTruncated, keep: nothing},
		{name: "8 bytes", image: cut(8), cause: perfdump.ErrTruncated, code: perfdump.CodeTruncated, keep: nothing},
		{name: "87 bytes", image: cut(87), cause: perfdump.ErrTruncated, code: perfdump.CodeTruncated, keep: nothing},
		{name: "signature", image: set("Signature", 0x0046005200450051), cause: perfdump.ErrSignature, code: perfdump.CodeSignature, keep: nothing},
		{name: "signature in ASCII", image: set("Signature", 0x46524550), cause: perfdump.ErrSignature, code: perfdump.CodeSignature, keep: nothing},
		{name: "signature in small letters", image: set("Signature", 0x0066007200650070), cause: perfdump.ErrSignature, code: perfdump.CodeSignature, keep: nothing},
		{name: "big-endian, flag 1", image: bigEndian, cause: perfdump.ErrBigEndian, code: perfdump.CodeBigEndian, keep: nothing},
		{name: "big-endian, flag 0", image: bigEndianFlag0, cause: perfdump.ErrBigEndian, code: perfdump.CodeBigEndian, keep: nothing},
		{name: "big-endian, flag swapped", image: bigEndianFlagBE, cause: perfdump.ErrBigEndian, code: perfdump.CodeBigEndian, keep: nothing},
		lenErr("header: HeaderLength 0", "HeaderLength", "", 0, 0, 0),
		lenErr("header: HeaderLength 87", "HeaderLength", "", 87, 0, 0),
		lenErr("header: HeaderLength past the bytes", "HeaderLength", "", int64(len(base.Bytes))+1, 0, 0),
		lenErr("header: HeaderLength 2^31", "HeaderLength", "", 1<<31, 0, 0),
		lenErr("header: HeaderLength 2^32-1", "HeaderLength", "", -1, 0, 0),
		lenErr("header: TotalByteLength 0", "TotalByteLength", "", 0, 0, 0),
		lenErr("header: TotalByteLength below HeaderLength", "TotalByteLength", "", int64(base.Get("HeaderLength"))-1, 0, 0),
		lenErr("header: TotalByteLength 2^31", "TotalByteLength", "", 1<<31, 0, 0),
		lenErr("header: TotalByteLength 2^32-1", "TotalByteLength", "", -1, 0, 0),
		countErr("header: NumObjectTypes one too many for the bytes", "NumObjectTypes", "", (left("object[0]")/64)+1, 0),
		countErr("header: NumObjectTypes 2^31-1", "NumObjectTypes", "", 1<<31-1, 0),
		countErr("header: NumObjectTypes 2^32-1", "NumObjectTypes", "", -1, 0),
		countErr("header: NumObjectTypes x 64 wraps to 0", "NumObjectTypes", "", 1<<26, 0),
		{
			name: "header: NumObjectTypes 1 in a lone header", image: lone.Clone().Set("NumObjectTypes", 1),
			cause: perfdump.ErrCount, code: perfdump.CodeCount, keep: 0,
		},
		lenErr("object: TotalByteLength 0", "object[1].TotalByteLength", "object[1]", 0, 1, 0),
		lenErr("object: TotalByteLength 63", "object[1].TotalByteLength", "object[1]", 63, 1, 0),
		lenErr("object: TotalByteLength past the block", "object[3].TotalByteLength", "object[3]", left("object[3]")+1, 3, 0),
		lenErr("object: TotalByteLength 2^31", "object[1].TotalByteLength", "object[1]", 1<<31, 1, 0),
		lenErr("object: TotalByteLength 2^32-1", "object[1].TotalByteLength", "object[1]", -1, 1, 0),
		lenErr("object: HeaderLength 0", "object[1].HeaderLength", "object[1]", 0, 1, 0),
		lenErr("object: HeaderLength 63", "object[1].HeaderLength", "object[1]", 63, 1, 0),
		lenErr("object: HeaderLength past DefinitionLength", "object[1].HeaderLength", "object[1]", length("object[1].DefinitionLength")+8, 1, 0),
		lenErr("object: HeaderLength 2^31", "object[1].HeaderLength", "object[1]", 1<<31, 1, 0),
		lenErr("object: DefinitionLength 0", "object[1].DefinitionLength", "object[1]", 0, 1, 0),
		lenErr("object: DefinitionLength below HeaderLength", "object[1].DefinitionLength", "object[1]", 56, 1, 0),
		lenErr("object: DefinitionLength past TotalByteLength", "object[1].DefinitionLength", "object[1]", length("object[1].TotalByteLength")+8, 1, 0),
		lenErr("object: DefinitionLength 2^32-1", "object[1].DefinitionLength", "object[1]", -1, 1, 0),
		countErr("object: NumCounters one too many", "object[1].NumCounters", "object[1]", 6, 1),
		countErr("object: NumCounters 2^31", "object[1].NumCounters", "object[1]", 1<<31, 1),
		countErr("object: NumCounters 2^32-1", "object[1].NumCounters", "object[1]", -1, 1),
		countErr("object: NumCounters x 40 wraps", "object[1].NumCounters", "object[1]", 0x06666667, 1),
		lenErr("definition: ByteLength 0", "object[1].counter[2].ByteLength", "object[1].counter[2]", 0, 1, 0),
		lenErr("definition: ByteLength 39", "object[1].counter[2].ByteLength", "object[1].counter[2]", 39, 1, 0),
		lenErr("definition: ByteLength past DefinitionLength", "object[1].counter[4].ByteLength", "object[1].counter[4]", 48, 1, 0),
		lenErr("definition: ByteLength 2^31", "object[1].counter[2].ByteLength", "object[1].counter[2]", 1<<31, 1, 0),
		lenErr("definition: ByteLength 2^32-1", "object[1].counter[2].ByteLength", "object[1].counter[2]", -1, 1, 0),
		countErr("object: NumInstances too many for the bytes", "object[1].NumInstances", "object[1]",
			(length("object[1].TotalByteLength")-length("object[1].DefinitionLength"))/28+1, 1),
		countErr("object: NumInstances 2^31-1", "object[1].NumInstances", "object[1]", 1<<31-1, 1),
		lenErr("instance: ByteLength 0", "object[1].instance[1].ByteLength", "object[1].instance[1]", 0, 1, 1),
		lenErr("instance: ByteLength 23", "object[1].instance[1].ByteLength", "object[1].instance[1]", 23, 1, 1),
		lenErr("instance: ByteLength past the object", "object[1].instance[1].ByteLength", "object[1].instance[1]", 1<<12, 1, 1),
		lenErr("instance: ByteLength 2^31", "object[1].instance[1].ByteLength", "object[1].instance[1]", 1<<31, 1, 1),
		lenErr("instance: ByteLength 2^32-8", "object[1].instance[1].ByteLength", "object[1].instance[1]", -8, 1, 1),
		lenErr("instance: NameOffset past ByteLength", "object[1].instance[1].NameOffset", "object[1].instance[1]", 48, 1, 1),
		lenErr("instance: NameOffset 2^32-1", "object[1].instance[1].NameOffset", "object[1].instance[1]", -1, 1, 1),
		lenErr("instance: NameLength past ByteLength", "object[1].instance[1].NameLength", "object[1].instance[1]", 26, 1, 1),
		lenErr("instance: NameLength 2^32-2", "object[1].instance[1].NameLength", "object[1].instance[1]", -2, 1, 1),
		lenErr("instance: NameOffset + NameLength wraps", "object[1].instance[1].NameLength", "object[1].instance[1]", -24, 1, 1),
		lenErr("counter block: ByteLength 0", "object[1].instance[1].block.ByteLength", "object[1].instance[1].block", 0, 1, 1),
		lenErr("counter block: ByteLength 3", "object[1].instance[1].block.ByteLength", "object[1].instance[1].block", 3, 1, 1),
		lenErr("counter block: ByteLength past the object", "object[1].instance[1].block.ByteLength", "object[1].instance[1].block",
			length("object[1].instance[1].block.ByteLength")+8, 1, 1),
		lenErr("counter block: ByteLength 2^31", "object[1].instance[1].block.ByteLength", "object[1].instance[1].block", 1<<31, 1, 1),
		lenErr("counter block: ByteLength 2^32-1", "object[1].instance[1].block.ByteLength", "object[1].instance[1].block", -1, 1, 1),
		lenErr("counter block of a single object: ByteLength 3", "object[0].instance[0].block.ByteLength", "object[0].instance[0].block", 3, 0, 0),
		lenErr("counter block of a single object: ByteLength past it", "object[0].instance[0].block.ByteLength", "object[0].instance[0].block", 1<<10, 0, 0),
	}
	for i := range rows {
		if row := &rows[i]; row.path == "" {
			row.path = row.at
		}
		switch row := &rows[i]; row.at {
		case "object[1].instance[1].block":
			row.path = "object[1].instance[1]"
		case "object[0].instance[0].block": // its path may be the object's
			row.path = "object[0]"
		}
	}

	// There are 64 bytes an object for both, but not where the second begins.
	noRoom := (&perftest.Block{Objects: []perftest.Object{number(2, perftest.Instance{Name: "a"})}}).Build()
	noRoom.Set("NumObjectTypes", 2)
	noRoom.Fields["behind"] = perftest.Field{Off: len(noRoom.Bytes), Size: perftest.ObjectSize}

	// The last instance stands so that no 4 bytes are left for its block.
	noBlock := (&perftest.Block{Objects: []perftest.Object{number(2, perftest.Instance{Name: "a"}), number(4, perftest.Instance{Name: "abc"})}}).Build()
	noBlock.Add("object[1].instance[0].ByteLength", int64(noBlock.At("object[1].instance[0].block").Size))
	last := noBlock.At("object[1].instance[0]").Off
	noBlock.Fields["no block"] = perftest.Field{Off: last, Size: len(noBlock.Bytes) - last}

	// No 64 bytes of the object's own header left in a block that is cut short.
	cutShort := func(n int) *perftest.Image { return cut(base.At("object[3]").Off + n) }

	rows = append(rows,
		fatal{name: "object: no bytes left", image: noRoom, cause: perfdump.ErrLength, code: perfdump.CodeLength, at: "behind", path: "object[1]", keep: 1},
		fatal{
			name: "counter block: no bytes left", image: noBlock, cause: perfdump.ErrLength, code: perfdump.CodeLength,
			at: "no block", path: "object[1].instance[0]", keep: 1,
		},
		fatal{
			name: "object crosses the end of a cut file", image: cut(len(base.Bytes) - 1),
			cause: perfdump.ErrLength, code: perfdump.CodeLength, at: "object[3]", path: "object[3]", more: perfdump.ErrTruncated, keep: 3,
		},
		fatal{
			name: "object header crosses the end of a cut file", image: cutShort(40),
			cause: perfdump.ErrLength, code: perfdump.CodeLength, at: "object[3]", path: "object[3]", more: perfdump.ErrTruncated, keep: 3,
		},
	)
	return rows
}

func TestSpecFatal(t *testing.T) {
	mustBeClean(t, plain().Bytes())
	var all strings.Builder
	for _, row := range fatals() {
		t.Run(row.name, func(t *testing.T) {
			b := row.image.Bytes
			_, err := checkAny(t, b)
			fe := formatError(t, err)
			fmt.Fprintf(&all, "%s\n\t%v\n", row.name, err)
			require.ErrorIs(t, err, row.cause)
			require.Equal(t, row.code, fe.Code)
			require.True(t, under(fe.Path, row.path), "path %q, want %q", fe.Path, row.path)
			if len(b) >= perftest.HeaderSize {
				at := row.image.At(row.at)
				require.True(t, fe.Off >= int64(at.Off) && fe.Off <= int64(at.End()), "offset %d, want %d..%d: %v", fe.Off, at.Off, at.End(), err)
			}
			if row.more != nil {
				require.ErrorIs(t, err, row.more)
			}
			strict, err := parseIn(b, perfdump.Strict)
			require.Nil(t, strict)
			formatError(t, err)

			salvaged, err := parseIn(b, perfdump.Salvage)
			if row.keep < 0 {
				require.ErrorIs(t, err, row.cause)
				return
			}
			if row.keep == 0 {
				return // whether a header alone is worth having is open
			}
			require.NoError(t, err)
			require.NotEmpty(t, salvaged.Faults())
			require.ErrorIs(t, salvaged.Faults()[0], row.cause)
			require.Equal(t, len(salvaged.Faults()), salvaged.NumFaults())
			require.Equal(t, salvaged.Faults(), slices.Collect(salvaged.AllFaults()))
			for i, fault := range salvaged.Faults() {
				require.Equal(t, fault, salvaged.Fault(i))
				require.Equal(t, fault.Off, salvaged.FaultOffset(i))
			}
			require.GreaterOrEqual(t, salvaged.NumObjects(), row.keep)
			whole := mustParse(t, plain().Bytes())
			for i := range row.keep {
				if row.image.At("object[0]").Off == int(whole.Object(0).Offset()) && salvaged.Object(i).ObjectNameTitleIndex == whole.Object(i).ObjectNameTitleIndex {
					require.Equal(t, whole.Object(i).AppendUint64s(nil), salvaged.Object(i).AppendUint64s(nil))
					require.Equal(t, displayNames(whole.Object(i)), displayNames(salvaged.Object(i)))
				}
			}
			if row.inside > 0 {
				require.Greater(t, salvaged.NumObjects(), row.keep, "the whole instances of the object at fault are lost")
				require.Equal(t, row.inside, salvaged.Object(row.keep).Len())
				require.Equal(t, whole.Object(row.keep).Instance(0).AppendUint64s(nil), salvaged.Object(row.keep).Instance(0).AppendUint64s(nil))
			}
		})
	}
	if !t.Failed() {
		golden.File(t, filepath.Join("testdata", "errors.txt"), []byte(all.String()))
	}
}

// TestSpecFatalNamesTheField: an error names the field that is at fault and
// stands where that does. Of fields that must fit each other the last is named.
func TestSpecFatalNamesTheField(t *testing.T) {
	together := map[string]string{"object: HeaderLength": "DefinitionLength", "instance: NameOffset": "NameLength"}
	n := 0
	for _, row := range fatals() {
		kind, rest, _ := strings.Cut(row.name, ": ")
		field, _, _ := strings.Cut(rest, " ")
		if _, known := row.image.Fields[row.at+"."+field]; !known && row.at != "" {
			continue // it is not about one field
		} else if row.at == "" && kind != "header" {
			continue
		}
		n++
		want := field
		if last, ok := together[kind+": "+field]; ok {
			want = last
		}
		_, err := checkAny(t, row.image.Bytes)
		fe := formatError(t, err)
		require.True(t, fe.Path == want || strings.HasSuffix(fe.Path, "."+want), "%s: %v", row.name, err)
		require.EqualValues(t, row.image.At(strings.TrimPrefix(row.at+"."+want, ".")).Off, fe.Off, "%s: %v", row.name, err)
	}
	require.Greater(t, n, 50)
}

// TestSpecFatalSaysByHowMuch: counts that do not fit come with what they need and
// what is there.
func TestSpecFatalSaysByHowMuch(t *testing.T) {
	base := plain().Build()
	left := func(path string) int { return len(base.Bytes) - base.At(path).Off }
	for path, want := range map[string]string{
		"NumObjectTypes":         fmt.Sprintf("1000 objects need 0xfa00 bytes, 0x%x are left", left("object[0]")),
		"object[1].NumCounters":  fmt.Sprintf("1000 counters need 0x9c40 bytes, the definitions have 0x%x", base.Get("object[1].DefinitionLength")-base.Get("object[1].HeaderLength")),
		"object[1].NumInstances": fmt.Sprintf("1000 instances need 0x6d60 bytes, 0x%x are left", base.Get("object[1].TotalByteLength")-base.Get("object[1].DefinitionLength")),
	} {
		_, err := checkAny(t, base.Clone().Set(path, 1000).Bytes)
		require.ErrorContains(t, err, want)
	}
}

// Values a thousand times more than bytes: section 8's ErrLimit row.
func TestSpecFatalLimit(t *testing.T) {
	b := product(1000, 1000)
	require.Less(t, len(b), 76<<10)
	for _, mode := range []perfdump.Mode{perfdump.Tolerant, perfdump.Strict} {
		_, err := parseIn(b, mode)
		fe := formatError(t, err)
		require.ErrorIs(t, err, perfdump.ErrLimit)
		require.Equal(t, perfdump.CodeLimit, fe.Code)
		require.Equal(t, "object[0].NumInstances", place(fe.Path))
		require.EqualValues(t, perftest.HeaderSize+40, fe.Off) // where the field stands
	}
}

// A file that ends early says so with every error that the end caused, and not
// with those that it did not.
func TestSpecErrorsOfACutFileAreTruncated(t *testing.T) {
	m := plain().Build()
	for n := perftest.HeaderSize; n < len(m.Bytes); n++ {
		_, err := parseIn(m.Bytes[:n], perfdump.Tolerant)
		require.ErrorIs(t, err, perfdump.ErrTruncated, "cut to %d bytes", n)
	}
	_, err := parseIn(m.Clone().Set("object[1].TotalByteLength", 0).Bytes, perfdump.Tolerant)
	require.NotErrorIs(t, err, perfdump.ErrTruncated)
}
