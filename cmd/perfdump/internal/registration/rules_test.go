package registration_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/registration"
)

// fault is a change of a file of a machine, and the rule that sees it.
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

// A machine with nothing wrong has no findings. web is without its .ini files.
func TestSoundMachines(t *testing.T) {
	for name, m := range map[string]files{"app": app, "backup": backup, "sql": sql} {
		assert.Empty(t, m.add(t).Examine(), name)
	}
	assert.Equal(t, []string{"W38"}, ids(web.add(t).Examine()))
}

// Each fault is seen by its rule, and each rule has a fault that shows it.
func TestFaults(t *testing.T) {
	shown := map[string]bool{"C01": true} // by TestMessages
	for _, c := range faults {
		shown[c.id] = true
		m := c.machine.with(t, c.name, c.old, c.new)
		if c.id == "W38" && c.name == "net.ini" {
			m["other.ini"] = m["net.ini"]
			delete(m, "net.ini")
		}
		all := m.add(t).Examine()
		i := slices.IndexFunc(all, func(f registration.Finding) bool { return f.ID == c.id && (c.at == 0 || f.Line == c.at) })
		if !assert.GreaterOrEqual(t, i, 0, "%s %s: %v", c.id, c.new, all) {
			continue
		}
		assert.NotEmpty(t, all[i].File)
		assert.NotEmpty(t, all[i].Message)
		assert.NotEmpty(t, all[i].Advice)
		assert.NotContains(t, all[i].Message, "%!")
	}
	listed := map[string]bool{}
	for _, r := range registration.Rules() {
		assert.True(t, shown[r.ID], "%s has no fault", r.ID)
		assert.False(t, listed[r.ID], "%s comes twice", r.ID)
		listed[r.ID] = true
		assert.NotEmpty(t, r.Condition)
	}
}

// What a rule says of a machine.
func TestMessages(t *testing.T) {
	capture, err := os.ReadFile("../../../../testdata/captures/basic-x86_64-1.bin")
	require.NoError(t, err)
	translated := app.with(t, "machine.reg", "2=Systeme|1846=End Marker", "2=Systeme|1846=Fin du marqueur").
		with(t, "machine.reg", "3=Aide|1847=End Marker", "3=Aide|1847=Fin du marqueur")
	twins := func(narrow, wide int) files {
		return web.with(t, "web.reg", numbers(1860, 1864), numbers(1860, 1864)+off(narrow)).with(t, "web.reg", numbers(1866, 1870), numbers(1866, 1870)+off(wide))
	}
	const base, sessions = "table(1=1847|2=System|1846=End Marker", "|1848=Terminal Services Session|1850=Input Bytes|1852=Output Bytes|1854=Other|1856=Count)"
	var unordered strings.Builder
	for i := 5000; i > 1000; i -= 2 {
		fmt.Fprintf(&unordered, "|%d=x", i)
	}
	japanese := files{"app.h": app["app.h"], "app.ini": strings.NewReplacer("00C", "011", "App Objet", "\x83v\x83\x8d\x83Z\x83b\x83T").Replace(app["app.ini"])} // プロセッサ
	russian := app.with(t, "machine.reg", `Perflib\00C]`, `Perflib\019]`).with(t, "machine.reg", "1850=App Nombre", "1850=Счёт")
	russian["app.ini"] = strings.NewReplacer("00C", "019", "App Nombre", "\xd1\xf7\xb8\xf2").Replace(app["app.ini"])
	for name, c := range map[string]struct {
		files files
		id    string
		want  []string
	}{
		"an End Marker in the language of its table": {translated, "W20", nil},
		"two End Markers":   {translated.with(t, "machine.reg", "3=Aide|1847=Fin du marqueur", "3=Aide|1847=Fin"), "W20", []string{`index 1846 is "Fin du marqueur" and index 1847 is "Fin"; they should be the same text`}},
		"a lone End Marker": {files{"perfc00C.dat": "table(1=1847|2=Systeme|1846=Fin du marqueur)"}, "W20", nil},

		// A 64-bit set-up of ASP.NET turns each of the twins off for the clients of the other.
		"twins that are off for each other's clients": {twins(4, 2), "W33", nil},
		"twins that are off for their own clients": {twins(2, 4), "W33", []string{
			"the counters of ASP.NET_2.0.50727 are off for 32-bit consumers (2); those of 64 bits see them",
			"the counters of ASP.NET_64_2.0.50727 are off for 64-bit consumers (4), as perfmon and WMI are; those of 32 bits see them",
		}},

		// Windows has Terminal Services Session in English only.
		"no sessions in German":             {files{"perfc009.dat": base + sessions, "perfc007.dat": base + "|1854=Andere|1856=Anzahl)"}, "W22", nil},
		"no sessions and no Count":          {files{"perfc009.dat": base + sessions, "perfc007.dat": base + "|1854=Andere)"}, "W22", []string{"1 index is missing in 007 and there in 009: 1856"}},
		"nothing from the sessions on":      {files{"perfc009.dat": base + sessions, "perfc007.dat": base + ")"}, "W22", nil},
		"nothing from the service's end on": {files{"perfc009.dat": base + sessions, "perfc007.dat": base + ")", "machine.reg": "Windows Registry Editor Version 5.00\n\n[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\TermService\\Performance]\n" + numbers(1848, 1852)}, "W22", []string{"2 indexes are missing in 007 and there in 009: 1854, 1856"}},
		"help texts whose names are missing": {files{
			"perfc009.dat": base + sessions, "perfc007.dat": base + "|1854=Andere)",
			"perfh009.dat": "table(3=x|1847=End Marker|1855=h|1857=h)", "perfh007.dat": "table(3=x|1847=End Marker)",
		}, "W22", []string{"1 index is missing in 007 and there in 009: 1856", "1 index is missing in 007 and there in 009: 1855"}},

		// Texts in 8 bits are in the code page of their language.
		"text with control characters in another code page": {japanese, "W09", nil},
		"text with control characters":                      {japanese.with(t, "app.ini", "Aide deux", "\x83v\x01"), "W09", []string{"a TAB or another control character in the text"}},
		"a name in the code page of its language":           {russian, "W31", nil},

		// The same fault at the same place is one finding.
		"strings too many":  {files{"perfc009.dat": base + "|1848=App|rest one|rest two|rest three|1850=Count)"}, "E20", []string{"a string of 16 bytes in place of an index; skipped (offset 0x52); and 2 more like it"}},
		"a table unordered": {files{"perfc009.dat": "table(" + unordered.String()[1:] + ")"}, "E20", []string{"index 4998 comes after 5000 (offset 0xe); and 1998 more like it"}},
		"two other names":   {app.with(t, "app.ini", "=App Count", "=Something Else").with(t, "app.ini", "=App Nombre", "=Autre"), "W31", []string{`2 of 6 names of App in 009, 00c are not those of app.ini: 1850 (COUNT, offset 2) is "App Count" and not "Something Else"`}},

		"a capture without names": {files{"capture.bin": string(capture), "perfc009.dat": base + ")"}, "C01", []string{
			"the object 5000 has no name", "the object 5200 has no name", "the object 5400 has no name", "the object 5410 has no name",
			"99 counters have no name: 5002, 5004, 5006, 5008, 5010, 5012, 5014, 5016, and 91 more",
		}},
	} {
		var got []string
		for _, f := range c.files.add(t).Examine() {
			if f.ID == c.id {
				got = append(got, f.Message)
			}
		}
		assert.Equal(t, c.want, got, name)
	}
}
