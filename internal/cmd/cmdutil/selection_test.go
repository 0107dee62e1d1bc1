package cmdutil_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
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
	require.NoError(t, os.WriteFile(name, []byte("# mine\n\n\\Memory\\*\nMemory\n"), 0o600))
	require.EqualError(t, (&cmdutil.Selection{CounterFiles: []string{name}}).Apply(&capture.Options{}),
		"--counter-file: "+name+", line 4: counter path \"Memory\": it does not begin with \"\\\": want \\object(instance)\\counter, or \\\\host in front of it (offset 0x0)")

	require.NoError(t, os.Truncate(name, 20<<20))
	require.ErrorContains(t, (&cmdutil.Selection{CounterFiles: []string{name}}).Apply(&capture.Options{}), "is longer than 16 MiB")
	_, err := (&cmdutil.Derive{MetricFiles: []string{name}}).Set()
	require.ErrorContains(t, err, "is longer than 16 MiB")
	_, err = (&cmdutil.Derive{MetricFiles: []string{name + ".txt"}}).Set()
	require.ErrorContains(t, err, "no such file")

	require.NoError(t, os.WriteFile(name, []byte("\xFE\xFF\x00\\"), 0o600))
	s := cmdutil.Selection{CounterFiles: []string{name}}
	require.ErrorContains(t, s.Apply(&capture.Options{}), "high byte first")
}
