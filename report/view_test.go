package report

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/perfdump/perfdump/capture"
)

func TestRounded(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 15 * time.Millisecond: "15ms", 59_994 * time.Millisecond: "59.994s", 100 * time.Second: "1m40s",
		10 * time.Minute: "10m", 5*time.Hour + 33*time.Minute + 19*time.Second: "5h33m", 24 * time.Hour: "24h",
		48 * time.Hour: "2 days", 60 * time.Hour: "2.5 days", 5059 * time.Hour: "210.8 days",
	} {
		assert.Equal(t, want, rounded(d))
	}
}

func TestZone(t *testing.T) {
	for _, c := range []struct {
		east time.Duration
		zone string
		want string
	}{
		{2 * time.Hour, "CEST", "+02:00 CEST"},
		{-210 * time.Minute, "", "-03:30"},
		{-4 * time.Hour, "@tzres.dll,-111", "-04:00"},
	} {
		assert.Equal(t, c.want, zone(offset{Offset: capture.Offset{East: c.east, Known: true}, zone: c.zone}))
	}
}

// TestHostsOfAnAxis wants each machine once, however its name is written.
func TestHostsOfAnAxis(t *testing.T) {
	var a axis
	for _, host := range []string{"ONE", "", "one", "ONE", "TWO", "One", "two"} {
		a.addHost(host)
	}
	assert.Equal(t, []string{"ONE", "TWO"}, a.hosts)
}
