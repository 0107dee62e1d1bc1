package lodctr_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/lodctr"
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

// Two counters of SQL Server 2008, as the spec has them from a real machine.
func TestLoadOfSQLServer(t *testing.T) {
	m := sql.pick("perf-MSSQL$SQL2008sqlctr.ini", "sqlctr.h").with(t, "sqlctr.h", "PAGES 2", "PAGES 824")
	plan, err := m.add(t).Load("perf-MSSQL$SQL2008sqlctr.ini", lodctr.LoadOptions{FirstCounter: 0x3BA2})
	require.NoError(t, err)
	assert.EqualValues(t, 0x3BA2, plan.FirstCounter)
	assert.EqualValues(t, 0x3BA3, plan.FirstHelp)
	assert.EqualValues(t, 0x3EDA, plan.LastCounter)
	assert.EqualValues(t, 0x3EDB, plan.LastHelp)
	assert.Equal(t, []uint32{15266}, plan.ObjectList)
	assert.Equal(t, []lodctr.Entry{
		{Symbol: "BUFMGR", Language: "009", CounterIndex: 15266, Name: "MSSQL$SQL2008:Buffer Manager", HasName: true, HelpIndex: 15267, Help: "Buffers.", HasHelp: true},
		{Symbol: "PAGES", Offset: 824, Language: "009", CounterIndex: 16090, Name: "Page reads/sec", HasName: true, HelpIndex: 16091, Help: "Pages.", HasHelp: true},
	}, plan.Entries)
}

func TestLoad(t *testing.T) {
	plan, err := unloaded(t).add(t).Load("app.ini", lodctr.LoadOptions{})
	require.NoError(t, err)
	assert.False(t, plan.Nothing)
	assert.EqualValues(t, 1858, plan.FirstCounter)
	assert.EqualValues(t, 1862, plan.LastCounter)
	assert.EqualValues(t, 1859, plan.FirstHelp)
	assert.EqualValues(t, 1863, plan.LastHelp)
	assert.EqualValues(t, 1862, plan.SystemCounter)
	assert.Equal(t, []string{"009", "00C"}, plan.Languages)
	assert.Equal(t, []uint32{1858}, plan.ObjectList)
	assert.True(t, plan.Trusted)
	assert.Len(t, plan.Entries, 6)
	assert.Equal(t, "App Vitesse", plan.Entries[5].Name)
	assert.EqualValues(t, 1863, plan.Entries[5].HelpIndex)
}

// Where Perflib does not tell, the next index is two above the highest of the
// tables, rounded up.
func TestFirstCounter(t *testing.T) {
	pair := app.pick("app.ini", "app.h")
	for name, c := range map[string]struct {
		table string
		want  uint32
	}{
		"nothing at all": {"", 1848},
		"base":           {"table(1=1847|2=System|1846=End Marker)", 1848},
		"a counter":      {"table(1=1847|1850=x)", 1852},
		"a help text":    {"table(3=x|1851=y|1853=z)", 1856},
	} {
		t.Run(name, func(t *testing.T) {
			m := pair
			if c.table != "" {
				m = files{"app.ini": pair["app.ini"], "app.h": pair["app.h"], "perfc009.dat": c.table}
			}
			plan, err := m.add(t).Load("app.ini", lodctr.LoadOptions{})
			require.NoError(t, err)
			assert.Equal(t, c.want, plan.FirstCounter)
		})
	}
}

// Languages that the machine has not are passed over.
func TestLanguages(t *testing.T) {
	m := files{"app.ini": app["app.ini"], "app.h": app["app.h"], "perfc009.dat": "table(1=1847|2=System)"}
	plan, err := m.add(t).Load("app.ini", lodctr.LoadOptions{})
	require.NoError(t, err)
	assert.Equal(t, []string{"009"}, plan.Languages)
	assert.Equal(t, []string{"00C"}, plan.Skipped)
	assert.Len(t, plan.Entries, 3)

	m = files{"app.ini": strings.ReplaceAll(strings.ReplaceAll(app["app.ini"], "_00C_", "_000_"), "00C=", "000="), "app.h": app["app.h"]}
	plan, err = m.add(t).Load("app.ini", lodctr.LoadOptions{})
	require.NoError(t, err)
	assert.Equal(t, []string{"000"}, plan.Skipped)
}

func TestLoadTwice(t *testing.T) {
	plan, err := app.add(t).Load("app.ini", lodctr.LoadOptions{})
	require.NoError(t, err)
	assert.True(t, plan.Nothing)
	assert.EqualValues(t, 1848, plan.FirstCounter)
	assert.Empty(t, plan.Entries)
	assert.Equal(t, []string{"loadperf:1002"}, ids(plan.Findings))
}

func TestLoadErrors(t *testing.T) {
	pair := app.pick("app.ini", "app.h")
	for name, c := range map[string]struct {
		files files
		o     lodctr.LoadOptions
		want  string
	}{
		"no driver":  {pair.with(t, "app.ini", "drivername=App", "x=y"), lodctr.LoadOptions{}, "names no driver"},
		"no symbols": {app.pick("app.ini"), lodctr.LoadOptions{}, "line 3: the symbol file app.h is not there"},
		"no offsets": {files{"app.ini": app["app.ini"], "app.h": "#define GUARD\n"}, lodctr.LoadOptions{}, "defines no offset"},
		"odd":        {pair, lodctr.LoadOptions{FirstCounter: 1849}, "1849 is odd"},
		"base":       {pair, lodctr.LoadOptions{FirstCounter: 1846}, "1848 or more"},
		"too high":   {pair, lodctr.LoadOptions{FirstCounter: 0xFFFFFFFE}, "do not fit"},
		"overlap":    {files{"app.ini": app["app.ini"], "app.h": app["app.h"], "machine.reg": unloaded(t)["machine.reg"]}, lodctr.LoadOptions{FirstCounter: 1850}, "the indexes 1850 to 1854 are taken: Net has 1854 to 1856"},
		"no such":    {app.pick("net.ini"), lodctr.LoadOptions{}, "app.ini is no .ini file"},
	} {
		t.Run(name, func(t *testing.T) {
			plan, err := c.files.add(t).Load("app.ini", c.o)
			require.ErrorContains(t, err, c.want)
			assert.Nil(t, plan)
			var fe *perfdump.FormatError
			assert.ErrorAs(t, err, &fe)
		})
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
	require.ErrorContains(t, err, "the range of App is none")
}
