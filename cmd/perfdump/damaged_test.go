package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/internal/detect"
)

// TestDamagedFiles runs rows of the matrix on files of which a few bytes are
// other than they were, or gone, and some stand there many times: each ends with
// an exit code, texts that are text, and JSON that is JSON. With PERFDUMP_LONG=1
// there are many more.
func TestDamagedFiles(t *testing.T) {
	s := newShelf(t)
	n := 400
	if os.Getenv("PERFDUMP_LONG") != "" {
		n = 40000
	}
	random := rand.New(rand.NewPCG(1, 1))
	for i := range n {
		r, f := s.matrix.rows[random.IntN(len(s.matrix.rows))], s.fixtures[random.IntN(len(s.fixtures))]
		name, data := f.name, f.data
		if strings.Contains(r.line, "DOCUMENT") {
			var err error
			name = fmt.Sprintf("document-%d", i)
			data, err = os.ReadFile("document-" + f.name)
			require.NoError(t, err)
		}
		data = damaged(random, data)
		require.NoError(t, os.WriteFile(name, data, 0o600))
		args := s.args(row{line: strings.Replace(r.line, "DOCUMENT", "FILE", 1)}, f, name)
		if random.IntN(3) == 0 && !strings.Contains(r.line, "--mode") && strings.HasSuffix(r.line, " CUT") {
			args = append(args, "--mode", "salvage")
		}
		code, out, stderr := runWith(t, nil, args...)
		about := fmt.Sprintf("file %d: perfdump %s\n%.300s", i, strings.Join(args, " "), stderr)
		require.Contains(t, []int{cmdutil.ExitOK, cmdutil.ExitFindings, cmdutil.ExitInput, cmdutil.ExitUsage}, code, about)
		require.True(t, code < cmdutil.ExitInput || stderr != "", about)
		require.True(t, utf8.ValidString(stderr), about)
		requireWritten(t, r, out, about)
	}
}

// TestOffsetsAreWithinTheFile damages and cuts files of all formats: whatever is
// told of one, error, fault or anomaly, has its place within the file. With
// PERFDUMP_LONG=1 there are many more.
func TestOffsetsAreWithinTheFile(t *testing.T) {
	n := 40
	if os.Getenv("PERFDUMP_LONG") != "" {
		n = 1000
	}
	random := rand.New(rand.NewPCG(2, 2))
	all := fixtures(t)
	t.Chdir(t.TempDir())
	for _, f := range all {
		told := 0
		for i := range n {
			b := damaged(random, f.data)
			switch i % 3 {
			case 0:
				b = bytes.Clone(f.data[:random.IntN(len(f.data))])
			case 1: // references and lengths that lead far away
				b = bytes.Clone(f.data)
				for range 1 + random.IntN(4) {
					at := random.IntN(max(1, len(b)-3)) &^ 3
					copy(b[at:], [][]byte{{0xff, 0xff, 0xff, 0x7f}, {0xff, 0xff, 0xff, 0xff}, {0, 0, 1, 0}, {0xf8, 0xff, 0xff, 0x0f}}[random.IntN(4)])
				}
			}
			require.NoError(t, os.WriteFile(f.name, b, 0o600))
			mode := []string{"tolerant", "salvage", "strict"}[random.IntN(3)]
			_, stdout, stderr := runWith(t, nil, "check", "-o", "json", "--errors", "json", "--mode", mode, "--format", string(f.format), f.name)
			for _, e := range append(jsonErrors(t, stdout), jsonErrors(t, stderr)...) {
				if e.Offset == nil || e.File != f.name {
					continue
				}
				told++
				require.True(t, *e.Offset >= 0 && *e.Offset <= int64(len(b)), "file %d of %s, %s, of %d bytes: %+v", i, f.format, mode, len(b), e)
			}
		}
		if f.format != detect.Carve { // which gives what is whole, and nothing else
			assert.NotZero(t, told, f.format)
		}
	}
}

// requireWritten wants an output to be of its kind.
func requireWritten(t *testing.T, r row, out, about string) {
	t.Helper()
	switch r.output() {
	case "parquet", "multisz", "dat", "perfstrings", "reg":
		return // bytes, or those of the input
	case "json", "jsonl":
		for dec := json.NewDecoder(strings.NewReader(out)); ; {
			var document json.RawMessage
			err := dec.Decode(&document)
			if err == io.EOF {
				break
			}
			require.NoError(t, err, about)
		}
	}
	require.True(t, r.verb() == "encode" || utf8.ValidString(out), about)
}

// damaged returns a file with up to three faults, and maybe with some bytes as
// often as bounds of texts and buffers have it.
func damaged(random *rand.Rand, b []byte) []byte {
	const odd = "\x00\x1a\t\n\r\"'(),-/09;<=@[\\]a\x80\x81\xc3\xd8\xdc\xe9\xed\xf0\xff"
	b = bytes.Clone(b)
	for range random.IntN(4) {
		i := random.IntN(len(b))
		j := min(i+1+random.IntN(16), len(b))
		switch random.IntN(4) {
		case 0:
			b[i] = odd[random.IntN(len(odd))]
		case 1:
			b = append(b[:i:i], b[j:]...)
		case 2:
			b = append(b[:j:j], b[i:]...)
		case 3:
			b = b[:j]
		}
		if len(b) == 0 {
			return []byte{0}
		}
	}
	if random.IntN(2) == 0 {
		return b
	}
	i := random.IntN(len(b))
	unit := b[i:min(i+1+random.IntN(6), len(b))]
	if random.IntN(2) == 0 {
		unit = []byte{odd[random.IntN(len(odd))]}
	}
	bounds := []int{16, 256, 1024, 2048, 4096, 8192, 16 << 10, 32 << 10}
	more := bytes.Repeat(unit, bounds[random.IntN(len(bounds))]+random.IntN(9)-4)
	return append(append(b[:i:i], more...), b[i:]...)
}
