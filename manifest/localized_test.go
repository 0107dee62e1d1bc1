package manifest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/manifest"
)

// Names and descriptions that are $(string.ID) are those of the string tables,
// of English where there is one.
func TestStringTables(t *testing.T) {
	text := strings.NewReplacer(`name="Toastér"`, `name="$(string.Set)" description="$(string.Missing)"`, `name="A"`, `name="$(string.A)"`, tail, `</counters></instrumentation><localization>
<resources culture="de-DE"><stringTable><string id="Set" value="Toaster-Satz"/><string id="A" value="Ä"/></stringTable></resources>
<resources culture="en-US"><stringTable><string id="Set" value="Toaster Set"/><string id="A" value="Slices"/></stringTable></resources>
<resources culture="en-GB"><stringTable><string id="A" value="Other"/></stringTable></resources>
</localization></instrumentationManifest>`).Replace(toaster)
	m, err := manifest.Parse([]byte(text), manifest.Options{Mode: perfdump.Strict})
	require.NoError(t, err)
	s := m.Providers[0].CounterSets[0]
	require.Equal(t, "Toaster Set", s.Name)
	require.Equal(t, "$(string.Missing)", s.Description, "its table may be in another file")
	require.Equal(t, "Slices", s.Counters[0].Name)

	m, err = manifest.Parse([]byte(strings.ReplaceAll(text, `culture="en-`, `culture="fr-`)), manifest.Options{})
	require.NoError(t, err)
	require.Equal(t, "Toaster-Satz", m.Providers[0].CounterSets[0].Name, "that of the first culture")

	// Two counters of one name are told by the names that they get.
	text = strings.Replace(text, `uri="T.2"`, `uri="T.2" name="Slices"`, 1)
	m, err = manifest.Parse([]byte(text), manifest.Options{})
	require.NoError(t, err)
	require.Equal(t, 1, m.Anomalies().Len())
	require.EqualValues(t, manifest.CodeDuplicateName, m.Anomalies().Kept()[0].Code)
}

// The components of Windows have their counters below an assembly, with and
// without the manifest's own element.
func TestAssembly(t *testing.T) {
	within := `<assembly xmlns="urn:schemas-microsoft-com:asm.v3"><assemblyIdentity name="x"/>` + toaster + `</assembly>`
	for _, text := range []string{within, strings.NewReplacer(`<instrumentationManifest xmlns="e">`, "", "</instrumentationManifest>", "").Replace(within)} {
		m, err := manifest.Parse([]byte(text), manifest.Options{Mode: perfdump.Strict})
		require.NoError(t, err)
		require.Len(t, m.Providers[0].CounterSets[0].Counters, 2)
	}
}
