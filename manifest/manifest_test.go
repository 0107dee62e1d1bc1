package manifest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/manifest"
)

const (
	head = `<instrumentationManifest xmlns="e"><instrumentation><counters xmlns="c" schemaVersion="1.1">`
	tail = `</counters></instrumentation></instrumentationManifest>`
)

const toaster = head + `
<provider applicationIdentity="t.exe" providerGuid="{ffddaaee-965a-4cf9-9c07-fe25378c2a24}" providerType="userMode">
<counterSet guid="{ffddaaee-eaa6-45ba-bf6d-4c7cb0d6ef74}" uri="T" name="Toastér" instances="multiple">
<counter id="1" uri="T.1" name="A" type="perf_average_bulk" detailLevel="standard" baseID="2"><counterAttributes><counterAttribute name="reference"/></counterAttributes></counter>
<counter id="2" uri="T.2" type="perf_average_base" detailLevel="advanced"/>
</counterSet></provider>` + tail

func TestParse(t *testing.T) {
	ansi, err := manifest.Parse([]byte(strings.Replace(toaster, "é", "\xE9", 1)), perfdump.Options{})
	require.NoError(t, err)
	require.Equal(t, "cp1252", ansi.Encoding())
	require.Equal(t, "Toastér", ansi.Providers[0].CounterSets[0].Name)
	for name, b := range map[string][]byte{
		"utf-8":        []byte(toaster),
		"utf-8-bom":    []byte("\xEF\xBB\xBF" + toaster),
		"utf-16le-bom": append([]byte{0xFF, 0xFE}, wire.EncodeUTF16(nil, `<?xml version="1.0" encoding="utf-16"?>`+toaster)...),
	} {
		m, err := manifest.Parse(b, perfdump.Options{Mode: perfdump.Strict})
		require.NoError(t, err, name)
		require.Equal(t, name, m.Encoding())
		require.Equal(t, "1.1", m.SchemaVersion)
		require.Equal(t, "Counters", m.Providers[0].Name)
		s := m.Providers[0].CounterSets[0]
		require.Equal(t, "Toastér", s.Name)
		require.Equal(t, 3, s.Line)
		require.Equal(t, countertypes.PERF_AVERAGE_BULK, s.Counters[0].Type)
		require.Equal(t, []string{"reference"}, s.Counters[0].Attributes)
		require.Equal(t, manifest.Reference{ID: 2, Given: true}, s.Counters[0].Base)
	}
}

// Names and descriptions that are $(string.ID) are those of the string tables,
// of English where there is one.
func TestStringTables(t *testing.T) {
	text := strings.NewReplacer(`name="Toastér"`, `name="$(string.Set)" description="$(string.Missing)"`, `name="A"`, `name="$(string.A)"`, tail, `</counters></instrumentation><localization>
<resources culture="de-DE"><stringTable><string id="Set" value="Toaster-Satz"/><string id="A" value="Ä"/></stringTable></resources>
<resources culture="en-US"><stringTable><string id="Set" value="Toaster Set"/><string id="A" value="Slices"/></stringTable></resources>
<resources culture="en-GB"><stringTable><string id="A" value="Other"/></stringTable></resources>
</localization></instrumentationManifest>`).Replace(toaster)
	m, err := manifest.Parse([]byte(text), perfdump.Options{Mode: perfdump.Strict})
	require.NoError(t, err)
	s := m.Providers[0].CounterSets[0]
	require.Equal(t, "Toaster Set", s.Name)
	require.Equal(t, "$(string.Missing)", s.Description, "its table may be in another file")
	require.Equal(t, "Slices", s.Counters[0].Name)

	m, err = manifest.Parse([]byte(strings.ReplaceAll(text, `culture="en-`, `culture="fr-`)), perfdump.Options{})
	require.NoError(t, err)
	require.Equal(t, "Toaster-Satz", m.Providers[0].CounterSets[0].Name, "that of the first culture")

	// Two counters that get one name are reported.
	text = strings.Replace(text, `uri="T.2"`, `uri="T.2" name="Slices"`, 1)
	m, err = manifest.Parse([]byte(text), perfdump.Options{})
	require.NoError(t, err)
	require.Equal(t, 1, m.Anomalies().Len())
	require.EqualValues(t, "duplicate-name", m.Anomalies().Kept()[0].Code)
}

// The components of Windows have their counters below an assembly, with and
// without the manifest's own element.
func TestAssembly(t *testing.T) {
	within := `<assembly xmlns="urn:schemas-microsoft-com:asm.v3"><assemblyIdentity name="x"/>` + toaster + `</assembly>`
	for _, text := range []string{within, strings.NewReplacer(`<instrumentationManifest xmlns="e">`, "", "</instrumentationManifest>", "").Replace(within)} {
		m, err := manifest.Parse([]byte(text), perfdump.Options{Mode: perfdump.Strict})
		require.NoError(t, err)
		require.Len(t, m.Providers[0].CounterSets[0].Counters, 2)
	}
}

func TestRules(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{`id="2"`, `id="1"`, "duplicate-id provider[0].counterSet[0].counter[1].id"},
		{`id="2"`, `id="x"`, "attribute-value provider[0].counterSet[0].counter[1].id"},
		{`baseID="2"`, `baseID="9"`, "unknown-reference provider[0].counterSet[0].counter[0].baseID"},
		{`baseID="2"`, ``, "base-type provider[0].counterSet[0].counter[0].baseID"},
		{`baseID="2"`, `baseID="1"`, "base-type provider[0].counterSet[0].counter[0].baseID"},
		{`uri="T.2"`, `uri="T.2" name="a"`, "duplicate-name provider[0].counterSet[0].counter[1].name"},
		{`uri="T.2"`, ``, "missing-attribute provider[0].counterSet[0].counter[1].uri"},
		{`"perf_average_base"`, `"perf_x"`, "attribute-value provider[0].counterSet[0].counter[1].type"},
		{`"advanced"`, `"x"`, "attribute-value provider[0].counterSet[0].counter[1].detailLevel"},
		{`"multiple"`, `"x"`, "attribute-value provider[0].counterSet[0].instances"},
		{`"{ffddaaee-965a`, `"{ffddaaeex965a`, "attribute-value provider[0].providerGuid"},
		{`applicationIdentity="t.exe"`, ``, "missing-attribute provider[0].applicationIdentity"},
		{`<provider`, `<x><provider`, ""},
	} {
		text := strings.Replace(toaster, c.from, c.to, 1)
		if c.want == "" {
			text = head + tail
			c.want = "no-providers "
		}
		m, err := manifest.Parse([]byte(text), perfdump.Options{})
		require.NoError(t, err, c.to)
		a := m.Anomalies().Kept()
		i := slices.IndexFunc(a, func(one perfdump.Anomaly) bool { return string(one.Code)+" "+one.Path.String() == c.want })
		require.GreaterOrEqual(t, i, 0, "%s: %v", c.want, a)
		if strings.Contains(c.want, "counter[1]") {
			require.True(t, strings.HasPrefix(text[a[i].Off:], "<counter id="), text[a[i].Off:])
		}
		_, err = manifest.Parse([]byte(text), perfdump.Options{Mode: perfdump.Strict})
		require.ErrorIs(t, err, perfdump.ErrAnomaly)
	}
}

// Counter sets outside of a provider are skipped, and so are their counters.
func TestCountersOfNoSet(t *testing.T) {
	for _, text := range []string{
		`<counterSet name="S"><counter id="1"/></counterSet>`,
		`<provider providerName="P"/><counterSet name="S"><counter id="1"><counterAttributes><counterAttribute name="reference"/></counterAttributes></counter></counterSet>`,
		`<provider providerName="P"><x><counterSet name="S"><counter id="1"/></counterSet></x></provider>`,
	} {
		m, err := manifest.Parse([]byte(head+text+tail), perfdump.Options{})
		require.NoError(t, err, text)
		for _, p := range m.Providers {
			require.Empty(t, p.CounterSets, text)
		}
	}
}

func TestRefused(t *testing.T) {
	for text, want := range map[string]error{
		"":                          perfdump.ErrEmpty,
		"x":                         perfdump.ErrSignature,
		"\xFE\xFF\x00<":             perfdump.ErrBigEndian,
		"<instrumentationManifest>": perfdump.ErrSyntax,
		`<!DOCTYPE x [<!ENTITY a "b">]><instrumentationManifest/>`: perfdump.ErrSyntax,
		head + "&a;" + tail: perfdump.ErrSyntax,
		"<instrumentationManifest>" + strings.Repeat("<a>", 100):    perfdump.ErrLimit,
		"<instrumentationManifest>" + strings.Repeat("<a/>", 1<<16): perfdump.ErrLimit,
		"<instrumentationManifest>" + strings.Repeat(" ", 2<<20):    perfdump.ErrLimit,
	} {
		m, err := manifest.Parse([]byte(text), perfdump.Options{})
		require.ErrorIs(t, err, want, "%.60q", text)
		require.Nil(t, m)
	}
}

func TestHostileFilesStayWithinMemory(t *testing.T) {
	const set = head + `<provider><counterSet>`
	for name, text := range map[string]string{
		"attributes": head + "<provider" + strings.Repeat(` a=""`, 1<<18) + "/>" + tail,
		"elements":   set + strings.Repeat("<counter/>", 1<<16-5) + "</counterSet></provider>" + tail,
		"nested":     set + "<counter><counterAttributes>" + strings.Repeat("<counterAttribute/>", 1<<16-5),
	} {
		used := perftest.Allocated(func() { _, _ = manifest.Parse([]byte(text), perfdump.Options{}) })
		// Slices grow by doubling, and leave as much garbage as they have.
		require.Less(t, used, uint64(3*(64<<20+4*len(text))), name)
		t.Logf("%s: %d bytes of %d", name, used, len(text))
	}
}

func TestCorpus(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "shared", "corpus", "registration", "manifests", "*.man"))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("the corpus of shipped files is not next to the checkout")
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		require.NoError(t, err)
		m, err := manifest.Parse(b, perfdump.Options{})
		require.NoError(t, err, file)
		n := 0
		for _, p := range m.Providers {
			for _, s := range p.CounterSets {
				n += len(s.Counters)
			}
		}
		// As many as there are opening tags.
		want := strings.Count(string(b), "<counter ") + strings.Count(string(b), "<counter\n") + strings.Count(string(b), "<counter\r")
		require.Equal(t, want, n, file)
		require.Zero(t, m.Anomalies().Len(), "%s: %v", file, m.Anomalies().Kept())
	}
}

func ExampleParse() {
	m, err := manifest.Parse([]byte(toaster), perfdump.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range m.Providers[0].CounterSets {
		fmt.Println(s.Name, len(s.Counters))
	}
	// Output: Toastér 2
}
