package parquet

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	zstdcodec "github.com/klauspost/compress/zstd"
	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// Options says how files are written.
type Options struct {
	Columns     []string          // on request, as csv and jsonl have them
	Compression string            // one of [Compressions]; "" is zstd
	Metadata    map[string]string // of the file, such as what wrote it and its source
}

// Compressions returns the names of the ways to compress, the usual one first.
func Compressions() []string { return []string{"zstd", "snappy", "none"} }

func (o Options) codec() (compress.Codec, error) {
	switch o.Compression {
	case "", "zstd":
		return newZstdCodec()
	case "snappy":
		return &pq.Snappy, nil
	case "none":
		return &pq.Uncompressed, nil
	}
	return nil, fmt.Errorf("no compression %q: there are %s", o.Compression, strings.Join(Compressions(), ", "))
}

func (o Options) writer() ([]pq.WriterOption, error) {
	codec, err := o.codec()
	if err != nil {
		return nil, err
	}
	all := []pq.WriterOption{
		pq.Compression(codec), pq.CreatedBy("perfdump", "", ""), pq.DataPageStatistics(true), pq.MaxRowsPerRowGroup(groupRows),
	}
	for _, key := range slices.Sorted(maps.Keys(o.Metadata)) {
		all = append(all, pq.KeyValueMetadata(key, o.Metadata[key]))
	}
	return all, nil
}

// zstdCodec is the library's but for its encoder, of which it would make another
// one after each collection of garbage, with twice the memory.
type zstdCodec struct {
	zstd.Codec

	encoder *zstdcodec.Encoder
}

// newZstdCodec returns a codec of the fastest level, which has the smallest
// window; columns gain little by more.
func newZstdCodec() (*zstdCodec, error) {
	encoder, err := zstdcodec.NewWriter(nil,
		zstdcodec.WithEncoderLevel(zstdcodec.SpeedFastest), zstdcodec.WithEncoderConcurrency(1),
		zstdcodec.WithLowerEncoderMem(true), zstdcodec.WithZeroFrames(true), zstdcodec.WithEncoderCRC(false))
	return &zstdCodec{encoder: encoder}, err
}

// Encode compresses src into the place of dst.
func (c *zstdCodec) Encode(dst, src []byte) ([]byte, error) {
	return c.encoder.EncodeAll(src, dst[:0]), nil
}
