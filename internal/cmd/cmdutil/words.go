package cmdutil

import (
	"fmt"
	"io"
	"os"

	"github.com/perfdump/perfdump/detect"
)

// maxWords is how long a file of paths or of metrics may be. What is longer was
// written by no person, nor by typeperf -qx.
const maxWords = 16 << 20

// readWords reads a file that a flag names.
func readWords(flag, name string) ([]byte, error) {
	if err := detect.CheckFile(name); err != nil {
		return nil, fmt.Errorf("%s %s: %w", flag, name, err)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, Usagef("%s: %v", flag, err)
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxWords+1))
	switch {
	case err != nil:
		return nil, Usagef("%s: %v", flag, err)
	case len(text) > maxWords:
		return nil, &UsageError{Text: flag + ": " + name + " is longer than 16 MiB", Hint: "want a text of a line for each"}
	}
	return text, nil
}
