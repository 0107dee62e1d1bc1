package packed

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/perfdump/perfdump/internal/testkit/golden"
)

// TestFonts checks the fonts against their module; -update packs them again.
func TestFonts(t *testing.T) {
	names := []string{"Regular", "Bold", "Italic"}
	files := [][]byte{goregular.TTF, gobold.TTF, goitalic.TTF}
	if *golden.Update {
		fontFiles = pack(t, "fonts.zst", names, files)
	}
	for i, name := range names {
		require.True(t, string(files[i]) == string(Font(name)), "%s: run go test with -update", name)
	}
	require.Less(t, len(fontFiles), 150_000)
}

// TestZones wants the zones that Go has, whose rules may be newer; -update packs them
// again.
func TestZones(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	z, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	require.NoError(t, err)
	defer func() { require.NoError(t, z.Close()) }()
	var names []string
	var files [][]byte
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		b, err := io.ReadAll(r)
		require.NoError(t, err)
		names, files = append(names, f.Name), append(files, b)
	}
	if *golden.Update {
		zoneFiles = pack(t, "zones.zst", names, files)
	}
	for _, name := range names {
		_, err := time.LoadLocationFromTZData(name, Zone(name))
		require.NoError(t, err, "%s: run go test with -update", name)
	}
	require.Greater(t, len(names), 500)
	require.Nil(t, Zone("Europe/Nowhere"))
	require.Less(t, len(zoneFiles), 60_000)
	berlin, err := time.LoadLocationFromTZData("Europe/Berlin", Zone("Europe/Berlin"))
	require.NoError(t, err)
	require.Equal(t, "2024-07-01 14:00:00 +0200 CEST", time.Date(2024, 7, 1, 12, 0, 0, 0, time.UTC).In(berlin).String())
}

// pack writes files to one that unpack reads.
func pack(t *testing.T, to string, names []string, files [][]byte) []byte {
	var text []byte
	for i, name := range names {
		text = append(fmt.Appendf(text, "%s %d\n", name, len(files[i])), files[i]...)
	}
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	require.NoError(t, err)
	packed := e.EncodeAll(text, nil)
	require.NoError(t, os.WriteFile(to, packed, 0o600))
	return packed
}
