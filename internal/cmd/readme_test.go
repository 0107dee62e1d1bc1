package cmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReadmeShowsWhatIsPrinted runs what README shows behind "$ perfdump" and
// wants what stands under it; "..." stands for any lines.
func TestReadmeShowsWhatIsPrinted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a Unix shell")
	}
	readme, err := os.ReadFile(filepath.Join(repo(t), "README.md"))
	require.NoError(t, err)
	shown := regexp.MustCompile(`(?ms)^\$ (perfdump [^\n]*)\n(.*?)(^\$ |^` + "```" + `)`)
	rest, n := string(readme), 0
	for {
		m := shown.FindStringSubmatchIndex(rest)
		if m == nil {
			break
		}
		line, want := rest[m[2]:m[3]], rest[m[4]:m[5]]
		rest = rest[m[6]:]
		n++
		t.Run(line, func(t *testing.T) {
			sh := exec.Command("sh", "-c", line)
			sh.Dir = repo(t)
			out, _ := sh.Output() // check has findings
			got := string(out)
			for _, part := range strings.Split(want, "  ...\n") {
				part = strings.TrimRight(part, "\n")
				i := strings.Index(got, part)
				require.GreaterOrEqual(t, i, 0, "README shows\n%s\nthe command printed\n%s", part, out)
				got = got[i+len(part):]
			}
		})
	}
	require.GreaterOrEqual(t, n, 3)
}
