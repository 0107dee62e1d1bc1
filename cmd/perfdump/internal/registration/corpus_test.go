package registration_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/registration"
	"github.com/perfdump/perfdump/internal/detect"
)

const corpus = "../../../../../shared/corpus"

// examine gives all files of a folder of the corpus to the doctor.
func examine(t *testing.T, dir string) []registration.Finding {
	t.Helper()
	dir = filepath.Join(corpus, dir)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no corpus: %v", err)
	}
	all := &registration.Files{}
	for in, err := range detect.Walk([]string{dir}, detect.Options{}) {
		if errors.Is(err, perfdump.ErrUnknownFormat) || err == nil && !registration.Reads(in.Format) {
			continue
		}
		require.NoError(t, err)
		require.NoError(t, all.Add(in, registration.Options{}), in.Name)
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
		assert.NotEqual(t, registration.Error, f.Severity, "%v", f)
		t.Log(f)
	}
}
