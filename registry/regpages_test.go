package registry_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/registry"
)

// TestRegCodePages reads files in pages in which the second byte of a character
// may be a \, [ or ]. The characters are those that Python's codecs give.
func TestRegCodePages(t *testing.T) {
	for _, row := range []struct {
		page       uint32
		text, want string
	}{
		{932, "\x95\x5c", "表"},
		{932, "\x83\x5d", "ゾ"},
		{932, "\x83\x5b\x83\x5d\x83\x5c", "ゼゾソ"},
		{932, "\xb1", "ｱ"},
		{936, "\x95\x5c", "昞"},
		{936, "\x81\x5d", "乚"},
		{950, "\xa5\x5c", "功"},
		{950, "\xa4\x5d", "也"},
		{54936, "\x81\x30\x81\x30", "\u0080"},
		{1251, "\xcf", "П"},
		{1253, "\xe1", "α"},
	} {
		var hex string
		for _, c := range []byte(row.text) {
			hex += fmt.Sprintf("%02x,", c)
		}
		for _, version := range []registry.Version{registry.Version5, registry.Regedit4} {
			in := version.String() + "\r\n[HKEY_USERS\\" + row.text + "]\r\n\"" + row.text + "\"=\"" + row.text + "\" ; " + row.text + "\r\n\"m\"=hex(7):" + hex + "00,00\r\n; " + row.text + "\r\n\"n\"=dword:1\r\n"
			r, err := registry.ParseReg([]byte(in), registry.Options{CodePage: row.page})
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
