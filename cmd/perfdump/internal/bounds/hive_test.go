package bounds_test

import (
	"fmt"

	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

func worstHives() (all []worst) {
	// services makes a SYSTEM hive of the services that are given.
	services := func(w *perftest.Hive, keys []uint32) []byte {
		set := w.Key("ControlSet001", []uint32{w.Key("Services", keys, nil)}, nil)
		root := w.Key("ROOT", []uint32{set}, nil)
		w.B[root+4+2] |= 4
		return w.Bytes(root)
	}
	add := func(name string, f func(w *perftest.Hive, n int) []byte) {
		all = append(all, worst{name: "hive/" + name, make: func(n int) []byte { return f(perftest.NewHive(2*n), n) }})
	}
	add("services", func(w *perftest.Hive, n int) []byte {
		var keys []uint32
		for i := range n / 200 {
			keys = append(keys, w.Key(fmt.Sprint("S", i), []uint32{w.Key("Performance", nil, nil)}, nil))
		}
		return services(w, keys)
	})
	add("services with values", func(w *perftest.Hive, n int) []byte {
		var keys []uint32
		for i := range n / 350 {
			v := []uint32{w.Value([]byte("First Counter"), 4, []byte{0, 8, 0, 0}), w.Value([]byte("Last Counter"), 4, []byte{2, 8, 0, 0}), w.Value([]byte("Library"), 1, []byte("a\x00.\x00d\x00"))}
			keys = append(keys, w.Key(fmt.Sprint("S", i), []uint32{w.Key("Performance", nil, v)}, nil))
		}
		return services(w, keys)
	})
	add("one service over and over", func(w *perftest.Hive, n int) []byte {
		s := w.Key("S", []uint32{w.Key("Performance", nil, []uint32{w.Value([]byte("Library"), 1, make([]byte, 15000))})}, nil)
		keys := make([]uint32, n/5)
		for i := range keys {
			keys[i] = s
		}
		return services(w, keys)
	})
	add("values", func(w *perftest.Hive, n int) []byte {
		var values []uint32
		for i := range n / 48 {
			values = append(values, w.Value([]byte(fmt.Sprint("v", i)), 4, []byte{1}))
		}
		return services(w, []uint32{w.Key("S", []uint32{w.Key("Performance", nil, values)}, nil)})
	})
	add("one value over and over", func(w *perftest.Hive, n int) []byte {
		v := w.Value([]byte("Library"), 1, make([]byte, 15000))
		values := make([]uint32, n/5)
		for i := range values {
			values[i] = v
		}
		return services(w, []uint32{w.Key("S", []uint32{w.Key("Performance", nil, values)}, nil)})
	})
	add("sets", func(w *perftest.Hive, n int) []byte {
		var keys []uint32
		for i := range n / 200 {
			keys = append(keys, w.Key(fmt.Sprintf("ControlSet%03d", i), []uint32{w.Key("Services", nil, nil)}, nil))
		}
		root := w.Key("ROOT", keys, nil)
		w.B[root+4+2] |= 4
		return w.Bytes(root)
	})
	add("deep", func(w *perftest.Hive, n int) []byte {
		k := w.Key("Performance", nil, nil)
		for range n / 110 {
			k = w.Key("Services", []uint32{k}, nil)
		}
		return services(w, []uint32{k})
	})
	add("a loop", func(w *perftest.Hive, n int) []byte {
		k := w.Key("S", []uint32{0}, nil)
		list := le.Uint32(w.B[k+4+28:])
		le.PutUint32(w.B[list+8:], k) // its own child
		for range n / 100 {
			w.Key("S", []uint32{k}, nil)
		}
		return services(w, []uint32{k})
	})
	add("free cells", func(w *perftest.Hive, n int) []byte {
		for range n / 8 {
			w.B = u32(w.B, 8, 0)
		}
		return services(w, nil)
	})
	add("used cells", func(w *perftest.Hive, n int) []byte {
		for range n / 8 {
			w.Cell(nil)
		}
		return services(w, nil)
	})
	add("long lists of nothing", func(w *perftest.Hive, n int) []byte {
		return services(w, make([]uint32, n/4))
	})
	return all
}
