package perfdata_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// Spans say what each byte is: a field, a name and a value stand where their
// path says, and are of their kind.
func TestSpecSpansMeanWhatTheyCover(t *testing.T) {
	hexes := []perftest.Counter{{Title: 4, Type: 0}, {Title: 6, Type: 0x00010000}, {Title: 8, Type: 0x100}, {Title: 10, Type: 0x00010100}}
	for name, b := range map[string][]byte{
		"plain": plain().Bytes(),
		"busy":  perftest.Busy(1, perftest.Size{Processes: 4, Threads: 14, Single: 2}),
		"ANSI": (&perftest.Block{Objects: []perftest.Object{{Title: 2, CodePage: 1252, Counters: hexes, Instances: []perftest.Instance{
			{Name: "one", Values: []uint64{1, 2, 3, 4}}, {Name: "two", Values: []uint64{5, 6, 7, 8}},
		}}}}).Bytes(),
		"texts and odd sizes": fixture(t, "var-x86_64-1.bin"),
		"all types":           fixture(t, "basic-x86_64-1.bin"),
		"names":               fixture(t, "inst-x86_64-1.bin"),
	} {
		t.Run(name, func(t *testing.T) {
			m := meaning{t: t, b: b, spans: map[string]perfdump.Span{}}
			blk := mustParse(t, b)
			for s := range blk.Spans() {
				require.Equal(t, s.Kind == perfdump.KindANSI, s.CodePage != 0, s.Path)
				if s.Kind != perfdump.KindPadding {
					m.spans[s.Path.String()] = s
				}
			}
			for _, o := range blk.Objects() {
				m.object(o)
			}
		})
	}
}

// meaning holds spans against what the decoder reads.
type meaning struct {
	t     *testing.T
	b     []byte
	spans map[string]perfdump.Span
}

func (m *meaning) bytes(path perfdump.Path, kind perfdump.Kind) []byte {
	s, ok := m.spans[path.String()]
	require.True(m.t, ok, "no span of %s", path)
	require.Equal(m.t, kind, s.Kind, path)
	return m.b[s.Off : s.Off+s.Size]
}

// fields wants each field of a definition to hold what its span covers.
func (m *meaning) fields(path perfdump.Path, definition any) {
	v := reflect.ValueOf(definition)
	for i := range v.NumField() {
		path := path.Field(v.Type().Field(i).Name)
		want, err := binary.Append(nil, binary.LittleEndian, v.Field(i).Interface())
		require.NoError(m.t, err)
		require.Equal(m.t, want, m.bytes(path, m.spans[path.String()].Kind), path)
	}
}

func (m *meaning) object(o *perfdata.Object) {
	m.fields(o.Path(), o.ObjectType)
	for j := range o.Counters() {
		m.fields(o.Path().At(3, j), o.Counter(j).CounterDefinition)
	}
	name := perfdump.KindUTF16
	if o.CodePage != 0 {
		name = perfdump.KindANSI
	}
	for _, in := range o.Instances() {
		if in.Defined() {
			m.fields(in.Path(), in.Definition())
		}
		if raw := in.RawName(); len(raw) > 0 {
			require.Equal(m.t, raw, m.bytes(in.Path().Field("Name"), name)[:len(raw)])
		}
		for j, v := range in.Values() {
			c, kind := o.Counter(j).CounterType, perfdump.KindBytes
			switch n := len(v.Raw); {
			case n == 0 || v.Kind == perfdata.Text: // a text's kind is its code page's
				continue
			case n != 4 && n != 8:
			case c.Kind() == countertypes.KindNumber && c.Subtype() == countertypes.NumberHex:
				kind = perfdump.KindHex
			default:
				kind = perfdump.KindUint
			}
			require.Equal(m.t, v.Raw, m.bytes(in.Path().At(3, j), kind), c)
		}
	}
}

func fixture(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("../testdata/captures/" + name)
	require.NoError(t, err)
	return b
}

// TestSequencesStop breaks off each sequence of a block at every place.
func TestSequencesStop(t *testing.T) {
	b := plain().Bytes()
	blk := parse(t, b)
	formattest.Stops(t, blk.Spans())
	formattest.Stops(t, formattest.Firsts(blk.Objects()))
	formattest.Stops(t, formattest.Firsts(perfdata.Blocks(bytes.Repeat(b, 3), perfdump.Options{})))
	for _, o := range blk.Objects() {
		formattest.Stops(t, formattest.Firsts(o.Instances()), formattest.Firsts(o.DisplayNames()))
		for _, in := range o.Instances() {
			formattest.Stops(t, formattest.Firsts(in.Values()))
		}
	}
}
