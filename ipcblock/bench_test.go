package ipcblock_test

import (
	"bytes"
	"testing"

	"github.com/perfdump/perfdump/ipcblock"
)

var sink uint64

func BenchmarkDecode(b *testing.B) {
	data := oneLive(b, ipcblock.X64)
	var d ipcblock.Decoder
	b.Run("table", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			t, err := d.Decode(data)
			if err != nil {
				b.Fatal(err)
			}
			for f := range t.Chunk(0).Fields() {
				sink += t.Chunk(0).Uint64(f)
			}
		}
	})
	b.Run("memmove", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		to := make([]byte, len(data))
		for b.Loop() {
			copy(to, data)
		}
	})
}

func BenchmarkScan(b *testing.B) {
	noise := noiseMemory(64 << 20)
	for name, o := range map[string]ipcblock.FindOptions{"pages": {}, "deep": {Deep: true}, "anywhere": {Anywhere: true}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(noise)))
			for b.Loop() {
				for _, err := range ipcblock.Scan(bytes.NewReader(noise), int64(len(noise)), o) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
