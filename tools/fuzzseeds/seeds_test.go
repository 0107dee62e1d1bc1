package main

import (
	"archive/zip"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// consumer takes arguments from an input as go-118-fuzz-build does, written
// after its testing/f.go and after consumer.go of go-fuzz-headers.
type consumer struct {
	b     []byte
	short bool
}

func (c *consumer) take(n uint32) []byte {
	if len(c.b) == 0 || uint32(len(c.b)) < n {
		c.short = true
		return make([]byte, n)
	}
	b := c.b[:n]
	c.b = c.b[n:]
	return b
}

func (c *consumer) even() bool { return c.take(1)[0]%2 == 0 }

func (c *consumer) uint(n uint32) uint64 {
	b := make([]byte, 8)
	copy(b, c.take(n))
	if c.even() {
		return binary.LittleEndian.Uint64(b)
	}
	return binary.BigEndian.Uint64(b) >> (64 - 8*n)
}

func (c *consumer) bytes() []byte {
	n, left := binary.BigEndian.Uint32(c.take(4)), uint32(len(c.b))
	if n == 0 {
		n = 30
	}
	if left == 0 {
		c.short = true
		return nil
	}
	if n != left {
		n %= left
	}
	b := c.b[:n]
	c.b = c.b[n:]
	return b
}

func (c *consumer) string() string {
	n := binary.BigEndian.Uint32(c.take(4))
	if len(c.b) == 0 {
		c.short = true
		return ""
	}
	if n == 0 {
		return ""
	}
	return string(c.take(n))
}

func (c *consumer) like(arg any) any {
	switch arg.(type) {
	case []byte:
		return c.bytes()
	case string:
		return c.string()
	case bool:
		return c.even()
	case byte:
		return c.take(1)[0]
	case int8:
		return int8(c.take(1)[0])
	case uint16:
		return uint16(c.uint(2))
	case uint32:
		return binary.BigEndian.Uint32(c.take(4))
	case uint64:
		return c.uint(8)
	case int64:
		return int64(c.uint(8))
	case int:
		return int(c.uint(8))
	default:
		return math.Float64frombits(c.uint(8))
	}
}

// same is whether two arguments are the same, NaN too.
func same(a, b any) bool { return fmt.Sprintf("%#v", a) == fmt.Sprintf("%#v", b) }

// TestEncode: what is encoded is taken again, whatever stands last.
func TestEncode(t *testing.T) {
	for _, args := range [][]any{
		{[]byte("PERF")},
		{[]byte{}},
		{[]byte{}, []byte{}},
		{[]byte{}, []byte("x")},
		{[]byte("x"), []byte{}},
		{[]byte("a"), []byte{}, []byte("b"), uint32(7)},
		{[]byte(strings.Repeat("x", 31)), byte(0xff), int8(-3), true},
		{[]byte("x"), "", false},
		{[]byte{}, ""},
		{"", "a", "", ""},
		{uint32(0xdeadbeef), uint16(0x1234), uint64(1 << 63), int64(-1), -2},
		{1.5, math.Inf(-1), math.NaN(), math.MaxFloat64},
	} {
		c := consumer{b: encode(args)}
		for i, want := range args {
			if got := c.like(want); c.short || !same(got, want) {
				t.Errorf("%q: argument %d is %v, %T, nothing left: %v", args, i, got, got, c.short)
			}
		}
	}
}

func TestParse(t *testing.T) {
	got, err := parse("go test fuzz v1\n[]byte(\"a\\x00\\xff\")\nstring(\"é\\n\")\nbyte('\\u0089')\nbyte('\\x00')\nbyte('a')\nbyte('\\'')\nuint8(7)\n" +
		"bool(true)\nint(-5)\nint8(-128)\nint64(-62135596800)\nuint16(65535)\nuint32(4294967295)\nuint64(18446744073709551615)\n" +
		"float64(3.5)\nfloat64(-Inf)\nmath.Float64frombits(0x4009000000000000)\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []any{
		[]byte("a\x00\xff"), "é\n", byte(0x89), byte(0), byte('a'), byte('\''), byte(7),
		true, -5, int8(-128), int64(-62135596800), uint16(65535), uint32(math.MaxUint32), uint64(math.MaxUint64),
		3.5, math.Inf(-1), 3.125,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %#v\nwant %#v", got, want)
	}
	for seed, want := range map[string]string{
		"":                                 "first line",
		"[]byte(\"\")":                     "first line",
		header + "\n":                      "no arguments",
		header:                             "no arguments",
		header + "\nuint32(1)\nuint8(256)": "line 3",
		header + "\nstruct{}":              "line 2",
		header + "\ncomplex64(1)":          "no target takes",
	} {
		if _, err := parse(seed); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", seed, err)
		}
	}
}

// TestSeeds packs every seed of the tree, and takes it from the zip again.
func TestSeeds(t *testing.T) {
	dirs, err := filepath.Glob("../../*/testdata/fuzz/*")
	if err != nil || len(dirs) == 0 {
		t.Fatal("no seeds", err)
	}
	for _, dir := range dirs {
		file := filepath.Join(t.TempDir(), "seeds.zip")
		if err := pack(dir, file); err != nil {
			t.Error(err)
			continue
		}
		z, err := zip.OpenReader(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			seed, err := os.ReadFile(filepath.Join(dir, f.Name))
			if err != nil {
				t.Fatal(err)
			}
			args, err := parse(string(seed))
			if err != nil {
				t.Fatal(err)
			}
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			c := consumer{b: b}
			for i, want := range args {
				if got := c.like(want); c.short || !same(got, want) {
					t.Errorf("%s: argument %d of %s is another", dir, i, f.Name)
				}
			}
		}
		_ = z.Close()
	}
}
