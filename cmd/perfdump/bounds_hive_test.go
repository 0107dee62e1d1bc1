package main_test

import (
	"fmt"

	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

// hive is a hive of keys whose names are ANSI, each after those below it.
type hive struct{ *perftest.Hive }

// key writes a key with what it refers to, and returns its cell.
func (w *hive) key(name string, keys []uint32, values []uint32) uint32 {
	k := perftest.HiveKey{Flags: 0x20, Keys: len(keys), Values: len(values), Name: []byte(name)}
	if len(keys) > 0 {
		k.KeyList = w.list(keys)
	}
	if len(values) > 0 {
		k.ValueList = w.Cell(u32(nil, values...))
	}
	return w.Cell(k.Bytes())
}

// list writes lists of at most 1,000 keys, and one of them if there are more.
func (w *hive) list(keys []uint32) uint32 {
	var leaves []uint32
	for len(keys) > 0 {
		n := min(1000, len(keys))
		leaves = append(leaves, w.Cell(u32(append([]byte("li"), byte(n), byte(n>>8)), keys[:n]...)))
		keys = keys[n:]
	}
	if len(leaves) == 1 {
		return leaves[0]
	}
	return w.Cell(u32(append([]byte("ri"), byte(len(leaves)), byte(len(leaves)>>8)), leaves...))
}

func (w *hive) value(name string, typ uint32, data []byte) uint32 {
	return w.Value([]byte(name), typ, data)
}

func worstHives() (all []worst) {
	// services makes a SYSTEM hive of the services that are given.
	services := func(w *hive, keys []uint32) []byte {
		set := w.key("ControlSet001", []uint32{w.key("Services", keys, nil)}, nil)
		root := w.key("ROOT", []uint32{set}, nil)
		w.B[root+4+2] |= 4
		return w.Bytes(root)
	}
	add := func(name string, f func(w *hive, n int) []byte) {
		all = append(all, worst{name: "hive/" + name, make: func(n int) []byte { return f(&hive{perftest.NewHive(2 * n)}, n) }})
	}
	add("services", func(w *hive, n int) []byte {
		var keys []uint32
		for i := range n / 200 {
			keys = append(keys, w.key(fmt.Sprint("S", i), []uint32{w.key("Performance", nil, nil)}, nil))
		}
		return services(w, keys)
	})
	add("services with values", func(w *hive, n int) []byte {
		var keys []uint32
		for i := range n / 350 {
			v := []uint32{w.value("First Counter", 4, []byte{0, 8, 0, 0}), w.value("Last Counter", 4, []byte{2, 8, 0, 0}), w.value("Library", 1, []byte("a\x00.\x00d\x00"))}
			keys = append(keys, w.key(fmt.Sprint("S", i), []uint32{w.key("Performance", nil, v)}, nil))
		}
		return services(w, keys)
	})
	add("one service over and over", func(w *hive, n int) []byte {
		s := w.key("S", []uint32{w.key("Performance", nil, []uint32{w.value("Library", 1, make([]byte, 15000))})}, nil)
		keys := make([]uint32, n/5)
		for i := range keys {
			keys[i] = s
		}
		return services(w, keys)
	})
	add("values", func(w *hive, n int) []byte {
		var values []uint32
		for i := range n / 48 {
			values = append(values, w.value(fmt.Sprint("v", i), 4, []byte{1}))
		}
		return services(w, []uint32{w.key("S", []uint32{w.key("Performance", nil, values)}, nil)})
	})
	add("one value over and over", func(w *hive, n int) []byte {
		v := w.value("Library", 1, make([]byte, 15000))
		values := make([]uint32, n/5)
		for i := range values {
			values[i] = v
		}
		return services(w, []uint32{w.key("S", []uint32{w.key("Performance", nil, values)}, nil)})
	})
	add("sets", func(w *hive, n int) []byte {
		var keys []uint32
		for i := range n / 200 {
			keys = append(keys, w.key(fmt.Sprintf("ControlSet%03d", i), []uint32{w.key("Services", nil, nil)}, nil))
		}
		root := w.key("ROOT", keys, nil)
		w.B[root+4+2] |= 4
		return w.Bytes(root)
	})
	add("deep", func(w *hive, n int) []byte {
		k := w.key("Performance", nil, nil)
		for range n / 110 {
			k = w.key("Services", []uint32{k}, nil)
		}
		return services(w, []uint32{k})
	})
	add("a loop", func(w *hive, n int) []byte {
		k := w.key("S", []uint32{0}, nil)
		list := le.Uint32(w.B[k+4+28:])
		le.PutUint32(w.B[list+8:], k) // its own child
		for range n / 100 {
			w.key("S", []uint32{k}, nil)
		}
		return services(w, []uint32{k})
	})
	add("free cells", func(w *hive, n int) []byte {
		for range n / 8 {
			w.B = u32(w.B, 8, 0)
		}
		return services(w, nil)
	})
	add("used cells", func(w *hive, n int) []byte {
		for range n / 8 {
			w.Cell(nil)
		}
		return services(w, nil)
	})
	add("long lists of nothing", func(w *hive, n int) []byte {
		return services(w, make([]uint32, n/4))
	})
	return all
}
