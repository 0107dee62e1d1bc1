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
			sink += t.Chunk(0).Uint64(ipcblock.GCHandles)
		}
	})
	b.Run("and read all", func(b *testing.B) {
		b.ReportAllocs()
		values := make([]uint64, 0, ipcblock.NumFields)
		for b.Loop() {
			t, err := d.Decode(data)
			if err != nil {
				b.Fatal(err)
			}
			values = t.Chunk(0).AppendUint64s(values[:0])
		}
		sink += values[3]
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
				for range ipcblock.ScanBytes(noise, o) {
					sink++
				}
			}
		})
		b.Run(name+" reader", func(b *testing.B) {
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
