package parquet

import (
	zstdcodec "github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

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
