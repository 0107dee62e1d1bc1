package detect_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

func gz(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(b)
	_ = w.Close()
	return out.Bytes()
}

func zst(b []byte) []byte {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err)
	}
	return w.EncodeAll(b, nil)
}

func write(t *testing.T, dir, name string, b []byte) string {
	t.Helper()
	name = filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
	require.NoError(t, os.WriteFile(name, b, 0o600))
	return name
}

// code returns the code of an error, which must be a FormatError.
func code(t *testing.T, err error) perfdump.Code {
	t.Helper()
	var fe *perfdump.FormatError
	require.ErrorAs(t, err, &fe)
	return fe.Code
}

// opened is what both ways to open gave.
type opened struct {
	format     detect.Format
	packed     string
	packedSize int64
	data       []byte
}

// both opens a file, and its bytes from standard input, in both ways, and
// wants the same from all.
func both(t *testing.T, b []byte, o detect.Options) (opened, error) {
	t.Helper()
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Setenv("TMP", tmp)
	file := write(t, t.TempDir(), "in", b)
	var first opened
	var firstErr error
	for i, name := range []string{file, "-"} {
		o.Stdin = iotestOneByteThenAll(b)
		in, err := detect.Open(name, o)
		var got opened
		if err == nil {
			require.Equal(t, name, in.Name)
			require.Equal(t, in.Format.RandomAccess(), in.At != nil)
			got = opened{in.Format, in.Packed, in.PackedSize, nil}
			got.data, err = in.Bytes(detect.Options{})
			require.NoError(t, err)
		}
		if i == 0 {
			first, firstErr = got, err
		} else {
			require.Equal(t, firstErr == nil, err == nil, "%v, %v", firstErr, err)
			require.Equal(t, first, got)
			if err != nil {
				require.EqualError(t, err, firstErr.Error())
			}
		}

		if err != nil {
			continue
		}
		require.NoError(t, in.Close())
		at := o // of a format that is read at any offset
		at.Format, at.Stdin = detect.Carve, iotestOneByteThenAll(b)
		f, err := detect.Open(name, at)
		require.NoError(t, err)
		data, err := f.Bytes(detect.Options{})
		require.NoError(t, err)
		n, err := f.At.ReadAt(make([]byte, 1), f.Size())
		require.Zero(t, n)
		require.ErrorIs(t, err, io.EOF)
		require.NoError(t, f.Close())
		require.NoError(t, f.Close(), "once more")
		require.Equal(t, first, opened{first.format, f.Packed, f.PackedSize, data})
	}
	left, err := os.ReadDir(tmp)
	require.NoError(t, err)
	require.Empty(t, left, "temporary files")
	return first, firstErr
}

// iotestOneByteThenAll returns a reader that hands out little at first.
func iotestOneByteThenAll(b []byte) io.Reader {
	n := min(1, len(b))
	return io.MultiReader(bytes.NewReader(b[:n]), bytes.NewReader(b[n:]))
}

func TestOpen(t *testing.T) {
	small := perftest.Sized(1, 2000)
	large := perftest.Sized(1, 600<<10)
	for _, b := range [][]byte{small, large, large[:128<<10], large[:128<<10+1], large[:128<<10-1]} {
		g, z := gz(b), zst(b)
		for _, c := range []struct {
			data   []byte
			packed string
		}{
			{b, ""},
			{g, "gzip"},
			{z, "zstd"},
			{gz(z), "gzip+zstd"},
			{zst(g), "zstd+gzip"},
			{gz(g), "gzip+gzip"},
			{append(gz(b[:100]), gz(b[100:])...), "gzip"}, // two members
			{append(zst(b[:100]), zst(b[100:])...), "zstd"},
		} {
			got, err := both(t, c.data, detect.Options{})
			require.NoError(t, err)
			want := opened{format: detect.PerfData, packed: c.packed, data: b}
			if c.packed != "" {
				want.packedSize = int64(len(c.data))
			}
			require.True(t, bytes.Equal(want.data, got.data))
			want.data, got.data = nil, nil
			require.Equal(t, want, got)
		}
	}
}

func TestFormatNamed(t *testing.T) {
	got, err := both(t, append([]byte("regf"), make([]byte, 1<<20)...), detect.Options{MaxUnpacked: 2 << 20})
	require.NoError(t, err)
	require.Equal(t, detect.Hive, got.format) // which is read at any offset
	for _, b := range []string{"", "nothing known", table} {
		got, err := both(t, []byte(b), detect.Options{Format: detect.PerfData})
		require.NoError(t, err)
		require.Equal(t, detect.PerfData, got.format)
		require.Equal(t, b, string(got.data))
	}
}

func TestOpenErrors(t *testing.T) {
	block := perftest.Sized(1, 300<<10)
	noise := make([]byte, 1<<20)
	rand.NewChaCha8([32]byte{1}).Read(noise)
	noisy := gz(append([]byte(table), noise...))
	badSum := bytes.Clone(gz(block))
	badSum[len(badSum)-8]++
	badZstd := bytes.Clone(zst(block))
	badZstd[len(badZstd)/2] ^= 0xFF
	for _, c := range []struct {
		name string
		data []byte
		o    detect.Options
		code perfdump.Code
		want string
	}{
		{"empty", nil, detect.Options{}, "empty", "the input is empty"},
		{"empty gzip", gz(nil), detect.Options{}, "empty", "the gzip data unpack to nothing"},
		{
			"unknown", []byte("hello, world, and so on"),
			detect.Options{},
			"unknown-format",
			"unknown format: it begins 68 65 6c 6c 6f 2c 20 77 6f 72 6c 64 2c 20 61 6e |hello, world, an|, which looks like text of another kind. " +
				"If you know what it is, name it: --format perfdata, blg,",
		},
		{"unknown in gzip", gz([]byte("hello")), detect.Options{}, "unknown-format", "68 65 6c 6c 6f |hello|"},
		{"too long", block, detect.Options{MaxUnpacked: 1000}, "limit", "longer than the limit of 1000 bytes; raise it by --max-unpacked"},
		{"too long packed", gz(block), detect.Options{MaxUnpacked: 1000}, "limit", "the gzip data unpack to more than the limit of 1000 bytes"},
		{"too long behind the head", zst(block), detect.Options{MaxUnpacked: 200 << 10}, "limit", "the zstd data unpack to more"},
		{"too long inside", gz(gz(append([]byte(table), make([]byte, 1<<20)...))), detect.Options{MaxUnpacked: 1 << 19}, "limit", "the gzip data unpack to more"},
		{"three layers", gz(zst(gz(block))), detect.Options{}, "limit", "packed more than 2 times (gzip in gzip+zstd)"},
		{"cut gzip", gz(block)[:2000], detect.Options{}, "truncated", "the gzip data are cut short,"},
		{"cut far behind", noisy[:len(noisy)-4], detect.Options{}, "unknown-format", ""},
		{"cut zstd", zst(block)[:2000], detect.Options{}, "truncated", "the zstd data are cut short,"},
		{"cut gzip in gzip", gz(gz(block)[:2000]), detect.Options{}, "truncated", "the gzip data are cut short,"},
		{"bad sum", badSum, detect.Options{}, "io", "the gzip data are damaged after"},
		{"bad zstd", badZstd, detect.Options{}, "io", "the zstd data are damaged after"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "too long" { // a file that is read at any offset may have any length
				f, err := detect.Open(write(t, t.TempDir(), "a", c.data), detect.Options{Format: detect.Carve, MaxUnpacked: 1000})
				require.NoError(t, err)
				require.EqualValues(t, len(c.data), f.Size())
				require.NoError(t, f.Close())
			}
			_, err := both(t, c.data, c.o)
			require.Equal(t, c.code, code(t, err), err)
			require.ErrorContains(t, err, c.want)
			require.NotErrorIs(t, err, perfdump.ErrAnomaly)
		})
	}
}

func TestCutPackedDataAtEveryLength(t *testing.T) {
	b := perftest.Sized(1, 3000)
	for _, packed := range [][]byte{gz(b), zst(b)} {
		for n := 4; n < len(packed); n++ {
			_, err := detect.Open("-", detect.Options{Stdin: bytes.NewReader(packed[:n])})
			require.Error(t, err)
			require.Equal(t, perfdump.CodeTruncated, code(t, err), "%d bytes: %v", n, err)
			require.ErrorIs(t, err, perfdump.ErrTruncated)
		}
	}
}

// What is left of packed data is the input where somebody is told of it, once;
// it is the start of what was packed.
func TestCutPackedDataAreTold(t *testing.T) {
	b := make([]byte, 1<<20) // of several blocks, packed
	rand.NewChaCha8([32]byte{1}).Read(b)
	copy(b, perftest.Sized(1, 300<<10))
	damaged := bytes.Clone(gz(b))
	damaged[len(damaged)-8]++
	for name, packed := range map[string][]byte{
		"gzip": gz(b)[:len(gz(b))/2], "zstd": zst(b)[:len(zst(b))/2], "gzip+gzip": gz(gz(b)[:len(gz(b))/2]), "gzip+zstd": gz(zst(b))[:len(gz(zst(b)))/2],
		"sum": damaged,
	} {
		t.Run(name, func(t *testing.T) {
			var told []error
			o := detect.Options{Format: detect.PerfData, Cut: func(name string, err error) {
				require.Equal(t, "-", name)
				told = append(told, err)
			}}
			o.Stdin = bytes.NewReader(packed)
			in, err := detect.Open("-", o)
			require.NoError(t, err)
			require.Len(t, told, 1)
			want := perfdump.CodeTruncated
			if name == "sum" {
				want = perfdump.CodeIO
				require.Equal(t, b, in.Data)
			}
			require.Equal(t, want, code(t, told[0]))
			require.NotEmpty(t, in.Data)
			require.True(t, bytes.HasPrefix(b, in.Data))

			o.Stdin = bytes.NewReader(packed)
			o.Format = detect.Carve
			f, err := detect.Open("-", o)
			require.NoError(t, err)
			require.Len(t, told, 2)
			again, err := f.Bytes(o)
			require.NoError(t, err)
			require.Equal(t, in.Data, again)
			require.NoError(t, f.Close())
		})
	}
	for _, row := range []struct {
		packed []byte
		limit  int64
	}{{gz(b), 1000}, {gz(b)[:5], 0}, {gz(b)[:12], 0}, {zst(b)[:12], 0}} {
		o := detect.Options{MaxUnpacked: row.limit, Stdin: bytes.NewReader(row.packed)}
		o.Cut = func(string, error) { require.Fail(t, "a limit is no damage, and nothing is no input") }
		_, err := detect.Open("-", o)
		require.Error(t, err)
	}
}

func TestFileErrors(t *testing.T) {
	for _, format := range []detect.Format{"", detect.Carve} {
		dir := t.TempDir()
		open := func(name string) error {
			_, err := detect.Open(name, detect.Options{Format: format})
			return err
		}
		err := open(filepath.Join(dir, "absent"))
		require.Equal(t, perfdump.CodeIO, code(t, err))
		require.ErrorIs(t, err, fs.ErrNotExist)
		require.NotContains(t, err.Error(), "absent", "whoever prints the error names the file")

		err = open(dir)
		require.Equal(t, perfdump.CodeIO, code(t, err))
		require.ErrorContains(t, err, "is a directory")
	}
	broken := errors.New("the disk is gone")
	for _, head := range []string{"", "P\x00E\x00R\x00F\x00" + strings.Repeat("x", 1<<20)} {
		r := io.MultiReader(strings.NewReader(head), failing{broken})
		_, err := detect.Open("-", detect.Options{Stdin: r})
		require.Equal(t, perfdump.CodeIO, code(t, err))
		require.ErrorIs(t, err, broken)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// TestMemoryFollowsTheBytesThatCame: what an input claims, of its length or of
// the window that zstd needs, costs nothing.
func TestMemoryFollowsTheBytesThatCame(t *testing.T) {
	// A frame that declares windows of 1 KiB << n, with a block of three bytes.
	frame := func(exponent byte) []byte {
		return []byte{0x28, 0xB5, 0x2F, 0xFD, 0, exponent << 3, 3<<3 | 1, 0, 0, 'a', 'b', 'c'}
	}
	single := append([]byte{0x28, 0xB5, 0x2F, 0xFD, 0xE0}, binary.LittleEndian.AppendUint64(nil, 1<<40)...) // the content's size instead
	claim := gz([]byte(table))
	binary.LittleEndian.PutUint32(claim[len(claim)-4:], 1<<31)
	large := perftest.Sized(1, 32<<20)
	sparse := write(t, t.TempDir(), "sparse", []byte(table))
	require.NoError(t, os.Truncate(sparse, 1<<40))
	for _, c := range []struct {
		name  string
		data  []byte
		o     detect.Options
		code  perfdump.Code
		limit uint64
	}{
		{"window of 32 MiB", frame(15), detect.Options{Format: detect.Titles}, "", 64 << 20},
		{"window of 64 MiB", frame(16), detect.Options{Format: detect.Titles}, perfdump.CodeLimit, 16 << 20},
		{"window of 2 TiB", frame(31), detect.Options{Format: detect.Titles}, perfdump.CodeLimit, 16 << 20},
		{"content of 1 TiB", append(single, 3<<3|1, 0, 0, 'a', 'b', 'c'), detect.Options{Format: detect.Titles}, perfdump.CodeLimit, 16 << 20},
		{"a content longer than its window", zst(append([]byte(table), make([]byte, 48<<20)...)), detect.Options{Format: detect.Titles}, "", 256 << 20},
		{"gzip's own length", claim, detect.Options{}, perfdump.CodeIO, 4 << 20},
		{"a bomb of a thousandth", gz(append([]byte(table), make([]byte, 64<<20)...)), detect.Options{MaxUnpacked: 8 << 20}, perfdump.CodeLimit, 40 << 20},
		{"a file without blocks on the disk", nil, detect.Options{}, perfdump.CodeLimit, 4 << 20},
		{"a stream", large, detect.Options{}, "", uint64(2*len(large) + 24<<20)},
	} {
		name := "-"
		if c.data == nil {
			name = sparse
		}
		c.o.Stdin = bytes.NewReader(c.data)
		used := perftest.Allocated(func() {
			_, err := detect.Open(name, c.o)
			if c.code == "" {
				require.NoError(t, err, c.name)
			} else {
				require.Equal(t, c.code, code(t, err), "%s: %v", c.name, err)
			}
		})
		require.Less(t, used, c.limit, c.name)
	}
}
