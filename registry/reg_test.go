package registry_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/registry"
)

func parseReg(t *testing.T, text string) *registry.Reg {
	t.Helper()
	r, err := registry.ParseReg([]byte(text), perfdump.Options{})
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

// TestRegLines reads each kind of line.
func TestRegLines(t *testing.T) {
	golden.Cases(t, "testdata/reglines.txt", func(in string) string {
		in = v5 + "[HKEY_USERS\\K]\r\n" + in
		r := parseReg(t, in)
		again := parseReg(t, string(wire.EncodeUTF16([]byte("\xff\xfe"), in)))
		require.Equal(t, said(r), said(again), "%q in UTF-16", in)
		_, err := registry.ParseReg([]byte(in), perfdump.Options{Mode: perfdump.Strict})
		require.Equal(t, r.Anomalies().Len() > 0, errors.Is(err, perfdump.ErrAnomaly), "%q: %v", in, err)
		var b strings.Builder
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
		return b.String()
	})
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
}

// TestRegViews applies the files of testdata to an empty registry.
func TestRegViews(t *testing.T) {
	golden.Cases(t, "testdata/regviews.txt", func(in string) string {
		v, err := parseReg(t, v5+in).View()
		require.NoError(t, err)
		var b strings.Builder
		fmt.Fprintf(&b, "set %q, computer %q, anomalies %v\n", v.ControlSet, v.Computer, codes(v.Anomalies()))
		key := func(of string, k *registry.Key) {
			if k == nil {
				return
			}
			fmt.Fprintf(&b, "%s: line %d, %s\n", of, k.Line, k.Path())
			for _, v := range k.Values {
				fmt.Fprintf(&b, "  line %d, %q %s % x\n", v.Line, v.Name, v.Type, v.Data)
			}
		}
		for _, p := range v.Providers {
			key("service "+p.Service, p.Performance)
			key(fmt.Sprintf("export %q", p.Export()), p.Linkage)
		}
		if v.Perflib != nil {
			fmt.Fprintf(&b, "%d languages\n", len(v.Perflib.Languages))
			key("Perflib", v.Perflib.Key)
			for _, l := range v.Perflib.Languages {
				key("language "+l.ID, l.Key)
			}
		}
		return b.String()
	})
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
}

// counter counts the bytes that are written, up to those that it takes.
type counter struct{ n, takes int }

func (c *counter) Write(b []byte) (int, error) {
	if c.n += len(b); c.n > c.takes {
		return 0, iotest.ErrTimeout
	}
	return len(b), nil
}

// TestWriteReg writes in parts, and nothing where a name cannot be written.
func TestWriteReg(t *testing.T) {
	key := registry.NewKey(`HKEY_USERS\K`, registry.Value{Name: "Counter", Type: registry.MultiSZ, Data: make([]byte, 100_000)})
	require.NoError(t, registry.WriteReg(&counter{takes: 1 << 20}, key))
	out := &counter{takes: 100_000}
	require.True(t, errors.Is(registry.WriteReg(out, key), iotest.ErrTimeout))
	require.Less(t, out.n, 200_000)
	for _, bad := range []registry.Key{registry.NewKey("HKLM"), registry.NewKey("HKEY_USERS\nx"), registry.NewKey("HKEY_USERS", registry.Value{Name: "a\nb"})} {
		before, err := registry.AppendReg([]byte("before"), key, bad)
		require.ErrorIs(t, err, perfdump.ErrSyntax)
		require.Equal(t, "before", string(before))
	}
}

// TestNumbersOfValues: a number has the length of its type, and no other type is one.
func TestNumbersOfValues(t *testing.T) {
	type number struct {
		typ    registry.Type
		length int
	}
	data := []byte{1, 2, 3, 4, 5, 6, 7, 8, 9}
	small := map[number]uint32{{registry.DWORD, 4}: 0x04030201, {registry.DWORDBigEndian, 4}: 0x01020304}
	large := map[number]uint64{{registry.DWORD, 4}: 0x04030201, {registry.DWORDBigEndian, 4}: 0x01020304, {registry.QWORD, 8}: 0x0807060504030201}
	for typ := range registry.QWORD + 1 {
		for n := range data {
			v, is := &registry.Value{Type: typ, Data: data[:n]}, number{typ, n}
			got32, ok := v.Uint32()
			require.Equal(t, small[is], got32, is)
			require.Equal(t, small[is] != 0, ok, is)
			got64, ok := v.Uint64()
			require.Equal(t, large[is], got64, is)
			require.Equal(t, large[is] != 0, ok, is)
		}
	}
	_, ok := (*registry.Value)(nil).Uint64()
	require.False(t, ok)
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
		r, err := registry.ParseReg([]byte(file(n)), perfdump.Options{})
		require.NoError(t, err)
		_, err = r.View()
		require.ErrorIs(t, err, want)
	}
}

// TestRegCodePages reads files in pages in which the second byte of a character
// may be a \, [ or ]. The characters are those that Python's codecs give.
func TestRegCodePages(t *testing.T) {
	for _, row := range []struct {
		page       uint32
		text, want string
	}{
		{932, "\x95\x5c", "表"},
		{932, "\x83\x5b\x83\x5d\x83\x5c", "ゼゾソ"},
		{936, "\x95\x5c", "昞"},
		{936, "\x81\x5d", "乚"},
		{950, "\xa5\x5c", "功"},
		{54936, "\x81\x30\x81\x30", "\u0080"},
		{1251, "\xcf", "П"},
	} {
		var hex string
		for _, c := range []byte(row.text) {
			hex += fmt.Sprintf("%02x,", c)
		}
		for _, version := range []registry.Version{registry.Version5, registry.Regedit4} {
			in := version.String() + "\r\n[HKEY_USERS\\" + row.text + "]\r\n\"" + row.text + "\"=\"" + row.text + "\" ; " + row.text + "\r\n\"m\"=hex(7):" + hex + "00,00\r\n; " + row.text + "\r\n\"n\"=dword:1\r\n"
			r, err := registry.ParseReg([]byte(in), perfdump.Options{CodePage: row.page})
			require.NoError(t, err)
			require.Equal(t, fmt.Sprintf("cp%d", row.page), r.Encoding())
			require.Zero(t, r.Anomalies().Len(), "%q in %d", row.text, row.page)
			list := append([]byte(row.text), 0, 0)
			if version == registry.Regedit4 {
				list = wire.EncodeUTF16(nil, row.want+"\x00\x00")
			}
			require.Equal(t, fmt.Sprintf(`HKEY_USERS\%s %s=REG_SZ:%x m=REG_MULTI_SZ:%x n=REG_DWORD:01000000`, row.want, row.want, wire.EncodeUTF16(nil, row.want+"\x00"), list), said(r))
			require.Equal(t, in, edited(t, r, set(`HKEY_USERS\`+row.want, registry.NewSZ(row.want, row.want))))
		}
	}
}

// In UTF-16 a character may have the bytes of a quote, a \, a ] or a line end.
func TestRegUnits(t *testing.T) {
	const text = "\u225c\u5c22\u0a0d\u0d0a\u5d5b\u0a00\u2200"
	r := parseReg(t, string(wire.EncodeUTF16([]byte("\xff\xfe"), v5+"[HKEY_USERS\\"+text+"]\r\n\""+text+"\"=\""+text+"\"\r\n")))
	require.Zero(t, r.Anomalies().Len())
	require.Equal(t, fmt.Sprintf(`HKEY_USERS\%s %s=REG_SZ:%x`, text, text, wire.EncodeUTF16(nil, text+"\x00")), said(r))
}
