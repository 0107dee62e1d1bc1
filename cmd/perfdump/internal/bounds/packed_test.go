package bounds_test

import (
	"bytes"
	"compress/gzip"
	"math"

	"github.com/klauspost/compress/zstd"

	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

func worstPacked() (all []worst) {
	gz := func(f func(n int) []byte) func(n int) []byte {
		return func(n int) []byte {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			_, _ = w.Write(f(n))
			_ = w.Close()
			return b.Bytes()
		}
	}
	zst := func(f func(n int) []byte) func(n int) []byte {
		return func(n int) []byte {
			e, _ := zstd.NewWriter(nil)
			return e.EncodeAll(f(n), nil)
		}
	}
	bomb := func(n int) []byte {
		m := (&perftest.Block{}).Build().Set("TotalByteLength", int64(min(n, math.MaxInt32)))
		return append(m.Bytes, make([]byte, n-len(m.Bytes))...)
	}
	csv := fill("\"(PDH-CSV 4.0) (Pacific Standard Time)(480)\",\"\\\\h\\P\\C\"\r\n", "\"11/26/2016 13:46:30.874\",\"1\"\r\n")
	for name, f := range map[string]func(n int) []byte{"block": bomb, "ini": fill("[info]\ndrivername=App\nsymbolfile=app.h\n", "\n"), "csv": csv} {
		all = append(all,
			worst{name: "gzip/" + name, make: gz(f)},
			worst{name: "zstd/" + name, make: zst(f)},
			worst{name: "gzip/gzip " + name, make: gz(gz(f))})
	}
	return all
}

// unpacked returns how long b is once it is unpacked.
func unpacked(b []byte) int {
	for {
		var out bytes.Buffer
		switch {
		case bytes.HasPrefix(b, []byte{0x1F, 0x8B}):
			r, err := gzip.NewReader(bytes.NewReader(b))
			if err != nil {
				return len(b)
			}
			_, _ = out.ReadFrom(r)
		case bytes.HasPrefix(b, []byte{0x28, 0xB5, 0x2F, 0xFD}):
			d, _ := zstd.NewReader(nil)
			all, err := d.DecodeAll(b, nil)
			if err != nil {
				return len(b)
			}
			out.Write(all)
		default:
			return len(b)
		}
		b = out.Bytes()
	}
}
