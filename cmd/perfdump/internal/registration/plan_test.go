package registration_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/registration"
)

// unloaded is the machine of app before its driver was loaded: its key is
// there, its range and its texts are not.
func unloaded(t *testing.T) files {
	m := app.with(t, "machine.reg", numbers(1848, 1852)+"\"Object List\"=\"1848\"\n", "")
	for _, text := range []string{
		"1848=App Object|1850=App Count|1852=App Rate|", "1849=What App does.|1851=How often.|1853=How fast.|",
		"1848=App Objet|1850=App Nombre|1852=App Vitesse|", "1849=Aide zero.|1851=Aide un.|1853=Aide deux.|",
	} {
		m = m.with(t, "machine.reg", text, "")
	}
	return m.with(t, "perfc009.dat", "1848=App Object|1850=App Count|1852=App Rate|", "")
}

// load plans the load of app.ini.
func (f files) load(t *testing.T, first uint32) *registration.Plan {
	t.Helper()
	plan, err := f.add(t).Load("app.ini", first)
	require.NoError(t, err)
	return plan
}

// Two counters of SQL Server 2008, as the spec has them from a real machine.
func TestLoadOfSQLServer(t *testing.T) {
	m := files{"app.ini": sql["perf-MSSQL$SQL2008sqlctr.ini"], "sqlctr.h": "#define BUFMGR 0\n#define PAGES 824\n"}
	plan := m.load(t, 0x3BA2)
	assert.Equal(t, []uint32{0x3BA2, 0x3BA3, 0x3EDA, 0x3EDB}, []uint32{plan.FirstCounter, plan.FirstHelp, plan.LastCounter, plan.LastHelp})
	assert.Equal(t, []uint32{15266}, plan.ObjectList)
	assert.Equal(t, []registration.Entry{
		{Symbol: "BUFMGR", Language: "009", CounterIndex: 15266, Name: "MSSQL$SQL2008:Buffer Manager", HasName: true, HelpIndex: 15267, Help: "Buffers.", HasHelp: true},
		{Symbol: "PAGES", Offset: 824, Language: "009", CounterIndex: 16090, Name: "Page reads/sec", HasName: true, HelpIndex: 16091, Help: "Pages.", HasHelp: true},
	}, plan.Entries)
}

func TestLoad(t *testing.T) {
	plan := unloaded(t).load(t, 0)
	assert.False(t, plan.Nothing)
	assert.Equal(t, []uint32{1858, 1859, 1862, 1863, 1862, 1863}, []uint32{plan.FirstCounter, plan.FirstHelp, plan.LastCounter, plan.LastHelp, plan.SystemCounter, plan.SystemHelp})
	assert.Equal(t, []string{"009", "00C"}, plan.Languages)
	assert.Equal(t, []uint32{1858}, plan.ObjectList)
	assert.Len(t, plan.Entries, 6)
	assert.Equal(t, registration.Entry{Symbol: "RATE", Offset: 4, Language: "00C", CounterIndex: 1862, Name: "App Vitesse", HasName: true, HelpIndex: 1863, Help: "Aide deux.", HasHelp: true}, plan.Entries[5])

	plan = app.load(t, 0)
	assert.True(t, plan.Nothing, "it is loaded already")
	assert.EqualValues(t, 1848, plan.FirstCounter)
	assert.Empty(t, plan.Entries)
	assert.Equal(t, []string{"loadperf:1002"}, ids(plan.Findings))
}

// Where Perflib does not say it, the next index is two above the highest of the
// tables, rounded up.
func TestFirstCounter(t *testing.T) {
	m := app.pick("app.ini", "app.h")
	assert.EqualValues(t, 1848, m.load(t, 0).FirstCounter)
	for table, want := range map[string]uint32{
		"table(1=1847|2=System|1846=End Marker)": 1848,
		"table(1=1847|1850=x)":                   1852,
		"table(3=x|1851=y|1853=z)":               1856,
	} {
		m["perfc009.dat"] = table
		assert.Equal(t, want, m.load(t, 0).FirstCounter, table)
	}
}

// Languages that the machine does not have are skipped.
func TestLanguages(t *testing.T) {
	m := app.pick("app.ini", "app.h")
	m["perfc009.dat"] = "table(1=1847|2=System)"
	plan := m.load(t, 0)
	assert.Equal(t, []string{"009"}, plan.Languages)
	assert.Equal(t, []string{"00C"}, plan.Skipped)
	assert.Len(t, plan.Entries, 3)
	m = files{"app.ini": strings.NewReplacer("_00C_", "_000_", "00C=", "000=").Replace(app["app.ini"]), "app.h": app["app.h"]}
	assert.Equal(t, []string{"000"}, m.load(t, 0).Skipped)
}

func TestLoadErrors(t *testing.T) {
	pair := app.pick("app.ini", "app.h")
	for name, c := range map[string]struct {
		files files
		first uint32
		want  string
	}{
		"no driver":  {pair.with(t, "app.ini", "drivername=App", "x=y"), 0, "names no driver"},
		"no symbols": {app.pick("app.ini"), 0, "line 3: the symbol file app.h is missing"},
		"no offsets": {files{"app.ini": app["app.ini"], "app.h": "#define GUARD\n"}, 0, "defines no offset"},
		"odd":        {pair, 1849, "1849 is odd"},
		"base":       {pair, 1846, "1848 or more"},
		"too high":   {pair, 0xFFFFFFFE, "do not fit"},
		"overlap":    {files{"app.ini": app["app.ini"], "app.h": app["app.h"], "machine.reg": unloaded(t)["machine.reg"]}, 1850, "the indexes 1850 to 1854 are taken: Net has 1854 to 1856"},
		"no such":    {app.pick("net.ini"), 0, "app.ini is not one of the .ini files"},
	} {
		_, err := c.files.add(t).Load("app.ini", c.first)
		var fe *perfdump.FormatError
		require.ErrorAs(t, err, &fe, name)
		assert.ErrorContains(t, err, c.want)
	}
}

func TestUnload(t *testing.T) {
	plan, err := app.add(t).Unload("app")
	require.NoError(t, err)
	assert.False(t, plan.Nothing)
	assert.Equal(t, "App", plan.DriverName)
	assert.Equal(t, []string{"009", "00c"}, plan.Languages)
	assert.Len(t, plan.Entries, 6)
	assert.EqualValues(t, 1856, plan.SystemCounter, "its range is not the last")

	plan, err = app.add(t).Unload("Net")
	require.NoError(t, err)
	assert.EqualValues(t, 1852, plan.SystemCounter)
	assert.EqualValues(t, 1853, plan.SystemHelp)

	plan, err = app.add(t).Unload("Gone")
	require.NoError(t, err)
	assert.True(t, plan.Nothing)
	assert.Equal(t, []string{"loadperf:3011"}, ids(plan.Findings))

	_, err = app.with(t, "machine.reg", "\"First Help\"="+hex32(1849), "\"First Help\"="+hex32(1851)).add(t).Unload("App")
	require.ErrorContains(t, err, "the range of App is not valid")
}
