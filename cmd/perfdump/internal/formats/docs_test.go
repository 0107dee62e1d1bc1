package formats

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/testkit/doctest"
)

// TestArchitecture keeps the entry on the page as it is in the code.
func TestArchitecture(t *testing.T) {
	code, err := os.ReadFile("symbolh.go")
	require.NoError(t, err)
	_, entry, _ := strings.Cut(string(code), ")\n\n")
	end := strings.Index(entry, "\nfunc symbolHContents")
	require.Positive(t, end)
	p := doctest.Open(t, root+"docs/architecture.md")
	p.Set("entry", "```go\n"+strings.TrimSpace(entry[:end])+"\n```\n")
	p.Close()
}
