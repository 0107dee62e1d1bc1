package registry_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"www.velocidex.com/golang/regparser"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/registry"
)

func openHive(t *testing.T, b []byte, o registry.Options) *registry.Hive {
	t.Helper()
	h, err := registry.NewHive(bytes.NewReader(b), int64(len(b)), o)
	require.NoError(t, err)
	return h
}

func viewHive(t *testing.T, b []byte, o registry.Options) *registry.View {
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
	v := viewHive(t, b, registry.Options{Mode: perfdump.Strict})
	require.Empty(t, v.Faults())
	require.Equal(t, "ControlSet002", v.ControlSet)
	require.Equal(t, "BOX", v.Computer)
	require.Nil(t, v.Perflib)
	require.Len(t, v.Providers, 3)
	require.Nil(t, v.Provider("None"))
	require.Nil(t, v.Provider("Old"))

	a := v.Provider("ALPHA")
	require.Equal(t, `ControlSet002\Services\Alpha\Performance`, a.Performance.Path())
	require.Equal(t, `ControlSet002\Services\Alpha\Linkage`, a.Linkage.Path())
	require.Nil(t, a.Names)
	first, ok := a.Uint32(registry.FirstCounter)
	require.True(t, ok)
	require.EqualValues(t, 2000, first)
	require.Equal(t, "alpha.dll", a.Text(registry.Library))
	require.EqualValues(t, 4, a.Disabled())
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
	listed, ok := w.Value(registry.CounterNames).List()
	require.True(t, ok)
	require.Equal(t, []string{"A", "B"}, listed)
	_, ok = w.Uint32(registry.FirstCounter)
	require.False(t, ok)
	require.Equal(t, registry.SZ, w.Value(registry.FirstCounter).Type)
	require.Len(t, v.Provider("Ωmega").Names.Values, 1)

	h := openHive(t, b, registry.Options{})
	k, err := h.Key(`\controlset001\SERVICES\old\`)
	require.NoError(t, err)
	require.Empty(t, k.Values)
	k, err = h.Key("nowhere")
	require.NoError(t, err)
	require.Nil(t, k)
	require.Nil(t, k.Value("x"))
	require.Empty(t, k.Path())
	names, err := h.Subkeys(`ControlSet002\Services`)
	require.NoError(t, err)
	require.Equal(t, []string{"Alpha", "None", "Wïde", "Ωmega"}, names)
}

func TestSoftwareHive(t *testing.T) {
	b := hive(hkey{name: "Microsoft", keys: []hkey{{name: "Windows NT", keys: []hkey{{name: "CurrentVersion", keys: []hkey{{
		name: "Perflib", values: []hval{dword("Last Counter", 9000), dword("Base Index", 1847)},
		keys: []hkey{{name: "009", flags: 0x40, handle: 0x80000050}, {name: "00C", values: []hval{multi("Counter", "2", "Système")}}, {name: "_V2Providers"}},
	}}}}}}})
	v := viewHive(t, b, registry.Options{})
	require.Equal(t, []perfdump.Code{registry.CodePredefinedHandle}, codes(v.Anomalies()))
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
	h := openHive(t, b, registry.Options{})
	v, err := h.View()
	require.NoError(t, err)
	require.Equal(t, []perfdump.Code{registry.CodeDirty}, codes(v.Anomalies()))
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
		h := openHive(t, b, registry.Options{})
		names, err := h.Subkeys(`ControlSet001\Services`)
		require.NoError(t, err)
		require.Equal(t, want, names)
		v := viewHive(t, b, registry.Options{})
		require.Len(t, v.Providers, n)
		require.Equal(t, []perfdump.Code{registry.CodeControlSets}, codes(v.Anomalies()))
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
		v = viewHive(t, b, registry.Options{})
		require.Contains(t, codes(v.Anomalies()), registry.CodeSubkeyCount)
		require.Len(t, v.Providers, n-min(n, 2))
	}
}

// The traps of regparser, which turns what it cannot read into zeros, or does
// not come back.
func TestTraps(t *testing.T) {
	at := func(b []byte, s string) int {
		i := bytes.Index(b, []byte(s))
		require.Positive(t, i)
		return i
	}
	// parts of the hive that is changed: the cells of a service and its key
	small := func() []byte {
		return hive(hkey{name: "ControlSet001", keys: []hkey{{name: "Services", keys: []hkey{{name: "Alpha", keys: []hkey{{
			name: "Performance", values: []hval{dword("First Counter", 2000), {"QW", registry.QWORD, make([]byte, 8)}},
		}}}}}}})
	}
	nk := func(b []byte, name string) int { return at(b, name) - 76 }
	for _, row := range []struct {
		name   string
		change func(b []byte) []byte
		code   perfdump.Code
		cut    bool
		says   string
	}{
		{"a list that holds itself", func(b []byte) []byte {
			n := nk(b, "Services")
			ref := le.Uint32(b[n+28:])
			copy(b[4096+ref+4:], "ri\x01\x00")
			le.PutUint32(b[4096+ref+8:], ref)
			return b
		}, perfdump.CodeLimit, false, "a list of lists within a list of lists, which Windows does not write@0x1264"},
		{"a number of 8 bytes in 4", func(b []byte) []byte {
			le.PutUint32(b[at(b, "QW")-16:], 8|1<<31)
			return b
		}, perfdump.CodeLength, false, "0x8 bytes of data in the value itself, which has room for 4@0x1228"},
		{"data past the end", func(b []byte) []byte {
			le.PutUint32(b[at(b, "QW")-12:], 0x7FFFFFF0)
			return b
		}, perfdump.CodeLength, false, "data: the cell at 0x80000ff0 lies past the end of the bins at 0x2000@0x122c"},
		{"data of 2 GiB", func(b []byte) []byte {
			le.PutUint32(b[at(b, "QW")-16:], 0x7FFFFFFF)
			return b
		}, perfdump.CodeLength, false, "0x7fffffff bytes of data, more than the hive has@0x1228"},
		{"more values than their list has", func(b []byte) []byte {
			le.PutUint32(b[nk(b, "Performance")+36:], 0xFFFFFFFF)
			return b
		}, perfdump.CodeCount, false, "4294967295 values need a list of 0x3fffffffc bytes, its cell has 0xc@0x11b0"},
		{"more keys than their list has", func(b []byte) []byte {
			le.PutUint16(b[4096+le.Uint32(b[nk(b, "Services")+28:])+6:], 0xFFFF)
			return b
		}, perfdump.CodeCount, false, "a list of 65535 subkeys needs 0x7fff8 bytes, its cell has 0x8@0x1266"},
		{"a list that is none", func(b []byte) []byte {
			copy(b[4096+le.Uint32(b[nk(b, "Services")+28:])+4:], "xx")
			return b
		}, perfdump.CodeSignature, false, `a list of subkeys begins with 0x7878, not with "lf", "lh", "li" or "ri"@0x1264`},
		{"a list of subkeys that is not there", func(b []byte) []byte {
			le.PutUint32(b[nk(b, "Services")+28:], 0xFFFFFFFF)
			return b
		}, perfdump.CodeLength, false, "list of subkeys: no cell is referred to@0x10f8"},
		{"a key that is none", func(b []byte) []byte {
			copy(b[nk(b, "Alpha"):], "xx")
			return b
		}, perfdump.CodeSignature, false, `a key begins with 0x7878, not with "nk"@0x1134`},
		{"a value that is none", func(b []byte) []byte {
			copy(b[at(b, "QW")-20:], "xx")
			return b
		}, perfdump.CodeSignature, false, `a value begins with 0x7878, not with "vk"@0x1224`},
		{"a name longer than its cell", func(b []byte) []byte {
			le.PutUint16(b[nk(b, "Alpha")+72:], 500)
			return b
		}, perfdump.CodeLength, false, "a key's name of 0x1f4 bytes where its cell has 0x8@0x117c"},
		{"a name longer than any", func(b []byte) []byte {
			le.PutUint16(b[nk(b, "Alpha")+72:], 0xFFFF)
			return b
		}, perfdump.CodeLimit, false, "a key's name of 0xffff bytes, more than 0x1fe@0x117c"},
		{"a value's name longer than its cell", func(b []byte) []byte {
			le.PutUint16(b[at(b, "QW")-18:], 0xFFFF)
			return b
		}, perfdump.CodeLength, false, "a value's name of 0xffff bytes where its cell has 0x8@0x1226"},
		{"a cell of no size", func(b []byte) []byte {
			le.PutUint32(b[nk(b, "Alpha")-4:], 0)
			return b
		}, perfdump.CodeLength, false, "key: a cell of 0x0 bytes@0x1130"},
		{"a cell of the smallest size", func(b []byte) []byte {
			le.PutUint32(b[nk(b, "Alpha")-4:], 0x80000000)
			return b
		}, perfdump.CodeLength, false, "key: cell of 0x80000000 bytes where 0xed0 are left@0x1130"},
		{"a cell with no room for a key", func(b []byte) []byte {
			le.PutUint32(b[nk(b, "Alpha")-4:], 0xFFFFFFB8)
			return b
		}, perfdump.CodeLength, false, "key: a cell of 0x48 bytes, which needs 0x50@0x1130"},
		{"a reference into a cell", func(b []byte) []byte {
			le.PutUint32(b[nk(b, "Services")+28:], le.Uint32(b[nk(b, "Services")+28:])+4)
			return b
		}, perfdump.CodeLength, false, "list of subkeys: 0x264 is no reference of a cell@0x10f8"},
		{"a hive that was cut", func(b []byte) []byte { return b[:nk(b, "Performance")+10] }, perfdump.CodeLength, true, "list of subkeys: the cell at 0x1280 lies past the end of the bins at 0x1196; the input is cut short@0x1040"},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := row.change(small())
			_, err := openHive(t, b, registry.Options{}).View()
			var fe *perfdump.FormatError
			require.ErrorAs(t, err, &fe)
			require.Equal(t, row.code, fe.Code, fe)
			require.Equal(t, row.says, fmt.Sprintf("%s@%#x", fe.Message(), fe.Off))
			if row.code == perfdump.CodeLimit && strings.HasPrefix(row.name, "a list") { // before all is read
				require.ErrorContains(t, err, "within a list of lists")
			}
			require.Equal(t, row.cut, errors.Is(err, perfdump.ErrTruncated), fe)
			v := viewHive(t, b, registry.Options{Mode: perfdump.Salvage})
			require.NotEmpty(t, v.Faults())
			if row.cut { // lists stand behind what they list, and so the first is lost
				return
			}
			require.Contains(t, fe.Path, "ControlSet001")
			require.Equal(t, "ControlSet001", v.ControlSet)
			if p := v.Provider("Alpha"); p != nil {
				if n, ok := p.Uint32(registry.FirstCounter); ok {
					require.EqualValues(t, 2000, n)
				}
			}
		})
	}
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
		h, err := registry.NewHive(r, int64(len(b)), registry.Options{Mode: perfdump.Salvage})
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
	_, err := registry.NewHive(bytes.NewReader(b[:8000]), int64(len(b)), registry.Options{})
	require.NoError(t, err)
	h, err := registry.NewHive(bytes.NewReader(b[:5000]), int64(len(b)), registry.Options{})
	require.NoError(t, err)
	_, err = h.View()
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

type readerFunc func(p []byte, off int64) (int, error)

func (f readerFunc) ReadAt(p []byte, off int64) (int, error) { return f(p, off) }

func TestHiveOddities(t *testing.T) {
	for _, row := range []struct {
		code   perfdump.Code
		change func(b []byte)
		says   string
	}{
		{registry.CodeDirty, func(b []byte) { le.PutUint32(b[4:], 8); seal(b) }, "Sequence1: the sequence numbers are 8 and 7: the last writes are in the .LOG files, which are not read (offset 0x4)"},
		{registry.CodeChecksum, func(b []byte) { b[100]++ }, "CheckSum: checksum 0x6667d556 where the header's words give 0x6667d557 (offset 0x1fc)"},
		{registry.CodeHiveVersion, func(b []byte) { le.PutUint32(b[24:], 7); seal(b) }, "Major: version 1.7; read as 1.5 (offset 0x14)"},
		{registry.CodeBinsCut, func(b []byte) { le.PutUint32(b[40:], uint32(len(b))); seal(b) }, "Length: bins of 0xc000 bytes, of which the file has 0xb000 (offset 0x28)"},
		{registry.CodeFreeCell, func(b []byte) {
			off := bytes.Index(b, []byte("Alpha")) - 80
			le.PutUint32(b[off:], -le.Uint32(b[off:]))
		}, `ControlSet002\Services: a cell of 0x58 bytes is in use and marked as free (offset 0x14f0)`},
		{registry.CodeKeyParent, func(b []byte) { b[bytes.Index(b, []byte("Alpha"))-60]++ }, `ControlSet002\Services\Alpha: the key names 0x499 as the one above; it is listed by 0x498 (offset 0x1504)`},
		{registry.CodeSubkeyCount, func(b []byte) { b[bytes.Index(b, []byte("Alpha"))-56]++ }, `ControlSet002\Services\Alpha: 3 subkeys are counted, 2 are listed (offset 0x1508)`},
		{registry.CodeControlSets, func(b []byte) { b[bytes.Index(b, []byte("Current"))-12] = 3 }, `Select: Select\Current is 3, 0 if it is missing; set 1 is taken (offset 0x1020)`},
	} {
		t.Run(string(row.code), func(t *testing.T) {
			b := system()
			row.change(b)
			v := viewHive(t, b, registry.Options{})
			require.Equal(t, []perfdump.Code{row.code}, codes(v.Anomalies()))
			require.Equal(t, row.says, v.Anomalies().Kept()[0].String())
			h, err := registry.NewHive(bytes.NewReader(b), int64(len(b)), registry.Options{Mode: perfdump.Strict})
			if err == nil {
				_, err = h.View()
			}
			require.ErrorIs(t, err, perfdump.ErrAnomaly)
		})
	}
}

// In strict mode a hive with an odd header is not opened.
func TestStrictHeader(t *testing.T) {
	for _, off := range []int{4, 20, 508} {
		b := system()
		b[off]++
		if off != 508 {
			seal(b)
		}
		_, err := registry.NewHive(bytes.NewReader(b), int64(len(b)), registry.Options{})
		require.NoError(t, err, off)
		h, err := registry.NewHive(bytes.NewReader(b), int64(len(b)), registry.Options{Mode: perfdump.Strict})
		require.ErrorIs(t, err, perfdump.ErrAnomaly, off)
		require.Nil(t, h)
	}
}

// Versions 1.3 to 1.6 are written alike.
func TestHiveVersions(t *testing.T) {
	for version, odd := range map[[2]uint32]bool{{0, 5}: true, {2, 5}: true, {1, 2}: true, {1, 3}: false, {1, 4}: false, {1, 6}: false, {1, 7}: true} {
		b := system()
		le.PutUint32(b[20:], version[0])
		le.PutUint32(b[24:], version[1])
		require.Equal(t, odd, viewHive(t, seal(b), registry.Options{}).Anomalies().Len() > 0, version)
	}
}

func TestNoHive(t *testing.T) {
	for _, row := range []struct {
		b    []byte
		want error
	}{
		{nil, perfdump.ErrEmpty},
		{[]byte("MZ"), perfdump.ErrSignature},
		{[]byte("reg"), perfdump.ErrTruncated},
		{system()[:4096+31], perfdump.ErrTruncated},
	} {
		_, err := registry.NewHive(bytes.NewReader(row.b), int64(len(row.b)), registry.Options{Mode: perfdump.Salvage})
		require.ErrorIs(t, err, row.want)
	}
	_, err := registry.NewHive(strings.NewReader(""), -1, registry.Options{})
	require.ErrorIs(t, err, perfdump.ErrEmpty)
}
