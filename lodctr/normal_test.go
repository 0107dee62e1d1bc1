package lodctr_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/lodctr"
)

// messages returns those of the findings of a rule.
func messages(all []lodctr.Finding, id string) (out []string) {
	for _, f := range all {
		if f.ID == id {
			out = append(out, f.Message)
		}
	}
	return out
}

// An End Marker may be in the language of its table.
func TestTranslatedEndMarker(t *testing.T) {
	m := app.with(t, "machine.reg", "2=Systeme|1846=End Marker", "2=Systeme|1846=Fin du marqueur").
		with(t, "machine.reg", "3=Aide|1847=End Marker", "3=Aide|1847=Fin du marqueur")
	assert.Empty(t, m.add(t).Examine())
	m = m.with(t, "machine.reg", "3=Aide|1847=Fin du marqueur", "3=Aide|1847=Fin")
	assert.Equal(t, []string{`index 1846 is "Fin du marqueur" and index 1847 is "Fin"; they should be the same text`}, messages(m.add(t).Examine(), "W20"))
	alone := files{"perfc00C.dat": "table(1=1847|2=Systeme|1846=Fin du marqueur)"}
	assert.Empty(t, alone.add(t).Examine())
}

// A 64-bit set-up of ASP.NET turns each of the twins off for the clients of the
// other one.
func TestDisabledSideBySide(t *testing.T) {
	m := web.with(t, "web.reg", numbers(1860, 1864), numbers(1860, 1864)+off(4)).with(t, "web.reg", numbers(1866, 1870), numbers(1866, 1870)+off(2))
	found := m.add(t).Examine()
	assert.Equal(t, []string{"W38"}, ids(found), "%v", found)
	m = web.with(t, "web.reg", numbers(1860, 1864), numbers(1860, 1864)+off(2)).with(t, "web.reg", numbers(1866, 1870), numbers(1866, 1870)+off(4))
	assert.Len(t, messages(m.add(t).Examine(), "W33"), 2, "both are off for their own clients")
}

// Windows has Terminal Services Session in English only.
func TestTerminalServicesSession(t *testing.T) {
	english := "table(1=1847|2=System|1846=End Marker|1848=Terminal Services Session|1850=Input Bytes|1852=Output Bytes|1854=Other|1856=Count)"
	m := files{"perfc009.dat": english, "perfc007.dat": "table(1=1847|2=System|1846=End Marker|1854=Andere|1856=Anzahl)"}
	assert.Empty(t, messages(m.add(t).Examine(), "W22"))
	m["perfc007.dat"] = "table(1=1847|2=System|1846=End Marker|1854=Andere)"
	assert.Equal(t, []string{"1 index is missing in 007 and there in 009: 1856"}, messages(m.add(t).Examine(), "W22"))

	// The help text of a name that is missing is no fault of its own.
	m["perfh009.dat"] = "table(3=x|1847=End Marker|1855=h|1857=h)"
	m["perfh007.dat"] = "table(3=x|1847=End Marker)"
	assert.Equal(t, []string{
		"1 index is missing in 007 and there in 009: 1856", "1 index is missing in 007 and there in 009: 1855",
	}, messages(m.add(t).Examine(), "W22"))
	delete(m, "perfh009.dat")
	delete(m, "perfh007.dat")

	// The range of the service tells where the object ends.
	m["perfc007.dat"] = "table(1=1847|2=System|1846=End Marker)"
	assert.Empty(t, messages(m.add(t).Examine(), "W22"))
	m["machine.reg"] = "Windows Registry Editor Version 5.00\n\n[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\TermService\\Performance]\n" + numbers(1848, 1852)
	assert.Equal(t, []string{"2 indexes are missing in 007 and there in 009: 1854, 1856"}, messages(m.add(t).Examine(), "W22"))
}

// Texts in 8 bits are in the code page of their language: in that of English
// these have control characters.
func TestCharactersInTheCodePageOfTheLanguage(t *testing.T) {
	m := files{"app.h": app["app.h"], "app.ini": strings.ReplaceAll(app["app.ini"], "00C", "011")}
	m["app.ini"] = strings.ReplaceAll(m["app.ini"], "App Objet", "\x83v\x83\x8d\x83Z\x83b\x83T") // プロセッサ
	assert.Equal(t, []string{"W10"}, ids(m.add(t).Examine()))
	m["app.ini"] = strings.ReplaceAll(m["app.ini"], "Aide deux", "\x83v\x01")
	assert.Equal(t, []string{"W09", "W10"}, ids(m.add(t).Examine()))
}

// A name in the code page of its language is that of the table.
func TestNamesInTheCodePageOfTheLanguage(t *testing.T) {
	m := app.with(t, "machine.reg", `Perflib\00C]`, `Perflib\019]`).with(t, "machine.reg", "1850=App Nombre", "1850=Счёт")
	m["app.ini"] = strings.NewReplacer("00C", "019", "App Nombre", "\xd1\xf7\xb8\xf2").Replace(m["app.ini"])
	assert.Equal(t, []string{"W10"}, ids(m.add(t).Examine()))
}

// The same fault at the same place is one finding.
func TestOneFindingAtOnePlace(t *testing.T) {
	table := "table(1=1847|2=System|1846=End Marker|1848=App|rest one|rest two|rest three|1850=Count)"
	found := files{"perfc009.dat": table}.add(t).Examine()
	require.Len(t, messages(found, "E20"), 1, "%v", found)
	assert.Contains(t, found[0].Message, "; and 2 more like it")

	m := app.with(t, "app.ini", "=App Count", "=Something Else").with(t, "app.ini", "=App Nombre", "=Autre")
	assert.Equal(t, []string{`2 of 6 names of App in 009, 00c are not those of app.ini: 1850 (COUNT, offset 2) is "App Count" and not "Something Else"`}, messages(m.add(t).Examine(), "W31"))
}
