package registry_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/golden"
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

// TestRegEdit makes the changes of testdata in both versions, with both ends of
// lines, in 8 bits and in UTF-16. The changes are .reg files too: a key without
// values is added.
func TestRegEdit(t *testing.T) {
	golden.Cases(t, "testdata/regedit.txt", func(in string) (out string) {
		in, changes, _ := strings.Cut(in, "|\n")
		var edits []edit
		entries := slices.Collect(parseReg(t, v5+changes).Entries())
		for i, e := range entries {
			switch {
			case !e.Key && e.Deleted:
				edits = append(edits, del(e.Path, e.Value.Name))
			case !e.Key:
				edits = append(edits, set(e.Path, e.Value))
			case i+1 == len(entries) || entries[i+1].Key:
				edits = append(edits, addKey(e.Path))
			}
		}
		for _, version := range []registry.Version{registry.Version5, registry.Regedit4} {
			var first string
			for _, eol := range []string{"\n", "\r\n"} {
				ends := strings.NewReplacer("\n", eol)
				head := version.String() + eol + eol
				text := head + ends.Replace(in)
				got := edited(t, parseReg(t, text), edits...)
				parseReg(t, got)
				if first == "" {
					first = strings.TrimPrefix(got, head)
				}
				require.Equal(t, head+ends.Replace(first), got, in)
				wide := string(wire.EncodeUTF16([]byte("\xff\xfe"), text))
				require.Equal(t, string(wire.EncodeUTF16([]byte("\xff\xfe"), got)), edited(t, parseReg(t, wide), edits...), in)
			}
			if first != out {
				out += first
			}
		}
		return out
	})
	const mixed = v5 + "[HKEY_USERS\\K]\r\n\"a\"=dword:1\n\"b\"=dword:1\r\n"
	long := registry.Value{Name: "a", Type: registry.Binary, Data: make([]byte, 24)}
	require.Equal(t, v5+"[HKEY_USERS\\K]\r\n\"a\"=hex:00"+strings.Repeat(",00", 22)+",\\\n  00\n\"b\"=dword:00000002\r\n",
		edited(t, parseReg(t, mixed), set(`HKEY_USERS\K`, long), set(`HKEY_USERS\K`, registry.NewDWORD("b", 2))))
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
	r, err := registry.ParseReg([]byte(in), perfdump.Options{CodePage: 932})
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
