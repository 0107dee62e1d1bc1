package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestGrafanaDashboard holds that the dashboard has what Grafana imports, and asks for
// metrics and labels that openmetrics of the story has.
func TestGrafanaDashboard(t *testing.T) {
	text, err := os.ReadFile("../../docs/grafana/windows.json")
	require.NoError(t, err)
	type source struct{ Type, UID string }
	var d struct {
		Inputs []struct{ Name, Type, PluginID string } `json:"__inputs"`
		Title  string
		UID    string
		Schema int `json:"schemaVersion"`
		Panels []struct {
			ID         int
			Title      string
			Type       string
			Datasource source
			GridPos    struct{ H, W, X, Y int }
			Targets    []struct{ Expr, RefID string }
		}
		Templating struct {
			List []struct{ Name, Definition string }
		}
	}
	require.NoError(t, json.Unmarshal(text, &d))
	require.Len(t, d.Inputs, 1)
	assert.Equal(t, "prometheus", d.Inputs[0].PluginID)
	assert.NotEmpty(t, d.Title+d.UID)
	assert.Positive(t, d.Schema)

	out := filepath.Join(t.TempDir(), "server.om")
	code, _, errOut := runWith(t, nil, "cook", "-o", "openmetrics", "../../testdata/story/srv-sql-01.blg.gz", "-w", out)
	require.Zero(t, code, errOut)
	metrics, err := os.ReadFile(out)
	require.NoError(t, err)
	known, labels := map[string]bool{}, map[string]bool{}
	for _, m := range strings.Split(string(metrics), "# TYPE ")[1:] {
		name, samples, _ := strings.Cut(m, " ")
		known[name] = true
		_, sample, _ := strings.Cut(samples, "{")
		for _, label := range regexp.MustCompile(`(\w+)="`).FindAllStringSubmatch(sample[:strings.IndexByte(sample, '}')], -1) {
			labels[label[1]] = true
		}
	}
	expressions := []string{d.Templating.List[0].Definition}
	ids := map[int]bool{}
	for _, p := range d.Panels {
		assert.False(t, ids[p.ID])
		ids[p.ID] = true
		assert.Equal(t, "timeseries", p.Type)
		assert.Equal(t, source{"prometheus", "${" + d.Inputs[0].Name + "}"}, p.Datasource)
		assert.LessOrEqual(t, p.GridPos.X+p.GridPos.W, 24)
		require.NotEmpty(t, p.Targets, p.Title)
		for _, target := range p.Targets {
			expressions = append(expressions, target.Expr)
		}
	}
	for _, e := range expressions {
		names := regexp.MustCompile(`windows_performancecounter_\w+`).FindAllString(e, -1)
		assert.NotEmpty(t, names, e)
		for _, name := range names {
			assert.True(t, known[name], name)
		}
		for _, m := range regexp.MustCompile(`[{,](\w+)(?:=|!=|!~)"`).FindAllStringSubmatch(e, -1) {
			assert.True(t, labels[m[1]], e)
		}
	}
}
