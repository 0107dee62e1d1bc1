package report

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
	for _, text := range []string{uPlotScript, script, style} {
		assert.NotRegexp(t, `(?i)</(script|style)|<!--`, text)
		assert.NotRegexp(t, `innerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function`, text)
	}
	for _, at := range regexp.MustCompile(`https?://[^"]*`).FindAllString(script, -1) {
		assert.Equal(t, "http://www.w3.org/2000/svg", at, "the name of SVG, which is not loaded")
	}
}
