package registry_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/formattest"
	"github.com/perfdump/perfdump/internal/golden"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/registry"
)

func parseReg(t *testing.T, text string) *registry.Reg {
	t.Helper()
	r, err := registry.ParseReg([]byte(text), registry.Options{})
	require.NoError(t, err)
	back, err := r.AppendBinary(nil)
	require.NoError(t, err)
	require.Equal(t, text, string(back))
	formattest.Tile(t, r.Spans(), 0, int64(len(text)))
	return r
}

const v5 = "Windows Registry Editor Version 5.00\r\n\r\n"

// said is what the entries of a file are.
func said(r *registry.Reg) string {
	var all []string
	for e := range r.Entries() {
		switch {
		case e.Key && e.Deleted:
			all = append(all, "-"+e.Path)
		case e.Key:
			all = append(all, e.Path)
		case e.Deleted:
			all = append(all, fmt.Sprintf("%s=-", e.Value.Name))
		default:
			all = append(all, fmt.Sprintf("%s=%s:%x", e.Value.Name, e.Value.Type, e.Value.Data))
		}
	}
	return strings.Join(all, " ")
}

func TestRegLines(t *testing.T) {
	const key = "[HKEY_USERS\\K]\r\n"
	var told []byte
	for _, row := range []struct {
		text, want string
		code       perfdump.Code
	}{
		{`"a"="x"`, "a=REG_SZ:78000000", ""},
		{` "a" = "x" ; a note`, "a=REG_SZ:78000000", ""},
		{`@="x\\\"y"`, "=REG_SZ:78005c00220079000000", ""},
		{`"a"="x\y"`, "a=REG_SZ:78005c0079000000", registry.CodeEscape},
		{`"a"="x"y"`, "", registry.CodeValueData},
		{`"a"="x`, "", registry.CodeValueData},
		{"\"a\"=\"x\r\ny\"\r\n\"b\"=dword:1", "a=REG_SZ:78000d000a0079000000 b=REG_DWORD:01000000", registry.CodeTextLines},
		{"\"a\"=\"x\r\n\"b\"=dword:1", "b=REG_DWORD:01000000", registry.CodeValueData},
		{`"a"=dword:89ABCDEF`, "a=REG_DWORD:efcdab89", ""},
		{`"a"=dword:123456789`, "", registry.CodeValueData},
		{`"a"=dword:`, "", registry.CodeValueData},
		{`"a"=dword:1 2`, "", registry.CodeValueData},
		{`"a"=-`, "a=-", ""},
		{`"a"=hex:`, "a=REG_BINARY:", ""},
		{`"a"=hex:1,02,ff`, "a=REG_BINARY:0102ff", ""},
		{"\"a\"=hex(7):41,00,\\\r\n  ; note\r\n\r\n  42,00,\\;note\r\n  00,00", "a=REG_MULTI_SZ:410042000000", ""},
		{"\"a\"=hex:\\\r\n 01", "a=REG_BINARY:01", ""},
		{"\"a\"=hex:01\\\r\n 02", "", registry.CodeValueData},
		{`"a"=hex:011`, "", registry.CodeValueData},
		{`"a"=hex:01#`, "", registry.CodeValueData},
		{"\"a\"=hex:01,\\\r\n\"b\"=dword:1", "b=REG_DWORD:01000000", registry.CodeValueData},
		{`"a"=hex(b):01`, "a=REG_QWORD:01", ""},
		{`"a"=hex(zz):01`, "", registry.CodeValueData},
		{`"a"=hex(fffffff0):01`, "a=0xfffffff0:01", ""},
		{"; [note]\r\n# note", "", ""},
		{"rubbish", "", registry.CodeLineUnknown},
		{"\x1a", "", registry.CodeCtrlZ},
		{`[-HKEY_USERS\K\L]`, `-HKEY_USERS\K\L`, ""},
		{`[HKLM\K]`, `HKLM\K`, registry.CodeRootName},
		{"[ HKEY_USERS]\r\n\"a\"=-", "", registry.CodeKeyLine},
		{"[HKEY_USERS", "", registry.CodeKeyLine},
		{"[", "", registry.CodeKeyLine},
		{"]", "", registry.CodeLineUnknown},
	} {
		r := parseReg(t, v5+key+row.text+"\r\n")
		require.Equal(t, strings.TrimSpace(`HKEY_USERS\K `+row.want), said(r), "%q", row.text)
		require.Equal(t, row.code == "", r.Anomalies().Len() == 0, "%q: %v", row.text, r.Anomalies().Kept())
		if row.code != "" {
			require.Equal(t, row.code, r.Anomalies().Kept()[0].Code, "%q", row.text)
			_, err := registry.ParseReg([]byte(v5+key+row.text), registry.Options{Mode: perfdump.Strict})
			require.ErrorIs(t, err, perfdump.ErrAnomaly)
		}
		again := parseReg(t, string(wire.EncodeUTF16([]byte("\xff\xfe"), v5+key+row.text)))
		require.Equal(t, said(r), said(again), "%q in UTF-16", row.text)
		told = append(told, listing(r)...)
	}
	golden.File(t, "testdata/reglines.golden", told)
}

// listing is all that is known of a file.
func listing(r *registry.Reg) []byte {
	var b bytes.Buffer
	for l := range r.Text().From(4) {
		fmt.Fprintf(&b, "| %q\n", l.Text())
	}
	for e := range r.Entries() {
		fmt.Fprintf(&b, "line %d+%d at 0x%x: key %v, deleted %v, void %v, %q", e.Line, e.Lines, e.Off, e.Key, e.Deleted, e.Void, e.Path)
		if !e.Key {
			fmt.Fprintf(&b, " %q %s % x, line %d at 0x%x", e.Value.Name, e.Value.Type, e.Value.Data, e.Value.Line, e.Value.Off)
		}
		b.WriteByte('\n')
	}
	for _, a := range r.Anomalies().Kept() {
		fmt.Fprintf(&b, "%s at 0x%x, %s: %s\n", a.Code, a.Off, a.Path, a.Message())
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// The old version has text in hex in a code page, the new one in UTF-16.
func TestRegeditVersions(t *testing.T) {
	const body = "\n[HKEY_USERS\\K]\n\"m\"=hex(7):41,e4,00,42,00,00\n\"b\"=hex:41\n\"\xe4\"=\"\xe4\"\n"
	r := parseReg(t, "REGEDIT4\n"+body)
	require.Equal(t, registry.Regedit4, r.Version())
	require.Equal(t, "cp1252", r.Encoding())
	require.Equal(t, `HKEY_USERS\K m=REG_MULTI_SZ:4100e4000000420000000000 b=REG_BINARY:41 ä=REG_SZ:e4000000`, said(r))
	r = parseReg(t, "Windows Registry Editor Version 5.00\n"+body)
	require.Contains(t, said(r), "m=REG_MULTI_SZ:41e400420000")
	for _, bad := range []string{"regedit4\n", "x", "\n\n"} {
		_, err := registry.ParseReg([]byte(bad), registry.Options{})
		require.ErrorIs(t, err, perfdump.ErrSignature)
	}
	_, err := registry.ParseReg(nil, registry.Options{})
	require.ErrorIs(t, err, perfdump.ErrEmpty)
}

func TestRegView(t *testing.T) {
	const services = `HKEY_LOCAL_MACHINE\SYSTEM\ControlSet001\Services\`
	r := parseReg(t, v5+`[`+services+`Gone\Performance]
"Library"="gone.dll"
[-`+services+`gone]
[`+services+`A\Linkage]
"Export"="one"
[`+strings.Replace(services, "ControlSet001", "CurrentControlSet", 1)+`a\performance]
"Library"="a.dll"
"First Counter"=dword:7d0
"Open"="Open"
"open"=-
"First Counter"=dword:7d2
[HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Perflib]
"Last Counter"=dword:2328
[HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Perflib\009]
"Counter"=hex(7):32,00,00,00,00,00,41,00
[HKEY_LOCAL_MACHINE\SOFTWARE\Wow6432Node\Microsoft\Windows NT\CurrentVersion\Perflib\00C]
[HKEY_LOCAL_MACHINE\SYSTEM\ControlSet001\Control\ComputerName\ComputerName]
"ComputerName"="BOX"
`)
	v, err := r.View()
	require.NoError(t, err)
	require.Zero(t, v.Anomalies().Len())
	require.Len(t, v.Providers, 1)
	p := v.Provider("A")
	require.Equal(t, []string{"one"}, p.Export())
	n, _ := p.Uint32(registry.FirstCounter)
	require.EqualValues(t, 2002, n)
	require.Equal(t, 13, p.Value(registry.FirstCounter).Line)
	require.Nil(t, p.Value(registry.Open))
	require.Len(t, p.Performance.Values, 2)
	require.Equal(t, "BOX", v.Computer)
	require.Len(t, v.Perflib.Languages, 1)
	members, _ := v.Perflib.Languages[0].Value("Counter").Strings()
	require.Equal(t, []string{"2", "", "A"}, members)

	v, err = parseReg(t, string(mustBytes(r))+"[-HKEY_LOCAL_MACHINE\\SYSTEM]\n[-HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft]\n").View()
	require.NoError(t, err)
	require.Empty(t, v.Providers)
	require.Nil(t, v.Perflib)
}

// TestRegViewLanguages: a language of the table of names is a number in three or
// four hex digits; any other key below Perflib is none.
func TestRegViewLanguages(t *testing.T) {
	const perflib = `HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Perflib`
	text := v5 + "[" + perflib + "]\n"
	for _, name := range []string{"9", "09", "009", "00c", "0804", "00009", "00x", "+09", "_V2Providers", `_V2Providers\009`, `009\009`} {
		text += "[" + perflib + `\` + name + "]\n\"Counter\"=hex(7):32,00\n"
	}
	v, err := parseReg(t, text).View()
	require.NoError(t, err)
	var ids []string
	for _, l := range v.Perflib.Languages {
		ids = append(ids, l.ID)
	}
	require.Equal(t, []string{"009", "00c", "0804"}, ids)
}

// What is deleted above, where a hive was loaded, is gone; what is deleted
// below or beside is not.
func TestRegViewDeletions(t *testing.T) {
	const home, perflib = `HKEY_USERS\Loaded`, `HKEY_USERS\Soft\Microsoft\Windows NT\CurrentVersion\Perflib`
	body := v5 + "[" + home + `\ControlSet001\Services\A\Performance]
"Library"="a.dll"
[` + home + `\ControlSet001\Control\ComputerName\ComputerName]
"ComputerName"="BOX"
[` + perflib + `\009]
`
	for _, row := range []struct {
		deleted           string
		services, perflib bool
	}{
		{home, false, true},
		{`hkey_users`, false, false},
		{`HKEY_USERS\Load`, true, true},
		{`HKEY_LOCAL_MACHINE\SYSTEM`, true, true},
		{home + `\ControlSet001`, false, true},
		{home + `\ControlSet002`, true, true},
		{home + `\ControlSet001\Services`, false, true},
		{home + `\ControlSet001\Services\a`, false, true},
		{home + `\ControlSet001\Services\A\Performance`, false, true},
		{home + `\ControlSet001\Services\A\Performance\Sub`, true, true},
		{home + `\ControlSet001\Services\A\Linkage`, true, true},
		{`HKEY_USERS\Soft`, true, false},
		{`HKEY_USERS\Soft\Microsoft\Windows NT`, true, false},
		{perflib, true, false},
	} {
		v, err := parseReg(t, body+"[-"+row.deleted+"]\n").View()
		require.NoError(t, err)
		require.Equal(t, row.services, len(v.Providers) == 1, row.deleted)
		require.Equal(t, row.perflib, v.Perflib != nil, row.deleted)
		if row.deleted == home {
			require.Empty(t, v.Computer)
		}
	}
}

// A key is there if a key below it is; the values of that are not its own.
func TestRegViewKeysBelow(t *testing.T) {
	const service = `HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\A\`
	v, err := parseReg(t, v5+"["+service+"Performance\\Sub\\Sub]\n\"Library\"=\"no\"\n["+service+"performance]\n\"Open\"=\"O\"\n["+service+"Performance\\x]\n\"Library\"=\"no\"\n["+service+"Other\\Linkage]\n").View()
	require.NoError(t, err)
	require.Len(t, v.Providers, 1)
	require.Equal(t, service+"Performance", v.Providers[0].Performance.Path())
	require.Len(t, v.Providers[0].Performance.Values, 1)
	require.Nil(t, v.Providers[0].Linkage)
	v, err = parseReg(t, v5+"["+service+"Performance\\Sub]\n\"Library\"=\"no\"\n").View()
	require.NoError(t, err)
	require.Len(t, v.Providers, 1)
	require.Empty(t, v.Providers[0].Performance.Values)
}

// Select counts beside the control sets and nowhere else.
func TestRegViewSelect(t *testing.T) {
	const home = `HKEY_LOCAL_MACHINE\SYSTEM`
	set := func(n int) string {
		return fmt.Sprintf("[%s\\ControlSet00%d\\Services\\S%d\\Performance]\n", home, n, n)
	}
	sel := func(path string, n int) string {
		return fmt.Sprintf("[%s\\Select]\n\"Current\"=dword:%d\n", path, n)
	}
	for _, row := range []struct {
		text, want string
		odd        bool
	}{
		{set(1) + set(2) + sel(home, 2), "S2", false},
		{sel(home, 2) + set(1) + set(2), "S2", false},
		{set(1) + set(2) + sel(home, 2) + sel(`HKEY_LOCAL_MACHINE\SOFTWARE`, 1) + sel(home+`\Deep`, 1) + sel(home+`\ControlSet001`, 1), "S2", false},
		{set(2) + set(1) + sel(`HKEY_LOCAL_MACHINE\SOFTWARE`, 2), "S1", true},
		{set(1) + set(2) + sel(home, 3), "S1", true},
		{set(2) + sel(home, 1), "S2", false},
		{sel(home, 1), "", false},
	} {
		v, err := parseReg(t, v5+row.text).View()
		require.NoError(t, err)
		require.Equal(t, row.odd, v.Anomalies().Len() == 1, row.text)
		if row.want == "" {
			require.Empty(t, v.Providers)
			continue
		}
		require.Len(t, v.Providers, 1, row.text)
		require.NotNil(t, v.Provider(row.want), row.text)
	}
}

func mustBytes(r *registry.Reg) []byte {
	b, _ := r.AppendBinary(nil)
	return b
}

// TestAppMem reads the .reg file of an example of Microsoft's.
func TestAppMem(t *testing.T) {
	b, err := os.ReadFile("../../shared/corpus/registration/ms-sdk-samples-appmem/AppMem.Reg")
	if err != nil {
		t.Skip("shared test data are not beside the checkout")
	}
	r := parseReg(t, string(b))
	require.Equal(t, []perfdump.Code{registry.CodeCtrlZ}, codes(r.Anomalies()))
	v, err := r.View()
	require.NoError(t, err)
	require.Equal(t, "CurrentControlSet", v.ControlSet)
	require.Equal(t, "appmem.dll", v.Provider("AppMem").Text(registry.Library))
	require.Equal(t, "OpenAppMemPerformanceData", v.Provider("AppMem").Text(registry.Open))
}

// TestAppendReg writes what regedit writes, and reads it back.
func TestAppendReg(t *testing.T) {
	values := []registry.Value{
		{Name: "ImagePath", Type: registry.ExpandSZ, Data: wire.EncodeUTF16(nil, "system32\\DRIVERS\\a\x00")},
		{Name: `a\"b`, Type: registry.SZ, Data: wire.EncodeUTF16(nil, `x\"y`+"\x00")},
		{Name: "", Type: registry.DWORD, Data: []byte{1, 0, 0, 0}},
		{Name: "short", Type: registry.SZ, Data: []byte{'x', 0}},
		{Name: "lines", Type: registry.SZ, Data: wire.EncodeUTF16(nil, "a\nb\x00")},
		{Name: "empty", Type: registry.Binary},
		{Name: "odd", Type: registry.DWORD, Data: []byte{1}},
	}
	b, err := registry.AppendReg([]byte("before"), registry.NewKey(`HKEY_USERS\K`, values...))
	require.NoError(t, err)
	require.Equal(t, "before", string(b[:6]))
	text := wire.UTF16(b[8:])
	require.Equal(t, v5+"[HKEY_USERS\\K]\r\n"+
		"\"ImagePath\"=hex(2):73,00,79,00,73,00,74,00,65,00,6d,00,33,00,32,00,5c,00,44,00,\\\r\n"+
		"  52,00,49,00,56,00,45,00,52,00,53,00,5c,00,61,00,00,00\r\n"+
		`"a\\\"b"="x\\\"y"`+"\r\n@=dword:00000001\r\n\"short\"=hex(1):78,00\r\n\"lines\"=hex(1):61,00,0a,00,62,00,00,00\r\n\"empty\"=hex:\r\n\"odd\"=hex(4):01\r\n\r\n", text)
	i := 0
	for e := range parseReg(t, string(b[6:])).Entries() {
		if !e.Key {
			require.Equal(t, values[i].Name, e.Value.Name)
			require.Equal(t, values[i].Type, e.Value.Type)
			require.Equal(t, string(values[i].Data), string(e.Value.Data))
			i++
		}
	}
	require.Equal(t, len(values), i)
	for _, bad := range []registry.Key{registry.NewKey("HKLM"), registry.NewKey("HKEY_USERS\nx"), registry.NewKey("HKEY_USERS", registry.Value{Name: "a\nb"})} {
		_, err := registry.AppendReg(nil, bad)
		require.ErrorIs(t, err, perfdump.ErrSyntax)
	}
}

// A line that goes on has 25 bytes, as regedit's have: 77 columns and the \.
func TestHexLineLength(t *testing.T) {
	b, err := registry.AppendReg(nil, registry.NewKey("HKEY_USERS", registry.Value{Name: "x", Type: registry.Binary, Data: make([]byte, 75)}))
	require.NoError(t, err)
	var lengths []int
	for line := range strings.Lines(wire.UTF16(b[2:])) {
		if strings.Contains(line, "00,") {
			lengths = append(lengths, len(strings.TrimSpace(line)))
		}
	}
	require.Equal(t, []int{78, 76, 76}, lengths[:3])
}

// TestNumbersOfValues: a number has the length of its type, and no other type is one.
func TestNumbersOfValues(t *testing.T) {
	data := []byte{1, 2, 3, 4, 5, 6, 7, 8, 9}
	for _, typ := range []registry.Type{registry.None, registry.SZ, registry.Binary, registry.DWORD, registry.DWORDBigEndian, registry.QWORD} {
		for n := range data {
			v := &registry.Value{Type: typ, Data: data[:n]}
			want64, want32 := uint64(0), uint32(0)
			switch {
			case typ == registry.DWORD && n == 4:
				want32, want64 = 0x04030201, 0x04030201
			case typ == registry.DWORDBigEndian && n == 4:
				want32, want64 = 0x01020304, 0x01020304
			case typ == registry.QWORD && n == 8:
				want64 = 0x0807060504030201
			}
			got32, ok := v.Uint32()
			require.Equal(t, want32, got32, "%v of %d bytes", typ, n)
			require.Equal(t, want32 != 0, ok, "%v of %d bytes", typ, n)
			got64, ok := v.Uint64()
			require.Equal(t, want64, got64, "%v of %d bytes", typ, n)
			require.Equal(t, want64 != 0, ok, "%v of %d bytes", typ, n)
		}
	}
	var none *registry.Value
	_, ok := none.Uint64()
	require.False(t, ok)
}

// A deletion needs the name of what it deletes.
func TestRegDeletionOfNothing(t *testing.T) {
	r := parseReg(t, v5+"[HKEY_USERS\\K]\r\n[-]\r\n\"a\"=\"x\"\r\n")
	require.Equal(t, `HKEY_USERS\K`, said(r))
	require.Equal(t, []perfdump.Code{registry.CodeKeyLine, registry.CodeValueOutside}, codes(r.Anomalies()))
}

// There are more names of languages than a view holds, since their letters may
// be large or small, and zeros in front make other names.
func TestRegLanguageLimit(t *testing.T) {
	file := func(n int) string {
		var b strings.Builder
		b.WriteString("REGEDIT4\n")
		for i := range n {
			form := "%04x"
			if i >= 1<<16 {
				form = "%03x"
			}
			fmt.Fprintf(&b, "[HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib\\"+form+"]\n", i&0xFFFF)
		}
		return b.String()
	}
	for n, want := range map[int]error{1 << 16: nil, 1<<16 + 1: perfdump.ErrLimit} {
		r, err := registry.ParseReg([]byte(file(n)), registry.Options{})
		require.NoError(t, err)
		_, err = r.View()
		require.ErrorIs(t, err, want)
	}
}
