package lodctr_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/lodctr"
)

// raw are files as bytes.
type raw map[string][]byte

func (f files) raw() raw {
	out := raw{}
	for name, text := range f {
		out[name] = expand(text)
	}
	return out
}

func (r raw) add(t *testing.T) *lodctr.Files {
	t.Helper()
	all := &lodctr.Files{}
	for name, data := range r {
		require.NoError(t, all.Add(&detect.Input{Name: name, Format: format(name), Data: data}, lodctr.Options{}), name)
	}
	return all
}

// after returns the files as they are once a plan is carried out.
func (r raw) after(t *testing.T, edited []lodctr.Edited) raw {
	t.Helper()
	out := maps.Clone(r)
	for _, e := range edited {
		require.Contains(t, out, e.Name)
		out[e.Name] = e.Data
	}
	return out
}

func load(t *testing.T, r raw, o lodctr.LoadOptions) raw {
	t.Helper()
	all := r.add(t)
	plan, err := all.Load("app.ini", o)
	require.NoError(t, err)
	edited, err := all.Apply(plan)
	require.NoError(t, err)
	return r.after(t, edited)
}

func unload(t *testing.T, r raw, driver string) raw {
	t.Helper()
	all := r.add(t)
	plan, err := all.Unload(driver)
	require.NoError(t, err)
	edited, err := all.Apply(plan)
	require.NoError(t, err)
	return r.after(t, edited)
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

// What is loaded has nothing wrong, is loaded no second time, and unloading it
// gives every byte back.
func TestLoadAndUnload(t *testing.T) {
	for name, m := range map[string]raw{"registry": unloaded(t).raw(), "backup": backedUp.raw()} {
		t.Run(name, func(t *testing.T) {
			loaded := load(t, m, lodctr.LoadOptions{})
			assert.NotEqual(t, m, loaded)
			for _, f := range loaded.add(t).Examine() {
				assert.Fail(t, "it is not sound", "%v", f)
			}
			plan, err := loaded.add(t).Load("app.ini", lodctr.LoadOptions{})
			require.NoError(t, err)
			assert.True(t, plan.Nothing)
			assert.Equal(t, loaded, load(t, loaded, lodctr.LoadOptions{}))

			again := unload(t, loaded, "App")
			for name := range m {
				if name == "machine.reg" { // values are written as regedit does
					assert.Equal(t, oneLine(m[name]), oneLine(again[name]))
					continue
				}
				assert.Equal(t, string(m[name]), string(again[name]), name)
			}
		})
	}
}

// oneLine puts the lines of data that go on together.
func oneLine(reg []byte) string {
	return strings.ReplaceAll(strings.ReplaceAll(string(reg), "\\\n  ", ""), "\\\r\n  ", "")
}

// A hole between others is filled, and what is emptied there stays empty.
func TestLoadInTheMiddle(t *testing.T) {
	m := unloaded(t).raw()
	loaded := load(t, m, lodctr.LoadOptions{FirstCounter: 1848})
	assert.Empty(t, loaded.add(t).Examine())
	assert.Equal(t, expand(app["perfc009.dat"]), loaded["perfc009.dat"])
	assert.Equal(t, oneLine(expand(strings.Replace(app["machine.reg"], "\"Object List\"=\"1848\"\n", "", 1))),
		oneLine(sorted(loaded["machine.reg"], app["machine.reg"])))
	again := unload(t, loaded, "App")
	assert.Equal(t, m["perfc009.dat"], again["perfc009.dat"])
}

// sorted puts the lines of the driver's range, which come last in its key, to
// the place that they have in another file.
func sorted(reg []byte, like string) []byte {
	text := strings.Replace(string(reg), numbers(1848, 1852)+"\"Object List\"=\"1848\"\n", "", 1)
	at := strings.Index(like, "\"First Counter\"")
	return []byte(text[:at] + numbers(1848, 1852) + text[at:])
}

// Only the lines of what changes differ.
func TestEditsTouchNothingElse(t *testing.T) {
	m := backedUp.raw()
	loaded := load(t, m, lodctr.LoadOptions{})
	rest := string(loaded["PerfStringBackup.INI"])
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

// Tables in a code page and with a byte order mark keep their form.
func TestEditedEncodings(t *testing.T) {
	wide := expand("table(1=1847|2=System|1850=Z)")
	for name, c := range map[string]struct{ is, want []byte }{
		"utf-16 with a mark": {append([]byte("\xFF\xFE"), wide...), append([]byte("\xFF\xFE"), expand("table(1=1847|2=System|1850=Z|1852=App Object|1854=App Count|1856=App Rate)")...)},
		"a code page":        {[]byte("1\x001847\x002\x00System\x001850\x00Z\xe9\x00\x00"), []byte("1\x001847\x002\x00System\x001850\x00Z\xe9\x001852\x00App Object\x001854\x00App Count\x001856\x00App Rate\x00\x00")},
	} {
		t.Run(name, func(t *testing.T) {
			m := raw{"app.ini": []byte(app["app.ini"]), "app.h": []byte(app["app.h"]), "perfc009.dat": c.is}
			loaded := load(t, m, lodctr.LoadOptions{})
			assert.Equal(t, c.want, loaded["perfc009.dat"])
		})
	}
}

func TestApplyErrors(t *testing.T) {
	m := unloaded(t)
	for name, c := range map[string]struct {
		files files
		o     lodctr.LoadOptions
		want  string
	}{
		"taken":      {m.with(t, "machine.reg", numbers(1854, 1856), ""), lodctr.LoadOptions{FirstCounter: 1854}, "machine.reg: Perflib\\009\\Counter: the index 1854 has a text already, \"Net Object\""},
		"in a hole":  {m.with(t, "machine.reg", numbers(1854, 1856), "").with(t, "app.h", "RATE 4", "RATE 4\n#define LATE 10"), lodctr.LoadOptions{FirstCounter: 1848}, "the index 1854 has a text already"},
		"damaged":    {m.with(t, "machine.reg", "2=System|1846", "2=|1846"), lodctr.LoadOptions{}, "the table is damaged"},
		"empty name": {m.with(t, "app.ini", "=App Count", "="), lodctr.LoadOptions{}, "(E09)"},
		"odd offset": {m.with(t, "app.h", "RATE 4", "RATE 5"), lodctr.LoadOptions{}, "(E05)"},
		"shared":     {m.with(t, "app.h", "RATE 4", "RATE 2"), lodctr.LoadOptions{}, "(E07)"},
		"no key":     {m.with(t, "machine.reg", `Services\App\Performance]`, `Services\Apps\Performance]`), lodctr.LoadOptions{}, `the key Services\App\Performance is not there, and lodctr does not make it: install App first, or add the key to the .reg`},
		"old reg":    {m.with(t, "machine.reg", "Windows Registry Editor Version 5.00", "REGEDIT4"), lodctr.LoadOptions{}, "version 5.00"},
		"no order":   {backedUp.with(t, "PerfStringBackup.INI", "1847=End Marker\n1848=Net Object\n", "1848=Net Object\n1847=End Marker\n"), lodctr.LoadOptions{}, "in no order"},
		"a list":     {files{"app.ini": app["app.ini"], "app.h": app["app.h"], "list.dat": "6 : x\n1850 : y\n"}, lodctr.LoadOptions{}, "is not written"},
	} {
		t.Run(name, func(t *testing.T) {
			all := c.files.add(t)
			plan, err := all.Load("app.ini", c.o)
			require.NoError(t, err)
			edited, err := all.Apply(plan)
			require.ErrorContains(t, err, c.want)
			assert.Empty(t, edited)
			var fe *perfdump.FormatError
			assert.ErrorAs(t, err, &fe)
		})
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
	all := app.pick("app.ini", "app.h").add(t)
	in, err := detect.OpenAny(hives[0], detect.Options{})
	require.NoError(t, err)
	defer in.Close()
	require.NoError(t, all.Add(in, lodctr.Options{}))
	plan, err := all.Unload("MSDTC")
	require.NoError(t, err)
	assert.Positive(t, plan.FirstCounter)
	_, err = all.Apply(plan)
	require.ErrorIs(t, err, perfdump.ErrReadOnly)
	is, err := os.ReadFile(hives[0])
	require.NoError(t, err)
	assert.True(t, bytes.Equal(data, is))
}

// A single text goes to its place in the middle.
func TestOneText(t *testing.T) {
	m := raw{
		"app.ini":      []byte("[info]\ndrivername=App\nsymbolfile=app.h\n[languages]\n009=x\n[text]\nA_009_NAME=One\n"),
		"app.h":        []byte("#define A 0\n"),
		"perfc009.dat": expand("table(1=1847|2=System|1850=Z)"),
	}
	loaded := load(t, m, lodctr.LoadOptions{FirstCounter: 1848})
	assert.Equal(t, expand("table(1=1847|2=System|1848=One|1850=Z)"), loaded["perfc009.dat"])
}
