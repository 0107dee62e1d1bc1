package export_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export"
)

// TestMetricsAreEnglish: dashboards know the English names of Windows' own
// counters, whatever language a host has; of its other counters the indexes.
func TestMetricsAreEnglish(t *testing.T) {
	var out, want bytes.Buffer
	w := export.NewOpenMetrics(&out, export.MetricsOptions{})
	for i, c := range []struct {
		host            string
		objectIndex     uint32
		object          string
		counterIndex    uint32
		counter, metric string
	}{
		{"de", 700, "Auslagerungsdatei", 702, "Belegung (%)", "paging_file_percent_usage"},
		{"de", 5000, "Wind", 5002, "Speed", "wind_speed"}, // nothing has told yet
		{"de", 238, "Prozessor", 6, "Prozessorzeit (%)", "processor_percent_processor_time"},
		{"de", 5238, "Wetter", 5240, "Temperatur", "5238_5240"},
		{"de", 238, "Prozessor", 5240, "Temperatur", "238_5240"},
		{"en", 546, "IP", 702, "% usage", "ip_percent_usage"},
		{"en", 5238, "Weather", 5240, "Temperature", "weather_temperature"},
		{"few", 4, "4", 6, "6", "memory_percent_processor_time"}, // a table without these
		{"few", 5004, "Sun", 5006, "Hours", "sun_hours"},
		{"fr", 0, "Processeur", 0, "% temps processeur", "processeur_percent_temps_processeur"}, // a log of paths
	} {
		s := series(i, c.host, c.object, "", "", 0, c.counter)
		s.ObjectIndex, s.CounterIndex = c.objectIndex, c.counterIndex
		assert.NoError(t, w.WriteFrame(&capture.Frame{Time: time.Unix(1, 0), Cells: []capture.Cell{{Series: s, Value: 2}}}))
		name := "windows_performancecounter_" + c.metric
		want.WriteString("# TYPE " + name + " gauge\n" + name + "{host=\"" + c.host + "\"} 2 1.000\n")
	}
	assert.NoError(t, w.Close())
	assert.Equal(t, want.String()+"# EOF\n", out.String())
	assert.Empty(t, w.Clashes())
}
