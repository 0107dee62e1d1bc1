package export_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export"
)

// TestMetricsAreEnglish: dashboards know the English names of counters, whatever
// language a host has. Names without English ones stay.
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
		{"de", 238, "Prozessor", 6, "Prozessorzeit (%)", "processor_percent_processor_time"},
		{"de", 5238, "Wetter", 5240, "Temperatur", "wetter_temperatur"},
		{"de", 238, "Prozessor", 5240, "Temperatur", "processor_temperatur"},
		{"de", 4000, ".NET CLR-Speicher", 4002, "Auflistungsanzahl der Generation 0", "_net_clr_memory___gen_0_collections"}, // by the names
		{"en", 546, "IP", 702, "% usage", "ip_percent_usage"},
		{"en", 5238, "Weather", 5240, "Temperature", "weather_temperature"},
		{"few", 4, "4", 6, "6", "memory_percent_processor_time"},                                  // a table without these
		{"few", 5004, "5004", 5006, "5006", "5004_5006"},                                          // no name at all
		{"fr", 0, "Processeur", 0, "% temps processeur", "processor_percent_processor_time"},      // a log of paths
		{"fr", 0, "Processus", 0, "Taille virtuelle (octets)", "process_taille_virtuelle_octets"}, // two counters have this name
		{"hu", 0, "Processzor", 0, "Üresjáratban eltöltött időhányad (%)", "processor_percent_idle_time"},
	} {
		s := series(i, c.host, c.object, "", "", 0, c.counter)
		s.ObjectIndex, s.CounterIndex = c.objectIndex, c.counterIndex
		assert.NoError(t, w.WriteFrame(&capture.Frame{Time: time.Unix(1, 0), Cells: []capture.Cell{{Series: s, Value: 2}}}))
		name := "windows_performancecounter_" + c.metric
		if !strings.Contains(want.String(), "# TYPE "+name+" ") {
			want.WriteString("# TYPE " + name + " gauge\n")
		}
		want.WriteString(name + "{host=\"" + c.host + "\"} 2 1.000\n")
	}
	assert.NoError(t, w.Close())
	assert.ElementsMatch(t, strings.Split(want.String()+"# EOF\n", "\n"), strings.Split(out.String(), "\n"))
	assert.Zero(t, w.Repeats())
}
