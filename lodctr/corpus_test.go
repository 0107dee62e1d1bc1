package lodctr_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/lodctr"
)

const corpus = "../../shared/corpus"

// examine gives all files of a folder of the corpus to the doctor.
func examine(t *testing.T, dir string) []lodctr.Finding {
	t.Helper()
	dir = filepath.Join(corpus, dir)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no corpus: %v", err)
	}
	all := &lodctr.Files{}
	for in, err := range detect.Walk([]string{dir}, detect.Options{}) {
		if errors.Is(err, perfdump.ErrUnknownFormat) || err == nil && !lodctr.Reads(in.Format) {
			continue
		}
		require.NoError(t, err)
		require.NoError(t, all.Add(in, lodctr.Options{}), in.Name)
	}
	return all.Examine()
}

// What is wrong with files that were shipped, and nothing else.
func TestCorpus(t *testing.T) {
	for dir, want := range map[string][]string{
		"registration/pywin32":               {"E03", "E04", "W04"},
		"registration/ms-sdk-samples-appmem": {"N01", "W04", "W09", "W12"},
		"registration/ms-docs-sample":        {"W11"},
		"registration/ms-ese-generated":      {"W09"}, // two names end in a blank
	} {
		t.Run(dir, func(t *testing.T) {
			all := examine(t, dir)
			assert.Equal(t, want, ids(all), "%v", all)
		})
	}
}

// A hive of a Windows that runs has no errors.
func TestHive(t *testing.T) {
	for _, f := range examine(t, "hives") {
		assert.NotEqual(t, lodctr.Error, f.Severity, "%v", f)
		t.Log(f)
	}
}
