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
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/perftest"
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
			got = opened{in.Format, in.Packed, in.PackedSize, in.Data}
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

		o.Stdin = iotestOneByteThenAll(b)
		f, err := detect.OpenAt(name, o)
		require.Equal(t, firstErr == nil, err == nil, "%v, %v", firstErr, err)
		if err != nil {
			require.EqualError(t, err, firstErr.Error())
			continue
		}
		data := make([]byte, f.Size())
		_, err = f.ReadAt(data, 0)
		require.True(t, err == nil || errors.Is(err, io.EOF))
		n, err := f.ReadAt(make([]byte, 1), f.Size())
		require.Zero(t, n)
		require.ErrorIs(t, err, io.EOF)
		require.NoError(t, f.Close())
		require.NoError(t, f.Close(), "once more")
		if first.data == nil {
			first.data = data
		}
		require.Equal(t, first, opened{f.Format, f.Packed, f.PackedSize, data})
		if i == 0 && first.format.RandomAccess() {
			first.data = nil
		}
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

func TestOpenOfFormatsForOpenAt(t *testing.T) {
	hive := append([]byte("regf"), make([]byte, 1<<20)...)
	got, err := both(t, hive, detect.Options{MaxUnpacked: 2 << 20})
	require.NoError(t, err)
	require.Equal(t, detect.Hive, got.format)

	in, err := detect.Open("-", detect.Options{Stdin: bytes.NewReader(hive)})
	require.NoError(t, err)
	require.Nil(t, in.Data)
	require.Equal(t, detect.Hive, in.Format)
}

func TestFormatNamed(t *testing.T) {
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
			if c.name == "too long" { // a file that stands there as it is may have any length for OpenAt
				_, err := detect.Open("-", detect.Options{MaxUnpacked: 1000, Stdin: bytes.NewReader(c.data)})
				require.Equal(t, c.code, code(t, err))
				_, err = detect.OpenAt("-", detect.Options{MaxUnpacked: 1000, Stdin: bytes.NewReader(c.data)})
				require.Equal(t, c.code, code(t, err))
				name := write(t, t.TempDir(), "a", c.data)
				_, err = detect.Open(name, c.o)
				require.Equal(t, c.code, code(t, err))
				require.ErrorContains(t, err, c.want)
				f, err := detect.OpenAt(name, c.o)
				require.NoError(t, err)
				require.EqualValues(t, len(c.data), f.Size())
				require.NoError(t, f.Close())
				return
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
			f, err := detect.OpenAt("-", o)
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
	for _, open := range []func(string) error{
		func(name string) error { _, err := detect.Open(name, detect.Options{}); return err },
		func(name string) error { _, err := detect.OpenAt(name, detect.Options{}); return err },
	} {
		dir := t.TempDir()
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

func TestUnknownSaysWhatItLooksLike(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ name, data, want string }{
		{"a", "PK\x03\x04", "a zip archive"},
		{"a", "MZ\x90\x00", "a program or DLL of Windows"},
		{"a", "ElfFile\x00", "an event log (.evtx)"},
		{"a", "%PDF-1.7", "a PDF"},
		{"a", "SQLite format 3\x00", "an SQLite database"},
		{"a", "7z\xBC\xAF\x27\x1C", "a 7-Zip archive"},
		{"a", "PAGEDU64", "a crash dump of the kernel; try carving: --format carve"},
		{"a", trace("NT Kernel Logger", 8), "an event trace (.etl)"},
		{"a", utf16le("PERF CHART"), "an unknown performance log format; try carving"},
		{"a.PMW", "\x01\x02\x03", "an unknown performance log format; try carving"},
		{"a", "\"(PDH-BIN 4.0)\"", "an unknown performance log format; try carving"},
		{"a", "PERF\x01\x00", "performance data with a damaged signature"},
		{"a", "P\x00E\x00r\x00F\x00", "performance data with a damaged signature"},
		{"a", `{"format":"perfdata","file":"x"}`, "a document of dump -o json"},
		{"a", "#define A 0\nint x;\n", "a C header"},
		{"a", strings.Repeat("\x00", 300), "a failed copy: it begins with nothing"},
		{"a", "logs/a.blg" + strings.Repeat("\x00", 247) + "ustar  \x00" + strings.Repeat("\x00", 300), "a tar archive: unpack it first"},
		{"a", "\xFF\xD8\xFF\xE0", "a picture"},
		{"a", "\r\n<!DOCTYPE html><title>Sign in</title>", "HTML or XML, such as a page in the place of a download"},
		{"a", "\xEF\xBB\xBF<?xml version=\"1.0\"?><a/>", "HTML or XML"},
		{"a", utf16le("\uFEFF<html>"), "HTML or XML"},
		{"a", "a < b <html>", "text of another kind"},
	} {
		_, err := detect.Open(write(t, dir, c.name, []byte(c.data)), detect.Options{})
		require.Equal(t, perfdump.CodeUnknownFormat, code(t, err))
		require.ErrorIs(t, err, perfdump.ErrUnknownFormat)
		require.ErrorContains(t, err, "which looks like "+c.want)
		require.Contains(t, detect.Resembles(c.name, []byte(c.data)), c.want)
		// What no --format would read has no list of them.
		word, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(c.want, "a "), "an "), " ")
		readable := slices.Contains([]string{"event", "performance", "document", "C", "failed", "HTML", "text"}, word) && !strings.Contains(c.want, ".evtx")
		require.Equal(t, readable, strings.Contains(err.Error(), "name it: --format"), "%s", err)
	}
	_, err := detect.Open(write(t, dir, "b", []byte{1, 2, 3}), detect.Options{})
	require.ErrorContains(t, err, "it begins 01 02 03 |...|. If")
	_, err = detect.Open(write(t, dir, "c", []byte{0xFF, 0xFF}), detect.Options{})
	require.NotContains(t, err.Error(), "looks like")
}

func TestZstdWindowIsBounded(t *testing.T) {
	// A frame that declares windows of 1 KiB << n, with a block of three bytes
	// in it.
	frame := func(exponent byte) []byte {
		return []byte{0x28, 0xB5, 0x2F, 0xFD, 0, exponent << 3, 3<<3 | 1, 0, 0, 'a', 'b', 'c'}
	}
	used := perftest.Allocated(func() {
		in, err := detect.Open("-", detect.Options{Format: detect.Titles, Stdin: bytes.NewReader(frame(15))}) // 32 MiB
		require.NoError(t, err)
		require.Equal(t, "abc", string(in.Data))
	})
	require.Less(t, used, uint64(64<<20))
	for _, e := range []byte{16, 20, 31} {
		used := perftest.Allocated(func() {
			_, err := detect.Open("-", detect.Options{Format: detect.Titles, Stdin: bytes.NewReader(frame(e))})
			require.Equal(t, perfdump.CodeLimit, code(t, err))
			require.ErrorContains(t, err, "window")
		})
		require.Less(t, used, uint64(16<<20))
	}
	// The window bounds the memory, not the content.
	long := append([]byte(table), make([]byte, 48<<20)...)
	in, err := detect.Open("-", detect.Options{Format: detect.Titles, Stdin: bytes.NewReader(zst(long))})
	require.NoError(t, err)
	require.Len(t, in.Data, len(long))

	// The content's size instead of a window: 1 TiB.
	single := append([]byte{0x28, 0xB5, 0x2F, 0xFD, 0xE0}, binary.LittleEndian.AppendUint64(nil, 1<<40)...)
	used = perftest.Allocated(func() {
		_, err := detect.Open("-", detect.Options{Format: detect.Titles, Stdin: bytes.NewReader(append(single, 3<<3|1, 0, 0, 'a', 'b', 'c'))})
		require.Equal(t, perfdump.CodeLimit, code(t, err))
	})
	require.Less(t, used, uint64(16<<20))
}

func TestMemoryFollowsTheBytesThatCame(t *testing.T) {
	// gzip's own length field is not believed.
	g := gz([]byte(table))
	binary.LittleEndian.PutUint32(g[len(g)-4:], 1<<31)
	used := perftest.Allocated(func() {
		_, err := detect.Open("-", detect.Options{Stdin: bytes.NewReader(g)})
		require.Equal(t, perfdump.CodeIO, code(t, err))
	})
	require.Less(t, used, uint64(4<<20))

	// A bomb of a thousandth ends at the limit.
	bomb := gz(append([]byte(table), make([]byte, 64<<20)...))
	require.Less(t, len(bomb), 1<<20)
	used = perftest.Allocated(func() {
		_, err := detect.Open("-", detect.Options{MaxUnpacked: 8 << 20, Stdin: bytes.NewReader(bomb)})
		require.Equal(t, perfdump.CodeLimit, code(t, err))
	})
	require.Less(t, used, uint64(40<<20))

	// A file that has no blocks on the disk costs nothing where its length is
	// above the limit.
	name := write(t, t.TempDir(), "sparse", []byte(table))
	require.NoError(t, os.Truncate(name, 1<<40))
	used = perftest.Allocated(func() {
		_, err := detect.Open(name, detect.Options{})
		require.Equal(t, perfdump.CodeLimit, code(t, err))
	})
	require.Less(t, used, uint64(4<<20))

	// A stream costs twice its bytes.
	data := perftest.Sized(1, 32<<20)
	used = perftest.Allocated(func() {
		in, err := detect.Open("-", detect.Options{Stdin: bytes.NewReader(data)})
		require.NoError(t, err)
		require.Len(t, in.Data, len(data))
	})
	require.Less(t, used, uint64(2*len(data)+24<<20))
}

func TestFileReadsConcurrently(t *testing.T) {
	data := perftest.Sized(1, 1<<20)
	f, err := detect.OpenAt("-", detect.Options{Stdin: bytes.NewReader(gz(data))})
	require.NoError(t, err)
	defer f.Close()
	done := make(chan error)
	for i := range 8 {
		go func() {
			b := make([]byte, 1000)
			var err error
			for off := int64(i); err == nil && off < f.Size()-1000; off += 7919 {
				if _, err = f.ReadAt(b, off); err == nil && !bytes.Equal(b, data[off:off+1000]) {
					err = errors.New("other bytes")
				}
			}
			done <- err
		}()
	}
	for range 8 {
		require.NoError(t, <-done)
	}
}
