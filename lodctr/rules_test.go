package lodctr_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/lodctr"
)

// app is a machine with nothing wrong: a pair, the keys of its driver and of
// another, the table of names in two languages.
var app = files{
	"app.ini": `[info]
drivername=App
symbolfile=app.h
trusted=

[languages]
009=English
00C=French

[objects]
APP_009_NAME=

[text]
APP_009_NAME=App Object
APP_009_HELP=What App does.
COUNT_009_NAME=App Count
COUNT_009_HELP=How often.
RATE_009_NAME=App Rate
RATE_009_HELP=How fast.
APP_00C_NAME=App Objet
APP_00C_HELP=Aide zero.
COUNT_00C_NAME=App Nombre
COUNT_00C_HELP=Aide un.
RATE_00C_NAME=App Vitesse
RATE_00C_HELP=Aide deux.
`,
	"app.h": `#define APP 0
#define COUNT 2
#define RATE 4
#define LAST_APP RATE
`,
	"machine.reg": `Windows Registry Editor Version 5.00

[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services]

[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\App\Performance]
"Library"="app.dll"
"Open"="OpenApp"
"Collect"="CollectApp"
"Close"="CloseApp"
"First Counter"=` + hex32(1848) + `
"First Help"=` + hex32(1849) + `
"Last Counter"=` + hex32(1852) + `
"Last Help"=` + hex32(1853) + `
"Object List"="1848"
"PerfIniFile"="app.ini"
"Library Validation Code"=hex:01

[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\App\Linkage]
"Export"=multi(App)

[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\Net\Performance]
"Library"="netfxperf.dll"
"Open"="OpenPerformanceData"
"Collect"="CollectPerformanceData"
"Close"="ClosePerformanceData"
"First Counter"=` + hex32(1854) + `
"First Help"=` + hex32(1855) + `
"Last Counter"=` + hex32(1856) + `
"Last Help"=` + hex32(1857) + `
"PerfIniFile"="net.ini"
"Counter Names"=multi(One|Two)
"Counter Types"=multi(65536|65792)

[HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Perflib]
"Base Index"=` + hex32(1847) + `
"Last Counter"=` + hex32(1856) + `
"Last Help"=` + hex32(1857) + `

[HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Perflib\009]
"Counter"=table(1=1847|2=System|1846=End Marker|1848=App Object|1850=App Count|1852=App Rate|1854=Net Object|1856=Net One)
"Help"=table(3=System help|1847=End Marker|1849=What App does.|1851=How often.|1853=How fast.|1855=Net.|1857=One.)

[HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Perflib\00C]
"Counter"=table(1=1847|2=Systeme|1846=End Marker|1848=App Objet|1850=App Nombre|1852=App Vitesse|1854=Net Objet|1856=Net Un)
"Help"=table(3=Aide|1847=End Marker|1849=Aide zero.|1851=Aide un.|1853=Aide deux.|1855=Rets.|1857=Un.)
`,
	"net.ini": `[info]
drivername=Net
symbolfile=net.h

[languages]
009=English

[objects]
NET_009_NAME=

[text]
NET_009_NAME=Net Object
NET_009_HELP=Net.
ONE_009_NAME=Net One
ONE_009_HELP=One.
`,
	"net.h":        "#define NET 0\n#define ONE 2\n",
	"perfc009.dat": "table(1=1847|2=System|1846=End Marker|1848=App Object|1850=App Count|1852=App Rate|1854=Net Object|1856=Net One)",
}

// backup is the store of the same machine.
var backup = files{
	"PerfStringBackup.INI": `[Perflib]
Base Index=1847
Last Counter=1852
Last Help=1853

[PERF_App]
First Counter=1848
First Help=1849
Last Counter=1852
Last Help=1853

[PerfStrings_009]
1=1847
2=System
1846=End Marker
1847=End Marker
1848=App Object
1849=What App does.
1850=App Count
1851=How often.
1852=App Rate
1853=How fast.
`,
}

// web is a machine with ASP.NET 2.0 and 4.0.
var web = files{
	"web.reg": `Windows Registry Editor Version 5.00

[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\ASP.NET\Performance]
` + library(`aspnet_counters.dll`) + numbers(1848, 1852) + `
[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\ASP.NET_4.0.30319\Performance]
` + library(`aspnet_counters.dll`) + numbers(1854, 1858) + `
[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\ASP.NET_4.0.30319\Linkage]
"Export"=multi(4.0.30319.0)

[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\ASP.NET_4.0.30319\Names]
"pipe"="1"

[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\ASP.NET_2.0.50727\Performance]
` + library(`C:\\Windows\\Microsoft.NET\\Framework\\v2.0.50727\\aspnet_perf.dll`) + numbers(1860, 1864) + `
[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\ASP.NET_2.0.50727\Names]
"pipe"="1"

[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\ASP.NET_64_2.0.50727\Performance]
` + library(`C:\\Windows\\Microsoft.NET\\Framework64\\v2.0.50727\\aspnet_perf.dll`) + numbers(1866, 1870) + `
[HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Perflib\009]
"Counter"=table(1=1847|1846=End Marker|1848=ASP.NET|1850=ASP.NET Applications|1852=Requests|1854=ASP.NET v4.0.30319|1856=ASP.NET Apps v4.0.30319|1858=Requests|1860=ASP.NET v2.0.50727|1862=ASP.NET Apps v2.0.50727|1864=Requests|1866=ASP.NET v2.0.50727 wide|1868=x|1870=Requests)
`,
}

func library(name string) string {
	return `"Library"="` + name + `"
"Open"="Open"
"Collect"="Collect"
"Close"="Close"
`
}

func off(n int) string { return `"Disable Performance Counters"=` + hex32(n) + "\n" }

func numbers(first, last int) string {
	return `"First Counter"=` + hex32(first) + `
"First Help"=` + hex32(first+1) + `
"Last Counter"=` + hex32(last) + `
"Last Help"=` + hex32(last+1) + "\n"
}

// sql is a machine with an instance of SQL Server 2008.
var sql = files{
	"perf-MSSQL$SQL2008sqlctr.ini": `[info]
drivername=MSSQL$SQL2008
symbolfile=C:\Program Files\Microsoft SQL Server\MSSQL10.SQL2008\MSSQL\Binn\sqlctr.h

[languages]
009=English

[objects]
BUFMGR_009_NAME=

[text]
BUFMGR_009_NAME=MSSQL$SQL2008:Buffer Manager
BUFMGR_009_HELP=Buffers.
PAGES_009_NAME=Page reads/sec
PAGES_009_HELP=Pages.
`,
	"sqlctr.h": "#define BUFMGR 0\n#define PAGES 2\n",
	"sql.reg": `Windows Registry Editor Version 5.00

[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\MSSQL$SQL2008\Performance]
` + library("perf-MSSQL$SQL2008-sqlctr10.0.1600.22.dll") + numbers(1848, 1850) + `"PerfIniFile"="perf-MSSQL$SQL2008sqlctr.ini"
"Object List"="1848"

[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\MSSQL$SQL2008\Linkage]
"Export"=multi(SQL2008)

[HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Perflib\009]
"Counter"=table(1=1847|1846=End Marker|1848=MSSQL$SQL2008:Buffer Manager|1850=Page reads/sec)
`,
}

// fault is what is done to a file of a machine, and the rule that sees it.
type fault struct {
	id       string
	machine  files
	name     string // of the file
	old, new string
	at       int // the line of the finding, 0 for any
}

const long = "0123456789012345678901234567890123456789"

var faults = []fault{
	{"E01", app, "app.ini", "[info]\ndrivername=App\nsymbolfile=app.h\ntrusted=\n", "", 0},
	{"E01", app, "app.ini", "drivername=App\n", "", 1},
	{"E01", app, "app.ini", "symbolfile=app.h", "symbolfile=", 3},
	{"E02", app, "app.ini", "=app.h", "=lost.h", 3},
	{"E03", app, "app.ini", "RATE_009_NAME", "RATES_009_NAME", 18},
	{"E04", app, "app.h", "#define LAST_APP RATE", "#define EXTRA 6", 4},
	{"E04", app, "app.ini", "RATE_00C_NAME=App Vitesse\n", "", 3},
	{"E05", app, "app.h", "RATE 4", "RATE 5", 3},
	{"E06", app, "app.h", "APP 0", "APP 6", 2},
	{"E07", app, "app.h", "RATE 4", "RATE 2", 3},
	{"E08", app, "app.ini", "COUNT_009_NAME=App Count\n", "COUNT_009_NAME=App Count\ncount_009_name=Again\n", 17},
	{"E09", app, "app.ini", "=App Count", "=", 16},
	{"E10", app, "app.ini", "[text]\n", "[text]\nno value here\n", 14},
	{"E11", app, "app.ini", "00C=French", "12=French", 8},
	{"E11", app, "app.ini", "APP_00C_NAME", "APP_1036_NAME", 20},
	{"E12", app, "app.ini", "[objects]\nAPP_", "[objects]\nAPPS_009_NAME=\nAPP_", 11},
	{"W01", app, "app.ini", "00C=French", "00C=French\n010=Italian", 9},
	{"W02", app, "app.ini", "00C=French\n", "", 19},
	{"W03", app, "app.ini", "009=English\n", "", 6},
	{"W04", app, "app.ini", "[objects]\nAPP_009_NAME=\n", "", 0},
	{"W05", app, "app.ini", "=App Rate\n", "=Скорость приложения в секунду\n", 18},
	{"W06", app, "app.h", "RATE 4", "RATE 8", 3},
	{"W06", app, "app.ini", "[objects]\n", "[objects]\nCOUNT_009_NAME=\n", 2},
	{"W07", app, "app.h", "RATE 4", "RATE (2+2)", 3},
	{"W07", app, "app.h", "LAST_APP RATE", "LAST_APP NOTHING", 4},
	{"W08", app, "app.ini", "RATE_009_HELP=How fast.\n", "", 18},
	{"W09", app, "app.ini", "=App Count", "=App\tCount", 16},
	{"W09", app, "app.ini", "=App Count", "=App Count  ", 16},
	{"W09", app, "app.ini", "=App Count", `="App Count"`, 16},
	{"W10", app, "app.ini", "App Vitesse", "App Vit\xe9sse", 0},
	{"W11", app, "app.ini", "App Vitesse", "App Vitésse", 1},
	{"W12", app, "app.ini", "RATE_00C_HELP=Aide deux.\n", "RATE_00C_HELP=Aide deux.\n\x1a", 26},
	{"W12", app, "app.h", "#define LAST_APP RATE\n", "#define LAST_APP RATE\n\x1a", 5},
	{"W13", app, "app.ini", "00C=French", "00C=French\n004=Chinese", 9},
	{"W14", app, "app.ini", "[objects]\nAPP_", "[objects]\nCOUNT_", 1},
	{"W14", app, "app.ini", "[objects]\n", "[objects]\nLAST_APP_009_NAME=\n", 11},
	{"W15", app, "app.ini", "drivername=App", `drivername=A\pp`, 2},
	{"W15", app, "app.ini", "drivername=App", "drivername=" + long + long + "x", 2},
	{"N01", app, "app.ini", "=app.h", "=App.H", 3},
	{"N02", app, "app.h", "RATE 4", "RATE 4;", 3},
	{"N03", app, "app.ini", "=How fast.", "=" + strings.Repeat("long ", 205), 19},

	{"E20", app, "machine.reg", "1850=App Count|1852=App Rate|1854=Net Object", "1850=App Count|App|1852=App Rate|1854=Net Object", 40},
	{"E20", app, "machine.reg", "1850=App Count|1852", "1853=App Count|1852", 40},
	{"E20", app, "machine.reg", "1850=App Count|1852", "1854=App Count|1852", 40},
	{"E20", app, "perfc009.dat", "1850=App Count", "18x0=App Count", 0},
	{"E20", backup, "PerfStringBackup.INI", "1850=App Count\n", "1850=App Count\n1850=Again\n", 0},
	{"E21", app, "machine.reg", "1850=App Count", "1850=", 40},
	{"E21", backup, "PerfStringBackup.INI", "1850=App Count\n", "1850=\n", 0},
	{"E22", app, "machine.reg", "\"Last Counter\"=" + hex32(1856) + "\n\"Last Help\"=" + hex32(1857) + "\n\n", "\"Last Counter\"=" + hex32(1854) + "\n\"Last Help\"=" + hex32(1855) + "\n\n", 36},
	{"E22", backup, "PerfStringBackup.INI", "Last Counter=1852\nLast Help=1853\n\n[PERF", "Last Counter=1850\nLast Help=1851\n\n[PERF", 3},
	{"E23", app, "machine.reg", `"Base Index"=` + hex32(1847), `"Base Index"=` + hex32(1848), 35},
	{"E23", app, "machine.reg", "1=1847|2=System|", "1=1846|2=System|", 40},
	{"E23", backup, "PerfStringBackup.INI", "1=1847\n2=", "1=1846\n2=", 0},
	{"E24", app, "machine.reg", "\"Last Help\"=" + hex32(1857) + "\n\n", "\"Last Help\"=" + hex32(1859) + "\n\n", 37},
	{"W20", app, "machine.reg", "2=System|1846=End Marker", "2=System|1846=Fin", 40},
	{"W20", app, "machine.reg", "3=System help|1847=End Marker", "3=System help|1847=", 41},
	{"W20", backup, "PerfStringBackup.INI", "1846=End Marker", "1846=Endmarkierung", 0},
	{"W21", app, "machine.reg", "|1851=How often.", "", 40},
	{"W21", app, "machine.reg", "1852=App Rate|1854=Net Object|1856=Net One", "1852=App Rate|1854=Net Object", 41},
	{"W22", app, "machine.reg", "1850=App Nombre|", "", 44},
	{"W23", app, "machine.reg", "1856=Net One", "1856=Net One|1858=Left Over", 40},
	{"W23", backup, "PerfStringBackup.INI", "1853=How fast.", "1853=How fast.\n1854=Left Over", 0},
	{"W24", app, "machine.reg", "1850=App Count", "1850=" + strings.Repeat("a", 1024) + "|rest of it", 40},
	{"W25", app, "perfc009.dat", "App Count", "App Counts", 0},
	{"E30", app, "machine.reg", "\"First Counter\"=" + hex32(1848), "\"First Counter\"=" + hex32(1854), 10},
	{"E30", app, "machine.reg", "\"First Counter\"=" + hex32(1848), "\"First Counter\"=" + hex32(1849), 10},
	{"E30", app, "machine.reg", "\"First Help\"=" + hex32(1849), "\"First Help\"=" + hex32(1851), 11},
	{"E30", app, "machine.reg", "\"Last Help\"=" + hex32(1853) + "\n", "", 5},
	{"E30", backup, "PerfStringBackup.INI", "[PERF_App]\nFirst Counter=1848\n", "[PERF_App]\nFirst Counter=1854\n", 0},
	{"E31", app, "machine.reg", "\"Last Counter\"=" + hex32(1852), "\"Last Counter\"=" + hex32(1854), 26},
	{"E32", app, "machine.reg", "\"Last Counter\"=" + hex32(1856) + "\n\"Last Help\"=" + hex32(1857) + "\n\"Perf", "\"Last Counter\"=" + hex32(1866) + "\n\"Last Help\"=" + hex32(1867) + "\n\"Perf", 28},
	{"E32", app, "machine.reg", "\"First Counter\"=" + hex32(1848), "\"First Counter\"=" + hex32(1846), 10},
	{"E33", app, "machine.reg", "1854=Net Object|1856=Net One", "1860=x", 26},
	{"E33", app, "machine.reg", numbers(1848, 1852), "", 5},
	{"E34", app, "machine.reg", "\"Open\"=\"OpenApp\"\n", "", 5},
	{"E35", app, "machine.reg", "\"First Counter\"=" + hex32(1848), `"First Counter"="1848"`, 10},
	{"N30", app, "machine.reg", "1850=App Count|1852=App Rate|1854=Net Object", "1852=App Rate|1854=Net Object", 10},
	{"W30", app, "app.h", "RATE 4", "RATE 6", 0},
	{"W31", app, "app.ini", "=App Count", "=Something Else", 0},
	{"W32", app, "machine.reg", `"Object List"="1848"`, `"Object List"="1848 1856"`, 14},
	{"W32", app, "machine.reg", `"Object List"="1848"`, `"Object List"="1848 1849"`, 14},
	{"W32", app, "machine.reg", `"Object List"="1848"`, `"Object List"="1848 1850"`, 14},
	{"W32", app, "machine.reg", `"Object List"="1848"`, `"Object List"="0x738"`, 14},
	{"W33", app, "machine.reg", "\"Object List\"=\"1848\"\n", "\"Object List\"=\"1848\"\n\"Disable Performance Counters\"=dword:4\n", 15},
	{"W33", backup, "PerfStringBackup.INI", "[PERF_App]\n", "[PERF_App]\nDisable Performance Counters=1\n", 0},
	{"W33", app, "machine.reg", "\"Base Index\"", "\"Disable Performance Counters\"=dword:1\n\"Base Index\"", 35},
	{"W34", app, "machine.reg", "multi(App)", "hex:01,02", 19},
	{"W35", app, "machine.reg", "\"Object List\"=\"1848\"\n", "\"Object List\"=\"1848\"\n\"OpenTimeout\"=dword:2710\n", 15},
	{"W36", app, "machine.reg", "\"Library Validation Code\"=hex:01\n", "", 5},
	{"W36", app, "app.ini", "trusted=\n", "", 0},
	{"W37", app, "machine.reg", "\"Object List\"=\"1848\"\n", "\"Object List\"=\"1848\"\n\"Open Timeout\"=dword:0\n", 15},
	{"W37", app, "machine.reg", "\"Object List\"=\"1848\"\n", "\"Object List\"=\"1848\"\n\"Collect Timeout\"=dword:00100000\n", 15},
	{"W38", app, "machine.reg", "\"PerfIniFile\"=\"net.ini\"\n", "", 0},
	{"W38", app, "net.ini", "drivername=Net", "drivername=Nets", 0}, // and its name is another, see files
	{"W39", app, "machine.reg", "\"Object List\"=\"1848\"\n", "\"Object List\"=\"1848\"\n\"1008\"=hex(b):00,88,10,29,f0,b5,dc,01\n", 15},
	{"W40", app, "machine.reg", "multi(One|Two)", "multi(One)", 0},

	{"A01", web, "web.reg", "1852=Requests", "1852=Other", 0},
	{"A01", web, "web.reg", numbers(1848, 1852), numbers(1848, 1850), 0},
	{"A02", web, "web.reg", `Services\ASP.NET\Performance]`, `Services\ASP.NET_64\Performance]`, 3},
	{"A03", web, "web.reg", `C:\\Windows\\Microsoft.NET\\Framework\\v2.0.50727\\aspnet_perf.dll`, "aspnet_perf.dll", 0},
	{"A03", web, "web.reg", `_4.0.30319\Performance]` + "\n\"Library\"=\"aspnet_counters.dll\"", `_4.0.30319\Performance]` + "\n\"Library\"=\"aspnet_perf.dll\"", 0},
	{"A04", web, "web.reg", `"Export"=multi(4.0.30319.0)`, "", 0},
	{"A05", web, "web.reg", `ASP.NET_2.0.50727\Names`, `ASP.NET_64_2.0.50727\Names`, 0},
	{"W33", web, "web.reg", numbers(1860, 1864), numbers(1860, 1864) + off(4), 0},
	{"A06", web, "web.reg", `Services\ASP.NET_64_2.0.50727\`, `Services\Gone\`, 0},
	{"A06", web, "web.reg", numbers(1866, 1870), numbers(1866, 1870) + "\"Disable Performance Counters\"=dword:2\n", 0},

	{"S01", sql, "sql.reg", "1848=MSSQL$SQL2008:", "1848=MSSQL$SQL2005:", 0},
	{"S01", sql, "perf-MSSQL$SQL2008sqlctr.ini", "BUFMGR_009_NAME=MSSQL$SQL2008:", "BUFMGR_009_NAME=SQLServer:", 0},
	{"S02", sql, "sql.reg", `"Export"=multi(SQL2008)`, "", 0},
	{"S02", sql, "sql.reg", "multi(SQL2008)", "multi(SQL2005)", 0},
	{"S03", sql, "sql.reg", `="perf-MSSQL$SQL2008sqlctr.ini"`, `="sqlctr.ini"`, 0},
	{"S03", sql, "sql.reg", `="perf-MSSQL$SQL2008sqlctr.ini"`, `="perf-MSSQL$OTHERsqlctr.ini"`, 0},
	{"S04", sql, "sql.reg", "perf-MSSQL$SQL2008-sqlctr10", "perf-MSSQL$OTHER-sqlctr10", 0},
	{"S04", sql, "sql.reg", "perf-MSSQL$SQL2008-sqlctr10.0.1600.22.dll", "sqlctr90.dll", 0},
	{"S05", sql, "sqlctr.h", "PAGES 2", "PAGES 4", 0},
	{"S06", sql, "sql.reg", "\"Object List\"", "\"Disable Performance Counters\"=dword:4\n\"Object List\"", 0},
	{"S06", sql, "sql.reg", "\"perf-MSSQL$SQL2008-", `"C:\\Windows\\SysWOW64\\perf-MSSQL$SQL2008-`, 0},
}

// A machine with nothing wrong has no findings at all.
func TestSoundMachines(t *testing.T) {
	for name, m := range map[string]files{"app": app, "backup": backup, "web": web, "sql": sql} {
		t.Run(name, func(t *testing.T) {
			var left []lodctr.Finding
			for _, f := range m.add(t).Examine() {
				if name == "web" && f.ID == "W38" { // it is without its .ini files
					continue
				}
				left = append(left, f)
			}
			assert.Empty(t, left)
		})
	}
}

// Each fault is seen by its rule, and by that rule alone under its id.
func TestFaults(t *testing.T) {
	for i, c := range faults {
		t.Run(fmt.Sprintf("%s-%d", c.id, i), func(t *testing.T) {
			m := c.machine.with(t, c.name, c.old, c.new)
			if c.id == "W38" && c.name == "net.ini" {
				m["other.ini"] = m["net.ini"]
				delete(m, "net.ini")
			}
			var found *lodctr.Finding
			for _, f := range m.add(t).Examine() {
				if f.ID == c.id && (c.at == 0 || f.Line == c.at) {
					found = &f
					break
				}
			}
			require.NotNil(t, found, "%v", m.add(t).Examine())
			assert.NotEmpty(t, found.File)
			assert.NotEmpty(t, found.Message)
			assert.NotEmpty(t, found.Advice)
			assert.NotContains(t, found.Message, "%!")
			assert.NotContains(t, ids(m.add(t).ExamineWithout(c.id)), c.id)
		})
	}
}

// Captures are held to the names, and tell what is a counter.
func TestCaptureFaults(t *testing.T) {
	data, err := os.ReadFile("../testdata/captures/basic-x86_64-1.bin")
	require.NoError(t, err)
	m := files{"capture.bin": string(data), "perfc009.dat": "table(1=1847|2=System|1846=End Marker)"}
	assert.Contains(t, ids(m.add(t).Examine()), "C01")
	assert.NotContains(t, ids(m.add(t).ExamineWithout("C01")), "C01")
}

// Every rule has a fault that shows it.
func TestEveryRuleHasAFault(t *testing.T) {
	seen := map[string]bool{"C01": true}
	for _, c := range faults {
		seen[c.id] = true
	}
	listed := map[string]bool{}
	for _, r := range lodctr.Rules() {
		assert.True(t, seen[r.ID], "%s has no fault", r.ID)
		assert.False(t, listed[r.ID], "%s comes twice", r.ID)
		listed[r.ID] = true
		assert.NotEmpty(t, r.Condition)
		assert.NotEmpty(t, r.Advice)
	}
}
