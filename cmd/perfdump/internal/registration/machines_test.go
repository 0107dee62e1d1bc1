package registration_test

import "os"

func fixture(name string) string {
	b, err := os.ReadFile("../../../../testdata/registration/" + name)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// app is a machine with nothing wrong: a pair, the keys of its driver and of
// another, the table of names in two languages.
var app = files{
	"app.ini": fixture("sound/app.ini"),
	"app.h":   fixture("sound/app.h"),
	"net.ini": fixture("sound/net.ini"),
	"net.h":   fixture("sound/net.h"),
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
	"perf-MSSQL$SQL2008sqlctr.ini": fixture("sqlserver/perf-MSSQL$SQL2008sqlctr.ini"),
	"sqlctr.h":                     "#define BUFMGR 0\n#define PAGES 2\n",
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

// backedUp is a backup of the machine without its driver.
var backedUp = files{
	"app.ini": app["app.ini"], "app.h": app["app.h"],
	"PerfStringBackup.INI": `[Perflib]
Base Index=1847
Last Counter=1850
Last Help=1851

[PERF_Net]
First Counter=1848
First Help=1849
Last Counter=1850
Last Help=1851

[PerfStrings_009]
1=1847
2=System
1846=End Marker
1847=End Marker
1848=Net Object
1849=Net.
1850=Net One
1851=One.

[PerfStrings_00C]
1851=Un.
1850=Net Un
1849=Rets.
1848=Net Objet
1=1847
`,
}
