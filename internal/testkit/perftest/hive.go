package perftest

import "encoding/binary"

// Hive writes a hive of the registry, in one bin, cell by cell. What keys refer
// to is for whoever writes it: right, or as wrong as can be.
type Hive struct{ B []byte }

// NewHive returns a hive without cells, with room for n bytes of them.
func NewHive(n int) *Hive { return &Hive{B: make([]byte, 32, max(32, n))} }

// Cell appends a cell and returns its reference.
func (h *Hive) Cell(content []byte) uint32 {
	ref := uint32(len(h.B))
	size := (len(content) + 4 + 7) &^ 7
	h.B = binary.LittleEndian.AppendUint32(h.B, uint32(-int32(size)))
	h.B = append(h.B, content...)
	h.B = append(h.B, make([]byte, size-4-len(content))...)
	return ref
}

// HiveKey is what stands in the cell of a key.
type HiveKey struct {
	Flags     uint16
	Parent    uint32
	Keys      int
	KeyList   uint32 // where there are keys
	Values    int
	ValueList uint32 // where there are values
	Name      []byte
}

// Bytes returns the contents of the cell.
func (k *HiveKey) Bytes() []byte {
	le := binary.LittleEndian
	nk := make([]byte, 76, 76+len(k.Name))
	copy(nk, "nk")
	le.PutUint16(nk[2:], k.Flags)
	le.PutUint32(nk[16:], k.Parent)
	for _, off := range []int{28, 32, 40, 44, 48} {
		le.PutUint32(nk[off:], 0xFFFFFFFF)
	}
	if k.Keys > 0 {
		le.PutUint32(nk[20:], uint32(k.Keys))
		le.PutUint32(nk[28:], k.KeyList)
	}
	if k.ValueList > 0 {
		le.PutUint32(nk[40:], k.ValueList)
	}
	le.PutUint32(nk[36:], uint32(k.Values))
	le.PutUint16(nk[72:], uint16(len(k.Name)))
	return append(nk, k.Name...)
}

// Value writes a value, with cells for long data, and returns its reference.
func (h *Hive) Value(name []byte, typ uint32, data []byte) uint32 {
	le := binary.LittleEndian
	vk := make([]byte, 20, 20+len(name))
	copy(vk, "vk")
	le.PutUint16(vk[2:], uint16(len(name)))
	le.PutUint32(vk[4:], uint32(len(data)))
	le.PutUint32(vk[12:], typ)
	le.PutUint16(vk[16:], 1)
	const segment = 16344
	switch {
	case len(data) <= 4:
		le.PutUint32(vk[4:], uint32(len(data))|1<<31)
		copy(vk[8:12], data)
	case len(data) <= segment:
		le.PutUint32(vk[8:], h.Cell(data))
	default:
		var refs []byte
		for rest := data; len(rest) > 0; rest = rest[min(segment, len(rest)):] {
			refs = le.AppendUint32(refs, h.Cell(rest[:min(segment, len(rest))]))
		}
		db := append([]byte("db"), byte(len(refs)/4), byte(len(refs)/4>>8))
		le.PutUint32(vk[8:], h.Cell(le.AppendUint32(db, h.Cell(refs))))
	}
	return h.Cell(append(vk, name...))
}

// Bytes returns the hive with its root. What is left of the bin is a free cell.
func (h *Hive) Bytes(root uint32) []byte {
	le := binary.LittleEndian
	bins := (len(h.B) + 4095) &^ 4095
	if left := bins - len(h.B); left > 0 {
		rest := make([]byte, left)
		le.PutUint32(rest, uint32(left))
		h.B = append(h.B, rest...)
	}
	copy(h.B, "hbin")
	le.PutUint32(h.B[8:], uint32(bins))
	b := make([]byte, 4096)
	copy(b, "regf")
	for off, n := range map[int]uint32{4: 7, 8: 7, 20: 1, 24: 5, 32: 1, 36: root, 40: uint32(bins), 44: 1} {
		le.PutUint32(b[off:], n)
	}
	return append(SealHive(b), h.B...)
}

// SealHive sets the checksum of a header.
func SealHive(b []byte) []byte {
	var sum uint32
	for off := 0; off < 508; off += 4 {
		sum ^= binary.LittleEndian.Uint32(b[off:])
	}
	binary.LittleEndian.PutUint32(b[508:], sum)
	return b
}

// Key writes a key with an ANSI name and what it refers to, and returns its cell.
func (h *Hive) Key(name string, keys, values []uint32) uint32 {
	k := HiveKey{Flags: 0x20, Keys: len(keys), Values: len(values), Name: []byte(name)}
	if len(keys) > 0 {
		k.KeyList = h.KeyList(keys)
	}
	if len(values) > 0 {
		k.ValueList = h.Cell(Uint32s(nil, values...))
	}
	return h.Cell(k.Bytes())
}

// KeyList writes lists of at most 1,000 keys, and a list of these if there are several.
func (h *Hive) KeyList(keys []uint32) uint32 {
	var leaves []uint32
	for len(keys) > 0 {
		n := min(1000, len(keys))
		leaves = append(leaves, h.Cell(Uint32s(append([]byte("li"), byte(n), byte(n>>8)), keys[:n]...)))
		keys = keys[n:]
	}
	if len(leaves) == 1 {
		return leaves[0]
	}
	return h.Cell(Uint32s(append([]byte("ri"), byte(len(leaves)), byte(len(leaves)>>8)), leaves...))
}
