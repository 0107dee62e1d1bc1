// Package packed holds the fonts of pictures and the time zones. They are large and
// seldom needed, so they are unpacked at their first use; packed_test.go packs them.
// NOTICE has the license of the fonts; the time zones are in the public domain.
package packed

import (
	"bytes"
	_ "embed"
	"strconv"
	"sync"

	"github.com/klauspost/compress/zstd"
)

//go:embed fonts.zst
var fontFiles []byte

//go:embed zones.zst
var zoneFiles []byte

var (
	fonts = sync.OnceValue(func() map[string][]byte { return unpack(fontFiles) })
	zones = sync.OnceValue(func() map[string][]byte { return unpack(zoneFiles) })
)

// Font returns the Go font of a style: Regular, Bold or Italic.
func Font(style string) []byte { return fonts()[style] }

// Zone returns what [time.LoadLocationFromTZData] reads, nil for an unknown name.
func Zone(name string) []byte { return zones()[name] }

// unpack returns files by their names. Each has a line before it, of its name and
// its size.
func unpack(packed []byte) map[string][]byte {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		panic(err)
	}
	defer d.Close()
	text, err := d.DecodeAll(packed, nil)
	if err != nil {
		panic(err) // it is part of the program
	}
	all := map[string][]byte{}
	for len(text) > 0 {
		head, rest, _ := bytes.Cut(text, []byte("\n"))
		name, digits, _ := bytes.Cut(head, []byte(" "))
		size, _ := strconv.Atoi(string(digits)) // TestPacked reads them all
		all[string(name)], text = rest[:size], rest[size:]
	}
	return all
}
