package page

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

// TestAssets holds that uPlot is what its package holds, and that what ends a
// script or a style is in none of them.
func TestAssets(t *testing.T) {
	for name, want := range map[string]string{
		"uPlot.iife.min.js": "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
		"uPlot.min.css":     "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04",
		"uPlot.LICENSE":     "8f989229699b4fe2f1a0432d0e9edc338a8a911e250e2d1b01ecd770a5f5b1bd",
	} {
		b, err := assets.ReadFile("assets/" + name)
		require.NoError(t, err)
		sum := sha256.Sum256(b)
		assert.Equal(t, want, hex.EncodeToString(sum[:]), name)
	}
	for _, text := range []string{uPlotScript(), script(), style()} {
		assert.NotRegexp(t, `(?i)</(script|style)|<!--`, text)
		assert.NotRegexp(t, `innerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function`, text)
	}
	for _, at := range regexp.MustCompile(`https?://[^"]*`).FindAllString(script(), -1) {
		assert.Equal(t, "http://www.w3.org/2000/svg", at, "the name of SVG, which is not loaded")
	}
}
