package registry_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/registry"
)

type edit func(t *testing.T, e *registry.RegEditor)

func set(path string, v registry.Value) edit {
	return func(t *testing.T, e *registry.RegEditor) { t.Helper(); require.NoError(t, e.Set(path, v)) }
}

func addKey(path string) edit {
	return func(t *testing.T, e *registry.RegEditor) { t.Helper(); require.NoError(t, e.AddKey(path)) }
}

func del(path, name string) edit {
	return func(_ *testing.T, e *registry.RegEditor) { e.Delete(path, name) }
}

func edited(t *testing.T, r *registry.Reg, edits ...edit) string {
	t.Helper()
	e := r.Edit()
	for _, do := range edits {
		do(t, e)
	}
	out, err := e.AppendBinary([]byte("kept"))
	require.NoError(t, err)
	again, err := e.AppendBinary([]byte("kept"))
	require.NoError(t, err)
	require.Equal(t, string(out), string(again))
	return strings.TrimPrefix(string(out), "kept")
}

// TestRegEdit makes each change in both versions, in 8 bits and in UTF-16.
func TestRegEdit(t *testing.T) {
	const k = `HKEY_USERS\K`
	const key = "[HKEY_USERS\\K]\r\n"
	binary := func(name string, n int) registry.Value {
		return registry.Value{Name: name, Type: registry.Binary, Data: make([]byte, n)}
	}
	type edits []edit
	for _, row := range []struct {
		name string
		in   string // behind the header
		do   edits
		want string // "" for what it was
		old  string // of the old version, where it differs
	}{
		{"nothing", key + "\"a\"=\"x\"\r\nrubbish\r\n", nil, "", ""},
		{"text", key + "\"a\"=\"x\"\r\n", edits{set(k, registry.NewSZ("a", `y\"`))}, key + "\"a\"=\"y\\\\\\\"\"\r\n", ""},
		{"number", key + "\"a\"=\"x\"\r\n", edits{set(k, registry.NewDWORD("a", 0xBEEF))}, key + "\"a\"=dword:0000beef\r\n", ""},
		{"binary", key + "\"a\"=dword:1\r\n", edits{set(k, binary("a", 2))}, key + "\"a\"=hex:00,00\r\n", ""},
		{"no bytes", key + "\"a\"=dword:1\r\n", edits{set(k, binary("a", 0))}, key + "\"a\"=hex:\r\n", ""},
		{
			"list", key + "\"a\"=-\r\n",
			edits{set(k, registry.NewMultiSZ("a", "b", "é"))},
			key + "\"a\"=hex(7):62,00,00,00,e9,00,00,00,00,00\r\n", key + "\"a\"=hex(7):62,00,e9,00,00\r\n",
		},
		{
			"text with a line end", key + "\"a\"=-\r\n",
			edits{set(k, registry.NewSZ("a", "\né"))},
			key + "\"a\"=hex(1):0a,00,e9,00,00,00\r\n", key + "\"a\"=hex(1):0a,e9,00\r\n",
		},
		{"default", key + "@=dword:1\r\n", edits{set(k, registry.NewSZ("", "y"))}, key + "@=\"y\"\r\n", ""},
		{"case", key + "\"Ab\"=dword:1\r\n", edits{set(`hkey_users\k`, registry.NewDWORD("aB", 2))}, key + "\"Ab\"=dword:00000002\r\n", ""},
		{"blanks and comment", key + " \"a\" =\tdword:1 ; one\r\n", edits{set(k, registry.NewSZ("a", "y"))}, key + " \"a\" =\t\"y\" ; one\r\n", ""},
		{"semicolon", key + "\"a;\" = \";\\\"\" ; one \r\n", edits{set(k, binary("a;", 1))}, key + "\"a;\" = hex:00 ; one \r\n", ""},
		{"trailing blanks", key + "\"a\"=dword:1  \r\n", edits{set(k, registry.NewDWORD("a", 2))}, key + "\"a\"=dword:00000002  \r\n", ""},
		{"Ctrl-Z behind", key + "\"a\"=dword:1\x1a\r\n", edits{set(k, registry.NewDWORD("a", 2))}, key + "\"a\"=dword:00000002\x1a\r\n", ""},
		{
			"lines go", key + "\"a\"=hex:01,\\\r\n  ; note\r\n  02\r\n\"b\"=-\r\n",
			edits{set(k, registry.NewDWORD("a", 2))},
			key + "\"a\"=dword:00000002\r\n\"b\"=-\r\n", "",
		},
		{"text's lines go", key + "\"a\"=\"x\r\ny\" ; c\r\n;\r\n", edits{set(k, registry.NewDWORD("a", 2))}, key + "\"a\"=dword:00000002\r\n;\r\n", ""},
		{
			"lines come", key + "\"a\"=dword:1\r\n\"b\"=-\r\n",
			edits{set(k, binary("a", 26))},
			key + "\"a\"=hex:00" + strings.Repeat(",00", 22) + ",\\\r\n  00,00,00\r\n\"b\"=-\r\n", "",
		},
		{"the last counts", key + "\"a\"=dword:1\r\n\"A\"=dword:2\r\n", edits{set(k, registry.NewDWORD("a", 3))}, key + "\"a\"=dword:1\r\n\"A\"=dword:00000003\r\n", ""},
		{"the last key counts", key + "\"a\"=dword:1\r\n" + key + "\"a\"=dword:2\r\n", edits{set(k, registry.NewDWORD("a", 3))}, key + "\"a\"=dword:1\r\n" + key + "\"a\"=dword:00000003\r\n", ""},
		{"two at once", key + "\"a\"=dword:1\r\n", edits{set(k, registry.NewDWORD("a", 3)), set(k, registry.NewDWORD("A", 4))}, key + "\"a\"=dword:00000004\r\n", ""},
		{
			"new value", key + "\"a\"=dword:1\r\n; c\r\n\r\n[HKEY_USERS\\L]\r\n",
			edits{set(k, registry.NewDWORD("b", 2)), set(k, registry.NewSZ("", "x"))},
			key + "\"a\"=dword:1\r\n\"b\"=dword:00000002\r\n@=\"x\"\r\n; c\r\n\r\n[HKEY_USERS\\L]\r\n", "",
		},
		{"new value behind lines", key + "\"a\"=hex:\\\r\n  01\r\n\r\n", edits{set(k, registry.NewDWORD("b", 2))}, key + "\"a\"=hex:\\\r\n  01\r\n\"b\"=dword:00000002\r\n\r\n", ""},
		{"new value, no line end", key + "\"a\"=dword:1", edits{set(k, registry.NewDWORD("b", 2))}, key + "\"a\"=dword:1\r\n\"b\"=dword:00000002\r\n", ""},
		{"no line end", key + "\"a\"=dword:1", edits{set(k, registry.NewDWORD("a", 2))}, key + "\"a\"=dword:00000002", ""},
		{"no line end, both", key + "\"a\"=dword:1", edits{set(k, registry.NewDWORD("a", 2)), set(k, registry.NewDWORD("b", 2))}, key + "\"a\"=dword:00000002\r\n\"b\"=dword:00000002\r\n", ""},
		{"mixed line ends", key + "\"a\"=dword:1\n\"b\"=dword:1\r\n", edits{set(k, binary("a", 24)), set(k, registry.NewDWORD("b", 2))}, key + "\"a\"=hex:00" + strings.Repeat(",00", 22) + ",\\\n  00\n\"b\"=dword:00000002\r\n", ""},
		{"empty key", key, edits{set(k, registry.NewDWORD("b", 2))}, key + "\"b\"=dword:00000002\r\n", ""},
		{"new key", key + "\"a\"=dword:1\r\n", edits{set(`HKEY_USERS\L`, registry.NewDWORD("b", 2)), addKey(`HKEY_USERS\M`)}, key + "\"a\"=dword:1\r\n\r\n[HKEY_USERS\\L]\r\n\"b\"=dword:00000002\r\n\r\n[HKEY_USERS\\M]\r\n", ""},
		{"new key as regedit", key + "\r\n", edits{addKey(`HKEY_USERS\L`), addKey(`HKEY_USERS\l`)}, key + "\r\n[HKEY_USERS\\L]\r\n\r\n", ""},
		{"new key before Ctrl-Z", key + "\x1a\r\n", edits{addKey(`HKEY_USERS\L`)}, key + "\r\n[HKEY_USERS\\L]\r\n\x1a\r\n", ""},
		{"new key where Ctrl-Z is not the end", key + "\x1a\r\n; more\r\n", edits{addKey(`HKEY_USERS\L`)}, key + "\x1a\r\n; more\r\n\r\n[HKEY_USERS\\L]\r\n", ""},
		{"a key that is there", key, edits{addKey(`HKEY_USERS\k`)}, "", ""},
		{"a deleted key", key + "\"a\"=-\r\n[-HKEY_USERS\\k]\r\n", edits{set(k, registry.NewDWORD("a", 2))}, key + "\"a\"=-\r\n[-HKEY_USERS\\k]\r\n\r\n" + key + "\"a\"=dword:00000002\r\n", ""},
		{"a deleted key above", key + "[-HKEY_USERS]\r\n", edits{addKey(k)}, key + "[-HKEY_USERS]\r\n\r\n" + key, ""},
		{"a deleted key that comes again", key + "\"a\"=-\r\n[-HKEY_USERS]\r\n" + key, edits{set(k, registry.NewDWORD("a", 2))}, key + "\"a\"=-\r\n[-HKEY_USERS]\r\n" + key + "\"a\"=dword:00000002\r\n", ""},
		{"a deleted key below", key + "[-HKEY_USERS\\K\\L]\r\n", edits{addKey(k)}, "", ""},
		{"delete", key + "\"a\"=hex:1,\\\r\n2\r\n\"A\"=\"x\"\r\n\"a\"=-\r\n\"b\"=-\r\n", edits{del(k, "a")}, key + "\"a\"=-\r\n\"b\"=-\r\n", ""},
		{"delete and set", key + "\"a\"=dword:1\r\n", edits{del(k, "a"), set(k, registry.NewDWORD("A", 2))}, key + "\"a\"=dword:00000002\r\n", ""},
		{"set and delete", key + "\"a\"=dword:1\r\n", edits{set(k, registry.NewDWORD("A", 2)), del(k, "a"), set(k, registry.NewDWORD("B", 2)), del(k, "b")}, key, ""},
		{"delete the last line", key + "\"a\"=dword:1", edits{del(k, "a"), set(k, registry.NewDWORD("b", 2))}, key + "\"b\"=dword:00000002\r\n", ""},
		{"delete nothing", key, edits{del(`HKEY_USERS\L`, "a"), del("", "")}, "", ""},
		{"the other set", "[HKEY_LOCAL_MACHINE\\SYSTEM\\ControlSet001\\X]\r\n", edits{addKey(`HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\X`)}, "[HKEY_LOCAL_MACHINE\\SYSTEM\\ControlSet001\\X]\r\n\r\n[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\X]\r\n", ""},
	} {
		for _, version := range []registry.Version{registry.Version5, registry.Regedit4} {
			want := row.want
			if want == "" {
				want = row.in
			}
			if version == registry.Regedit4 && row.old != "" {
				want = row.old
			}
			for _, eol := range []string{"\r\n", "\n"} {
				ends := strings.NewReplacer("\r\n", eol)
				head := version.String() + eol + eol
				in, want := head+ends.Replace(row.in), head+ends.Replace(want)
				require.Equal(t, want, edited(t, parseReg(t, in), row.do...), row.name)
				parseReg(t, want)
				in, want = string(wire.EncodeUTF16([]byte("\xff\xfe"), in)), string(wire.EncodeUTF16([]byte("\xff\xfe"), want))
				require.Equal(t, want, edited(t, parseReg(t, in), row.do...), row.name)
			}
		}
	}
}

// What is set is read back, whatever the version and the encoding.
func TestRegEditReadsBack(t *testing.T) {
	const k = `HKEY_USERS\K`
	values := []registry.Value{
		registry.NewSZ("a", `C:\Ünïcode "x"`), registry.NewSZ("b", ""), registry.NewMultiSZ("c", "é", "", "x"), registry.NewMultiSZ("d"),
		registry.NewDWORD("e", 7),
		{Name: "f", Type: registry.ExpandSZ, Data: wire.EncodeUTF16(nil, "%é%\x00")},
		{Name: "é", Type: registry.QWORD, Data: make([]byte, 8)},
		{Name: `\"`, Type: registry.Binary, Data: make([]byte, 100)},
		{Name: "g", Type: 0xFFFF0000, Data: []byte("x")},
		{Name: "h", Type: registry.DWORD, Data: []byte{1}},
		{Name: "", Type: registry.SZ, Data: wire.EncodeUTF16(nil, "no NUL")},
	}
	for _, version := range []registry.Version{registry.Version5, registry.Regedit4} {
		text := version.String() + "\n[HKEY_USERS\\K]\n\"e\"=\"was\"\n\"a\"=\"\xe9\"\n\"F\"=\"\"\n"
		wide := strings.Replace(text, "\xe9", "é", 1)
		for _, in := range []string{text, "\xef\xbb\xbf" + wide, string(wire.EncodeUTF16([]byte("\xff\xfe"), wide))} {
			e := parseReg(t, in).Edit()
			for _, v := range values {
				require.NoError(t, e.Set(k, v))
			}
			out, err := e.AppendBinary(nil)
			require.NoError(t, err)
			got := map[string]registry.Value{}
			for e := range parseReg(t, string(out)).Entries() {
				if !e.Key {
					got[strings.ToLower(e.Value.Name)] = e.Value
				}
			}
			require.Len(t, got, len(values))
			for _, v := range values {
				require.Equal(t, v.Type, got[v.Name].Type, v.Name)
				require.Equal(t, v.Data, append([]byte(nil), got[v.Name].Data...), v.Name)
			}
		}
	}
}

func TestRegEditEncodings(t *testing.T) {
	const k = `HKEY_USERS\K`
	body := "\n[HKEY_USERS\\K]\n\"a\"=\"\xe9\" ; \xe9\n"
	// 5.00 has what its code page lacks in hex, the old version has no way.
	e := parseReg(t, v5+body).Edit()
	require.NoError(t, e.Set(k, registry.NewSZ("a", "日")))
	out, _ := e.AppendBinary(nil)
	require.Equal(t, v5+"\n[HKEY_USERS\\K]\n\"a\"=hex(1):e5,65,00,00 ; \xe9\n", string(out))
	require.ErrorIs(t, e.Set(k, registry.NewSZ("日", "")), perfdump.ErrSyntax)
	require.ErrorIs(t, e.Set(`HKEY_USERS\日`, registry.NewSZ("a", "")), perfdump.ErrSyntax)

	e = parseReg(t, "REGEDIT4"+body).Edit()
	for _, v := range []registry.Value{
		registry.NewSZ("a", "日"), registry.NewMultiSZ("a", "日"),
		{Name: "a", Type: registry.ExpandSZ, Data: []byte{'x'}},
		{Name: "a", Type: registry.Link, Data: []byte{0, 0xD8}},
	} {
		require.ErrorIs(t, e.Set(k, v), perfdump.ErrSyntax)
	}
	out, _ = e.AppendBinary(nil)
	require.Equal(t, "REGEDIT4"+body, string(out))

	// In 932 the second byte of a character may be a backslash.
	in := "REGEDIT4\n[HKEY_USERS\\\x95\x5c]\n \"\x95\x5c\" = \"\x83\x5c\"; \x83\x5c\n"
	r, err := registry.ParseReg([]byte(in), registry.Options{CodePage: 932})
	require.NoError(t, err)
	require.Equal(t, "HKEY_USERS\\表 表=REG_SZ:bd300000", said(r))
	require.Equal(t, "REGEDIT4\n[HKEY_USERS\\\x95\x5c]\n \"\x95\x5c\" = \"\x95\x5c\\\\\"; \x83\x5c\n\"\x83\x5c\"=hex(7):83,5c,00,00\n",
		edited(t, r, set(`HKEY_USERS\表`, registry.NewSZ("表", `表\`)), set(`HKEY_USERS\表`, registry.NewMultiSZ("ソ", "ソ"))))

	// Half a unit at the end gives way to what comes behind it.
	torn := string(wire.EncodeUTF16([]byte("\xff\xfe"), v5+"[HKEY_USERS\\K]\r\n")) + "x"
	require.Equal(t, torn, edited(t, parseReg(t, torn)))
	require.Equal(t, torn[:len(torn)-1]+string(wire.EncodeUTF16(nil, "\"a\"=dword:00000001\r\n"))+"x", edited(t, parseReg(t, torn), set(k, registry.NewDWORD("a", 1))))
	require.Equal(t, torn[:len(torn)-1]+string(wire.EncodeUTF16(nil, "\r\n[HKEY_USERS\\L]\r\n")), edited(t, parseReg(t, torn), addKey(`HKEY_USERS\L`)))
}

func TestRegEditRefuses(t *testing.T) {
	e := parseReg(t, v5+"[HKEY_USERS\\K]\r\n").Edit()
	for _, path := range []string{"", "K", `HKLM\K`, "HKEY_USERS\\\n", "HKEY_USERS\\\x00"} {
		require.ErrorIs(t, e.Set(path, registry.NewDWORD("a", 1)), perfdump.ErrSyntax, "%q", path)
		require.ErrorIs(t, e.AddKey(path), perfdump.ErrSyntax, "%q", path)
	}
	for _, name := range []string{"\r", "\n", "\x00", "\xff"} {
		require.ErrorIs(t, e.Set("HKEY_USERS", registry.NewDWORD(name, 1)), perfdump.ErrSyntax, "%q", name)
	}
	out, _ := e.AppendBinary(nil)
	require.Equal(t, v5+"[HKEY_USERS\\K]\r\n", string(out))
}
