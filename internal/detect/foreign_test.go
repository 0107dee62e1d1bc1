package detect_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/detect"
)

// What is recognised and not read is an error that names it, unless it is let
// through; then nothing of it is read into memory.
func TestForeignFormats(t *testing.T) {
	dir := t.TempDir()
	row := `{"time":null,"host":"H","object":"O","parent":null,"instance":null,"instance_index":0,"counter":"C"}`
	for _, c := range []struct {
		data string
		want detect.Format
	}{
		{"time,host,object,parent,instance,instance_index,counter,path,value,status\n", detect.OwnCSV},
		{"\xFF\xFE" + utf16le("host,object,parent,instance,instance_index,counter,path,count\r\n"), detect.OwnCSV},
		{row + "\n", detect.OwnJSONL},
		{"PAR1" + strings.Repeat("x", 200<<10) + "perfdump version (build )\x00PAR1", detect.OwnParquet},
		{"PAR1 perfdump PAR1", detect.OwnParquet},
		{"<!doctype html>\n<title>A - perfdump report</title>\n", detect.OwnHTML},
		{"regf" + words(508, 24, 4, 6) + "HvLE", detect.RegistryLog},
		{"time,host,object\n", ""},
		{`{"host":"a"}`, ""},
		{"PAR1" + strings.Repeat("x", 200<<10) + "PAR1", ""},
		{"<!doctype html>\n<title>perfdump</title>\n", ""},
	} {
		name := write(t, dir, "a", []byte(c.data))
		_, err := detect.Open(name, detect.Options{})
		require.Equal(t, perfdump.CodeUnknownFormat, code(t, err))
		in, err := detect.Open(name, detect.Options{Foreign: true})
		if c.want == "" {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, c.want, in.Format)
		require.Nil(t, in.Data)
		require.NoError(t, in.Close())
		_, err = detect.Open(name, detect.Options{})
		require.ErrorContains(t, err, "this is "+string(c.want)+": "+c.want.Foreign())
		_, err = detect.ParseFormat(string(c.want))
		require.Error(t, err, "there is nothing to read it by")
	}
}

// Nothing of this tree but the fixtures is an input: not the source that quotes
// .ini files, nor the pages about them.
func TestNothingOfTheSourceIsTaken(t *testing.T) {
	n := 0
	for _, pattern := range []string{"*.md", "docs/*.md", "*/*.go", "internal/cmd/testdata/script/*.txtar", ".ci/*", "*/*/*.go"} {
		files, err := filepath.Glob(filepath.Join("..", "..", pattern))
		require.NoError(t, err)
		for _, name := range files {
			b, err := os.ReadFile(name)
			require.NoError(t, err)
			n++
			f, _ := detect.Sniff(b[:min(len(b), 128<<10)], int64(len(b)))
			require.Empty(t, f, name)
		}
	}
	require.Greater(t, n, 500)
}
