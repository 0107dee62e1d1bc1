package cmd_test

import (
	"fmt"
)

// hive writes a hive of one bin.
type hive struct{ b []byte }

func (w *hive) cell(content []byte) uint32 {
	ref := uint32(len(w.b))
	size := (len(content) + 4 + 7) &^ 7
	w.b = append(u32(w.b, uint32(-int32(size))), content...)
	w.b = append(w.b, make([]byte, size-4-len(content))...)
	return ref
}

// key writes a key with what it refers to, and returns its cell.
func (w *hive) key(name string, keys []uint32, values []uint32) uint32 {
	nk := make([]byte, 76, 76+len(name))
	copy(nk, "nk\x20\x00")
	for _, off := range []int{28, 32, 40, 44, 48} {
		le.PutUint32(nk[off:], 0xFFFFFFFF)
	}
	le.PutUint16(nk[72:], uint16(len(name)))
	if len(keys) > 0 {
		le.PutUint32(nk[20:], uint32(len(keys)))
		le.PutUint32(nk[28:], w.list(keys))
	}
	if len(values) > 0 {
		le.PutUint32(nk[36:], uint32(len(values)))
		le.PutUint32(nk[40:], w.cell(u32(nil, values...)))
	}
	return w.cell(append(nk, name...))
}

// list writes lists of at most 1,000 keys, and one of them if there are more.
func (w *hive) list(keys []uint32) uint32 {
	var leaves []uint32
	for len(keys) > 0 {
		n := min(1000, len(keys))
		leaves = append(leaves, w.cell(u32(append([]byte("li"), byte(n), byte(n>>8)), keys[:n]...)))
		keys = keys[n:]
	}
	if len(leaves) == 1 {
		return leaves[0]
	}
	return w.cell(u32(append([]byte("ri"), byte(len(leaves)), byte(len(leaves)>>8)), leaves...))
}

func (w *hive) value(name string, typ uint32, data []byte) uint32 {
	vk := make([]byte, 20, 20+len(name))
	copy(vk, "vk")
	le.PutUint16(vk[2:], uint16(len(name)))
	le.PutUint32(vk[4:], uint32(len(data)))
	if len(data) <= 4 {
		le.PutUint32(vk[4:], uint32(len(data))|1<<31)
		copy(vk[8:12], data)
	} else {
		le.PutUint32(vk[8:], w.cell(data))
	}
	le.PutUint32(vk[12:], typ)
	le.PutUint16(vk[16:], 1)
	return w.cell(append(vk, name...))
}

func (w *hive) bytes(root uint32) []byte {
	bins := (len(w.b) + 4095) &^ 4095
	if left := bins - len(w.b); left > 0 {
		rest := make([]byte, left)
		le.PutUint32(rest, uint32(left))
		w.b = append(w.b, rest...)
	}
	copy(w.b, "hbin")
	le.PutUint32(w.b[8:], uint32(bins))
	b := make([]byte, 4096)
	copy(b, "regf")
	for off, n := range map[int]uint32{4: 7, 8: 7, 20: 1, 24: 5, 32: 1, 36: root, 40: uint32(bins), 44: 1} {
		le.PutUint32(b[off:], n)
	}
	var sum uint32
	for off := 0; off < 508; off += 4 {
		sum ^= le.Uint32(b[off:])
	}
	le.PutUint32(b[508:], sum)
	return append(b, w.b...)
}

func worstHives() (all []worst) {
	// services makes a SYSTEM hive of the services that are given.
	services := func(w *hive, keys []uint32) []byte {
		set := w.key("ControlSet001", []uint32{w.key("Services", keys, nil)}, nil)
		root := w.key("ROOT", []uint32{set}, nil)
		w.b[root+4+2] |= 4
		return w.bytes(root)
	}
	add := func(name string, f func(w *hive, n int) []byte) {
		all = append(all, worst{name: "hive/" + name, make: func(n int) []byte { return f(&hive{b: make([]byte, 32, 2*n)}, n) }})
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
		w.b[root+4+2] |= 4
		return w.bytes(root)
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
		list := le.Uint32(w.b[k+4+28:])
		le.PutUint32(w.b[list+8:], k) // its own child
		for range n / 100 {
			w.key("S", []uint32{k}, nil)
		}
		return services(w, []uint32{k})
	})
	add("free cells", func(w *hive, n int) []byte {
		for range n / 8 {
			w.b = u32(w.b, 8, 0)
		}
		return services(w, nil)
	})
	add("used cells", func(w *hive, n int) []byte {
		for range n / 8 {
			w.cell(nil)
		}
		return services(w, nil)
	})
	add("long lists of nothing", func(w *hive, n int) []byte {
		return services(w, make([]uint32, n/4))
	})
	return all
}
