package registration_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/registration"
	"github.com/perfdump/perfdump/internal/detect"
)

// after returns the files as they are once a plan is carried out.
func (f files) after(t *testing.T, plan func(*registration.Files) (*registration.Plan, error)) files {
	t.Helper()
	all := f.add(t)
	p, err := plan(all)
	require.NoError(t, err)
	edited, err := all.Apply(p)
	require.NoError(t, err)
	out := files{}
	for name, text := range f {
		out[name] = expand(text)
	}
	for _, e := range edited {
		require.Contains(t, out, e.Name)
		out[e.Name] = string(e.Data)
	}
	return out
}

func loading(first uint32) func(*registration.Files) (*registration.Plan, error) {
	return func(f *registration.Files) (*registration.Plan, error) { return f.Load("app.ini", first) }
}

func unloading(f *registration.Files) (*registration.Plan, error) { return f.Unload("App") }

// oneLine joins the lines of data that continue.
func oneLine(reg string) string {
	return strings.NewReplacer("\\\n  ", "", "\\\r\n  ", "").Replace(reg)
}

// What is loaded has nothing wrong, is loaded no second time, and unloading it
// gives every byte back.
func TestLoadAndUnload(t *testing.T) {
	for name, m := range map[string]files{"registry": unloaded(t), "backup": backedUp} {
		loaded := m.after(t, loading(0))
		assert.Empty(t, loaded.add(t).Examine(), name)
		assert.True(t, loaded.load(t, 0).Nothing)
		assert.Equal(t, loaded, loaded.after(t, loading(0)))
		again := loaded.after(t, unloading)
		for name := range m { // in .reg files data is written as regedit does
			assert.Equal(t, oneLine(expand(m[name])), oneLine(again[name]), name)
		}
	}
}

// A hole between others is filled, and what is emptied there stays empty. The
// values of the range come last in their key.
func TestLoadInTheMiddle(t *testing.T) {
	m := unloaded(t)
	loaded := m.after(t, loading(1848))
	assert.Empty(t, loaded.add(t).Examine())
	assert.Equal(t, expand(app["perfc009.dat"]), loaded["perfc009.dat"])
	added := numbers(1848, 1852) + "\"Object List\"=\"1848\"\n"
	assert.Equal(t, oneLine(expand(strings.Replace(app["machine.reg"], added, "", 1))), oneLine(strings.Replace(loaded["machine.reg"], added, "", 1)))
	assert.Equal(t, expand(m["perfc009.dat"]), loaded.after(t, unloading)["perfc009.dat"])
}

// Only the lines of what changes differ.
func TestEditsTouchNothingElse(t *testing.T) {
	rest := backedUp.after(t, loading(0))["PerfStringBackup.INI"]
	for _, line := range []string{
		"\n\n[PERF_App]\nFirst Counter=1852\nFirst Help=1853\nLast Counter=1856\nLast Help=1857",
		"\n1852=App Object\n1853=What App does.\n1854=App Count\n1855=How often.\n1856=App Rate\n1857=How fast.",
		"\n1857=Aide deux.\n1856=App Vitesse\n1855=Aide un.\n1854=App Nombre\n1853=Aide zero.\n1852=App Objet",
	} {
		require.Equal(t, 1, strings.Count(rest, line), "%q in\n%s", line, rest)
		rest = strings.Replace(rest, line, "", 1)
	}
	rest = strings.Replace(rest, "Last Counter=1856\nLast Help=1857", "Last Counter=1850\nLast Help=1851", 1)
	assert.Equal(t, backedUp["PerfStringBackup.INI"], rest)
}

// Tables in a code page and with a byte order mark keep their form, and a single
// text goes to its place in the middle.
func TestEditedTables(t *testing.T) {
	const one = "[info]\ndrivername=App\nsymbolfile=app.h\n[languages]\n009=x\n[text]\nAPP_009_NAME=One\n"
	for _, c := range []struct {
		ini   string
		first uint32
		is    string
		want  string
	}{
		{app["app.ini"], 0, "\xFF\xFE" + expand("table(1=1847|2=System|1850=Z)"), "\xFF\xFE" + expand("table(1=1847|2=System|1850=Z|1852=App Object|1854=App Count|1856=App Rate)")},
		{app["app.ini"], 0, "1\x001847\x002\x00System\x001850\x00Z\xe9\x00\x00", "1\x001847\x002\x00System\x001850\x00Z\xe9\x001852\x00App Object\x001854\x00App Count\x001856\x00App Rate\x00\x00"},
		{one, 1848, "table(1=1847|2=System|1850=Z)", expand("table(1=1847|2=System|1848=One|1850=Z)")},
	} {
		m := files{"app.ini": c.ini, "app.h": "#define APP 0\n", "perfc009.dat": c.is}
		if c.first == 0 {
			m["app.h"] = app["app.h"]
		}
		assert.Equal(t, c.want, m.after(t, loading(c.first))["perfc009.dat"])
	}
}

func TestApplyErrors(t *testing.T) {
	m := unloaded(t)
	for name, c := range map[string]struct {
		files files
		first uint32
		want  string
	}{
		"taken":      {m.with(t, "machine.reg", numbers(1854, 1856), ""), 1854, "machine.reg: Perflib\\009\\Counter: the index 1854 has a text already, \"Net Object\""},
		"in a hole":  {m.with(t, "machine.reg", numbers(1854, 1856), "").with(t, "app.h", "RATE 4", "RATE 4\n#define LATE 10"), 1848, "the index 1854 has a text already"},
		"damaged":    {m.with(t, "machine.reg", "2=System|1846", "2=|1846"), 0, "the table is damaged"},
		"empty name": {m.with(t, "app.ini", "=App Count", "="), 0, "(E09)"},
		"odd offset": {m.with(t, "app.h", "RATE 4", "RATE 5"), 0, "(E05)"},
		"shared":     {m.with(t, "app.h", "RATE 4", "RATE 2"), 0, "(E07)"},
		"no key":     {m.with(t, "machine.reg", `Services\App\Performance]`, `Services\Apps\Performance]`), 0, `the key Services\App\Performance is not there, and lodctr does not make it: install App first, or add the key to the .reg`},
		"old reg":    {m.with(t, "machine.reg", "Windows Registry Editor Version 5.00", "REGEDIT4"), 0, "version 5.00"},
		"no order":   {backedUp.with(t, "PerfStringBackup.INI", "1847=End Marker\n1848=Net Object\n", "1848=Net Object\n1847=End Marker\n"), 0, "in no order"},
		"a list":     {files{"app.ini": app["app.ini"], "app.h": app["app.h"], "list.dat": "6 : x\n1850 : y\n"}, 0, "cannot be written"},
	} {
		all := c.files.add(t)
		plan, err := all.Load("app.ini", c.first)
		require.NoError(t, err, name)
		edited, err := all.Apply(plan)
		var fe *perfdump.FormatError
		require.ErrorAs(t, err, &fe, name)
		assert.ErrorContains(t, err, c.want)
		assert.Empty(t, edited)
	}
}

// From a hive there is a plan only.
func TestHiveIsPlannedWith(t *testing.T) {
	hives, _ := filepath.Glob(filepath.Join(corpus, "hives", "*.hive"))
	if len(hives) == 0 {
		t.Skip("no corpus of hives")
	}
	data, err := os.ReadFile(hives[0])
	require.NoError(t, err)
	in, err := detect.Open(hives[0], detect.Options{})
	require.NoError(t, err)
	defer in.Close()
	all := app.pick("app.ini", "app.h").add(t)
	require.NoError(t, all.Add(in, registration.Options{}))
	plan, err := all.Unload("MSDTC")
	require.NoError(t, err)
	assert.Positive(t, plan.FirstCounter)
	_, err = all.Apply(plan)
	require.ErrorIs(t, err, perfdump.ErrReadOnly)
	is, err := os.ReadFile(hives[0])
	require.NoError(t, err)
	assert.Equal(t, string(data), string(is))
}
