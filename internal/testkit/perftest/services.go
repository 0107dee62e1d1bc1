package perftest

import (
	"fmt"
	"strings"

	"github.com/perfdump/perfdump/internal/wire"
)

// Services returns an export of the registry of a machine with many services, as regedit
// writes it: each with the keys that every service has, every tenth with counters.
func Services(n int) []byte {
	var b strings.Builder
	b.WriteString("Windows Registry Editor Version 5.00\r\n\r\n")
	for i := range n {
		key := fmt.Sprintf(`HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\Service%05d`, i)
		fmt.Fprintf(&b, "[%s]\r\n\"DisplayName\"=\"The service of number %d\"\r\n\"ErrorControl\"=dword:00000001\r\n", key, i)
		b.WriteString("\"ImagePath\"=hex(2):25,00,53,00,79,00,73,00,74,00,65,00,6d,00,52,00,6f,00,6f,00,74,\\\r\n" +
			"  00,25,00,5c,00,73,00,79,00,73,00,74,00,65,00,6d,00,33,00,32,00,5c,00,73,00,76,\\\r\n" +
			"  00,63,00,2e,00,65,00,78,00,65,00,00,00\r\n\"Start\"=dword:00000003\r\n\"Type\"=dword:00000020\r\n\r\n")
		fmt.Fprintf(&b, "[%s\\Parameters]\r\n\"ServiceDll\"=\"C:\\\\Windows\\\\System32\\\\svc%d.dll\"\r\n\r\n", key, i)
		if i%10 == 0 {
			fmt.Fprintf(&b, "[%s\\Performance]\r\n\"Library\"=\"svcperf.dll\"\r\n\"Open\"=\"OpenData\"\r\n\"Collect\"=\"CollectData\"\r\n\"Close\"=\"CloseData\"\r\n", key)
			fmt.Fprintf(&b, "\"First Counter\"=dword:%08x\r\n\"Last Counter\"=dword:%08x\r\n\"First Help\"=dword:%08x\r\n\"Last Help\"=dword:%08x\r\n\r\n", 2000+2*i, 2010+2*i, 2001+2*i, 2011+2*i)
		}
	}
	return wire.EncodeUTF16([]byte{0xFF, 0xFE}, b.String())
}
