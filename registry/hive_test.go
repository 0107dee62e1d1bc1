package registry_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"www.velocidex.com/golang/regparser"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/registry"
)

func openHive(t *testing.T, b []byte, o perfdump.Options) *registry.Hive {
	t.Helper()
	h, err := registry.OpenHive(bytes.NewReader(b), int64(len(b)), o)
	require.NoError(t, err)
	return h
}

func viewHive(t *testing.T, b []byte, o perfdump.Options) *registry.View {
	t.Helper()
	v, err := openHive(t, b, o).View()
	require.NoError(t, err)
	return v
}

func codes(a *perfdump.Anomalies) (all []perfdump.Code) {
	for _, k := range a.Kept() {
		all = append(all, k.Code)
	}
	return all
}

func TestHiveView(t *testing.T) {
	b := system()
	v := viewHive(t, b, perfdump.Options{Mode: perfdump.Strict})
	require.Empty(t, slices.Collect(v.Faults()))
	require.Equal(t, "ControlSet002", v.ControlSet)
	require.Equal(t, "BOX", v.Computer)
	require.Nil(t, v.Perflib)
	require.Len(t, v.Providers, 3)
	require.Nil(t, v.Provider("Old"))

	a := v.Provider("ALPHA")
	require.Equal(t, `ControlSet002\Services\Alpha\Performance`, a.Performance.Path())
	require.Equal(t, `ControlSet002\Services\Alpha\Linkage`, a.Linkage.Path())
	require.Nil(t, a.Names)
	first, ok := a.Uint32(registry.FirstCounter)
	require.True(t, ok)
	require.EqualValues(t, 2000, first)
	require.Equal(t, "alpha.dll", a.Text(registry.Library))
	indexes, others := a.ObjectList()
	require.Equal(t, []uint32{2000, 2002}, indexes)
	require.Equal(t, []string{"x"}, others)
	require.Equal(t, []string{"one", "", "two"}, a.Export())
	require.Len(t, a.Stamps(), 1)
	require.EqualValues(t, 1008, a.Stamps()[0].Event)
	require.Equal(t, "2022-06-18T04:26:40Z", a.Stamps()[0].Time.Format(time.RFC3339))
	require.Len(t, a.Value("Big").Data, 40000)
	require.Equal(t, byte(39999*7&0xFF), a.Value("Big").Data[39999])
	require.Equal(t, "db", string(a.Value("Short").Data))
	require.Len(t, a.Value("Looks big").Data, 17)

	w := v.Provider("wïde")
	require.Equal(t, []string{"A", "B"}, w.List(registry.CounterNames))
	require.Equal(t, []string{"65536"}, w.List(registry.CounterTypes))
	require.Equal(t, registry.SZ, w.Value(registry.FirstCounter).Type)
	require.Len(t, v.Provider("Ωmega").Names.Values, 1)

	h := openHive(t, b, perfdump.Options{})
	k, err := h.Key(`\controlset001\SERVICES\old\`)
	require.NoError(t, err)
	require.Empty(t, k.Values)
	k, err = h.Key("nowhere")
	require.NoError(t, err)
	require.Nil(t, k)
	names, err := h.Subkeys(`ControlSet002\Services`)
	require.NoError(t, err)
	require.Equal(t, []string{"Alpha", "None", "Wïde", "Ωmega"}, names)
}

func TestSoftwareHive(t *testing.T) {
	b := hive(hkey{name: "Microsoft", keys: []hkey{{name: "Windows NT", keys: []hkey{{name: "CurrentVersion", keys: []hkey{{
		name: "Perflib", values: []hval{dword("Last Counter", 9000), dword("Base Index", 1847)},
		keys: []hkey{{name: "009", flags: 0x40, handle: 0x80000050}, {name: "00C", values: []hval{multi("Counter", "2", "Système")}}, {name: "_V2Providers"}},
	}}}}}}})
	v := viewHive(t, b, perfdump.Options{})
	require.Equal(t, []perfdump.Code{perfdump.Code("predefined-handle")}, codes(v.Anomalies()))
	n, _ := v.Perflib.Value(registry.LastCounter).Uint32()
	require.EqualValues(t, 9000, n)
	require.Len(t, v.Perflib.Languages, 2)
	require.True(t, v.Perflib.Languages[0].Predefined)
	require.Empty(t, v.Perflib.Languages[0].Values)
	all, _ := v.Perflib.Languages[1].Value("Counter").Strings()
	require.Equal(t, []string{"2", "Système"}, all)
	require.Equal(t, `Microsoft\Windows NT\CurrentVersion\Perflib\00C`, v.Perflib.Languages[1].Path())
}

func realHive(t *testing.T) []byte {
	t.Helper()
	b, err := os.ReadFile("../../shared/corpus/hives/regipy_SYSTEM_2.hive")
	if err != nil {
		t.Skip("shared test data are not beside the checkout")
	}
	return b
}

// TestRealHive holds what a hive of a Windows machine holds against what
// regparser reads in it.
func TestRealHive(t *testing.T) {
	b := realHive(t)
	h := openHive(t, b, perfdump.Options{})
	v, err := h.View()
	require.NoError(t, err)
	require.Equal(t, []perfdump.Code{perfdump.Code("dirty")}, codes(v.Anomalies()))
	require.Equal(t, "SENSEI", v.Computer)
	require.Equal(t, "ControlSet001", v.ControlSet)
	require.Len(t, v.Providers, 30)
	services, err := h.Subkeys(`ControlSet001\Services`)
	require.NoError(t, err)
	require.Len(t, services, 469)
	wmi := v.Provider("WmiApRpl")
	require.Len(t, wmi.Value(registry.PerfIniFile).Data, 98)
	require.Equal(t, "WmiApRpl.ini", wmi.Text(registry.PerfIniFile))

	oracle, err := regparser.NewRegistry(bytes.NewReader(b))
	require.NoError(t, err)
	n := 0
	for _, name := range services {
		for _, sub := range []string{"Performance", "Linkage", "Parameters"} {
			path := `ControlSet001\Services\` + name + `\` + sub
			want := oracle.OpenKey(path)
			got, err := h.Key(path)
			require.NoError(t, err)
			require.Equal(t, want == nil, got == nil, path)
			if want == nil {
				continue
			}
			values := want.Values()
			require.Len(t, got.Values, len(values), path)
			for i, w := range values {
				data := w.ValueData()
				require.Equal(t, w.ValueName(), got.Values[i].Name, path)
				require.EqualValues(t, data.Type, got.Values[i].Type)
				require.True(t, bytes.Equal(data.Data[:w.DataSize()], got.Values[i].Data), "%s %s", path, w.ValueName())
				n++
			}
		}
	}
	require.Greater(t, n, 900)
}

// TestListsOfLists reads keys that several lists of each kind have, as
// regparser does.
func TestListsOfLists(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5, 7, 200} {
		services := hkey{name: "Services", list: "ri"}
		var want []string
		for i := range n {
			want = append(want, fmt.Sprintf("S%03d", i))
			services.keys = append(services.keys, hkey{name: want[i], list: "ri", keys: []hkey{
				{name: "A"}, {name: "B"}, {name: "C"}, {name: "D"}, {name: "Linkage"}, {name: "Performance", values: []hval{dword("First Counter", uint32(i))}},
			}})
		}
		b := hive(hkey{name: "ControlSet001", list: "ri", keys: []hkey{services}})
		h := openHive(t, b, perfdump.Options{})
		names, err := h.Subkeys(`ControlSet001\Services`)
		require.NoError(t, err)
		require.Equal(t, want, names)
		v := viewHive(t, b, perfdump.Options{})
		require.Len(t, v.Providers, n)
		require.Equal(t, []perfdump.Code{perfdump.Code("control-sets")}, codes(v.Anomalies()))
		oracle, err := regparser.NewRegistry(bytes.NewReader(b))
		require.NoError(t, err)
		var theirs []string
		for _, k := range oracle.OpenKey(`ControlSet001\Services`).Subkeys() {
			theirs = append(theirs, k.Name())
		}
		require.Equal(t, want, theirs)
		for i := range v.Providers {
			first, ok := v.Providers[i].Uint32(registry.FirstCounter)
			require.True(t, ok)
			require.EqualValues(t, i, first)
			require.NotNil(t, v.Providers[i].Linkage)
		}
		require.Equal(t, 6*n+n+3, tiles(t, h)["nk.Name"])

		// The first leaf of the services counts none.
		list := 4096 + 4 + le.Uint32(b[bytes.Index(b, []byte("Services"))-48:])
		leaf := 4096 + 4 + le.Uint32(b[list+4:])
		le.PutUint16(b[leaf+2:], 0)
		v = viewHive(t, b, perfdump.Options{})
		require.Contains(t, codes(v.Anomalies()), perfdump.Code("subkey-count"))
		require.Len(t, v.Providers, n-min(n, 2))
	}
}

// TestTraps damages what the sweep does not: regparser turns such cells into
// zeros, or does not come back.
func TestTraps(t *testing.T) {
	small := func() []byte {
		return hive(hkey{name: "ControlSet001", keys: []hkey{{name: "Services", keys: []hkey{{name: "Alpha", keys: []hkey{{
			name: "Performance", values: []hval{dword("First Counter", 2000), {"QW", registry.QWORD, make([]byte, 8)}},
		}}}}}}})
	}
	find := func(s string) int { return bytes.Index(small(), []byte(s)) }
	services, alpha, value := find("Services")-76, find("Alpha")-76, find("QW")-20
	list := int(4096 + le.Uint32(small()[services+28:]))
	for _, row := range []struct {
		says  string
		off   int
		value string
	}{
		{"a list of lists within a list of lists, which Windows does not write@0x1264", list + 4, "ri\x01\x00" + string(small()[services+28:services+32])},
		{"0x8 bytes of data in the value itself, which holds 4@0x1228", value + 4, "\x08\x00\x00\x80"},
		{"0x7fffffff bytes of data, more than the hive has@0x1228", value + 4, "\xff\xff\xff\x7f"},
		{"data: the cell at 0x80000ff0 is past the end of the bins at 0x2000@0x122c", value + 8, "\xf0\xff\xff\x7f"},
		{"the name of a key has 0xffff bytes, more than 0x1fe@0x117c", alpha + 72, "\xff\xff"},
		{"key: cell of 0x80000000 bytes, but 0xed0 remain@0x1130", alpha - 4, "\x00\x00\x00\x80"},
		{"key: a cell of 0x48 bytes instead of at least 0x50@0x1130", alpha - 4, "\xb8\xff\xff\xff"},
	} {
		b := small()
		copy(b[row.off:], row.value)
		_, err := openHive(t, b, perfdump.Options{}).View()
		var fe *perfdump.FormatError
		require.ErrorAs(t, err, &fe)
		require.Equal(t, row.says, fmt.Sprintf("%s@%#x", fe.Message(), fe.Off))
		require.NotErrorIs(t, err, perfdump.ErrTruncated)
		require.Contains(t, fe.Path, "ControlSet001")
		v := viewHive(t, b, perfdump.Options{Mode: perfdump.Salvage})
		require.NotEmpty(t, slices.Collect(v.Faults()))
		require.Equal(t, "ControlSet001", v.ControlSet)
		if row.off > alpha+76 && row.off != list+4 {
			require.NotNil(t, v.Provider("Alpha").Value(registry.FirstCounter))
		}
	}
	_, err := openHive(t, small()[:find("Performance")-66], perfdump.Options{}).View()
	require.ErrorIs(t, err, perfdump.ErrTruncated)
}

// A reader that fails is no hive of zeros: regparser gives zeros for whatever
// it cannot read.
func TestReadErrorsAreErrors(t *testing.T) {
	b := system()
	broken := errors.New("disk")
	reads := 0
	count := func(fail int) error {
		reads = 0
		r := readerFunc(func(p []byte, off int64) (int, error) {
			if reads++; reads == fail {
				return 0, broken
			}
			return copy(p, b[off:]), nil
		})
		h, err := registry.OpenHive(r, int64(len(b)), perfdump.Options{Mode: perfdump.Salvage})
		if err == nil {
			_, err = h.View()
		}
		return err
	}
	require.NoError(t, count(0))
	for n := range reads {
		err := count(n + 1)
		require.ErrorIs(t, err, broken)
		var fe *perfdump.FormatError
		require.ErrorAs(t, err, &fe)
		require.Equal(t, perfdump.CodeIO, fe.Code)
	}
	_, err := registry.OpenHive(bytes.NewReader(b[:8000]), int64(len(b)), perfdump.Options{})
	require.NoError(t, err)
	h, err := registry.OpenHive(bytes.NewReader(b[:5000]), int64(len(b)), perfdump.Options{})
	require.NoError(t, err)
	_, err = h.View()
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	_, err = registry.OpenHive(bytes.NewReader(nil), -1, perfdump.Options{})
	require.ErrorIs(t, err, perfdump.ErrEmpty)
}

type readerFunc func(p []byte, off int64) (int, error)

func (f readerFunc) ReadAt(p []byte, off int64) (int, error) { return f(p, off) }

// TestStrictHeader: in strict mode a hive with an anomaly is not opened, or not viewed.
func TestStrictHeader(t *testing.T) {
	for _, off := range []int{4, 20, 508} {
		b := system()
		b[off]++
		if off != 508 {
			seal(b)
		}
		_, err := registry.OpenHive(bytes.NewReader(b), int64(len(b)), perfdump.Options{})
		require.NoError(t, err, off)
		h, err := registry.OpenHive(bytes.NewReader(b), int64(len(b)), perfdump.Options{Mode: perfdump.Strict})
		require.ErrorIs(t, err, perfdump.ErrAnomaly, off)
		require.Nil(t, h)
	}
	b := system()
	b[bytes.Index(b, []byte("Alpha"))-60]++
	_, err := openHive(t, b, perfdump.Options{Mode: perfdump.Strict}).View()
	require.ErrorIs(t, err, perfdump.ErrAnomaly)
	for version, odd := range map[[2]uint32]bool{{2, 5}: true, {1, 2}: true, {1, 3}: false, {1, 6}: false, {1, 7}: true} {
		b := system()
		le.PutUint32(b[20:], version[0])
		le.PutUint32(b[24:], version[1])
		require.Equal(t, odd, viewHive(t, seal(b), perfdump.Options{}).Anomalies().Len() > 0, version)
	}
}
