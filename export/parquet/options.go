package parquet

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
)

// Options says how files are written.
type Options struct {
	Columns     []string          // on request, as csv and jsonl have them
	Compression string            // one of [Compressions]; "" is zstd
	Metadata    map[string]string // of the file, such as its source
	Version     string            // of perfdump, for the file to say what wrote it
	GroupRows   int               // rows of a group at most; 0 is 131,072

	level zstd.EncoderLevel // 0 is the fastest one
}

// Compressions returns the names of the ways to compress, the usual one first.
func Compressions() []string { return []string{"zstd", "snappy", "none"} }

// The codecs of pages, as footers have them.
const (
	plainCodec  = 0
	snappyCodec = 1
	zstdCodec   = 6
)

// codec packs pages.
type codec struct {
	number int
	pack   func(dst, src []byte) []byte
}

func (o Options) codec() (*codec, error) {
	switch o.Compression {
	case "", "zstd":
		// The fastest level has the smallest window; columns gain little by more where
		// rows are in the order of time.
		encoder, err := zstd.NewWriter(nil,
			zstd.WithEncoderLevel(cmp.Or(o.level, zstd.SpeedFastest)), zstd.WithEncoderConcurrency(1),
			zstd.WithLowerEncoderMem(true), zstd.WithZeroFrames(true), zstd.WithEncoderCRC(false))
		if err != nil {
			return nil, err
		}
		return &codec{zstdCodec, func(dst, src []byte) []byte { return encoder.EncodeAll(src, dst) }}, nil
	case "snappy":
		return &codec{snappyCodec, func(dst, src []byte) []byte { return append(dst, s2.EncodeSnappy(nil, src)...) }}, nil
	case "none":
		return &codec{plainCodec, func(dst, src []byte) []byte { return append(dst, src...) }}, nil
	}
	return nil, fmt.Errorf("no compression %q: there are %s", o.Compression, strings.Join(Compressions(), ", "))
}
