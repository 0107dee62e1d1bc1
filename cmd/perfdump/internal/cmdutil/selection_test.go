package cmdutil_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/internal/wire"
)

// TestFilesOfWordsInAnyEncoding holds that the files of --counter-file and
// --derive-file may be in what editors and shells of Windows write.
func TestFilesOfWordsInAnyEncoding(t *testing.T) {
	name := filepath.Join(t.TempDir(), "words.txt")
	const path, metric = `\Café(*)\Größe`, `Größe = Süß / 2`
	for encoding, encode := range map[string]func(s string) []byte{
		"UTF-8":              func(s string) []byte { return []byte(s) },
		"UTF-8 with a mark":  func(s string) []byte { return []byte("\xEF\xBB\xBF" + s) },
		"UTF-16":             func(s string) []byte { return wire.EncodeUTF16(nil, s) },
		"UTF-16 with a mark": func(s string) []byte { return wire.EncodeUTF16([]byte{0xFF, 0xFE}, s) },
		"western code page":  func(s string) []byte { p, _ := wire.LookupCodePage(1252); b, _ := p.Encode(nil, s); return b },
	} {
		t.Run(encoding, func(t *testing.T) {
			require.NoError(t, os.WriteFile(name, encode("# these\r\n\r\n"+path+"\r\n\""+path+"\"\r\n"), 0o600))
			s := cmdutil.Selection{CounterFiles: []string{name}}
			require.NoError(t, s.Apply(&capture.Options{}))
			require.Equal(t, []string{path, path}, s.Counters)

			require.NoError(t, os.WriteFile(name, encode(metric+"\r\n"), 0o600))
			d := cmdutil.Derive{MetricFiles: []string{name}}
			set, err := d.Set()
			require.NoError(t, err)
			_, ok := set.Find("Größe")
			require.True(t, ok)
		})
	}
	for _, test := range []struct{ text, want string }{
		{"# mine\n\n\\Memory\\*\nMemory\n", "line 4: counter path \"Memory\": it does not begin with"},
		{strings.Repeat("#", 20<<20), "is longer than 16 MiB"},
		{"\xFE\xFF\x00\\", "big-endian UTF-16"},
	} {
		require.NoError(t, os.WriteFile(name, []byte(test.text), 0o600))
		require.ErrorContains(t, (&cmdutil.Selection{CounterFiles: []string{name}}).Apply(&capture.Options{}), test.want)
	}
	_, err := (&cmdutil.Derive{MetricFiles: []string{name + ".txt"}}).Set()
	require.ErrorContains(t, err, "no such file")
}
