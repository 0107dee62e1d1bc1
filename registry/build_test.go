package registry_test

import (
	"encoding/binary"

	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/registry"
)

var le = binary.LittleEndian

// hkey is a key to be written, hval a value.
type hkey struct {
	name   string
	list   string // lf (the default), lh, li, ri
	wide   bool   // the name is written in UTF-16
	flags  uint16
	handle uint32 // in the place of the count of values
	values []hval
	keys   []hkey
}

type hval struct {
	name string
	typ  registry.Type
	data []byte
}

func sz(name, text string) hval {
	return hval{name, registry.SZ, wire.EncodeUTF16(nil, text+"\x00")}
}

func multi(name string, members ...string) hval {
	var b []byte
	for _, m := range members {
		b = wire.EncodeUTF16(b, m+"\x00")
	}
	return hval{name, registry.MultiSZ, append(b, 0, 0)}
}

func dword(name string, n uint32) hval {
	return hval{name, registry.DWORD, le.AppendUint32(nil, n)}
}

// writer writes hives as Windows lays them out, in one bin.
type writer struct{ *perftest.Hive }

func (w *writer) name(s string, wide bool) []byte {
	if wide {
		return wire.EncodeUTF16(nil, s)
	}
	var b []byte
	for _, r := range s {
		b = append(b, byte(r))
	}
	return b
}

func (w *writer) value(v hval) uint32 { return w.Value(w.name(v.name, false), uint32(v.typ), v.data) }

// key writes k with all below it. Its cell is reserved first, since keys name
// the one above.
func (w *writer) key(k hkey, parent uint32) uint32 {
	name := w.name(k.name, k.wide)
	ref := w.Cell(make([]byte, 76+len(name)))
	nk := perftest.HiveKey{Flags: k.flags, Parent: parent, Keys: len(k.keys), Values: len(k.values), Name: name}
	if !k.wide {
		nk.Flags |= 0x20
	}
	if len(k.keys) > 0 {
		var refs []uint32
		for _, child := range k.keys {
			refs = append(refs, w.key(child, ref))
		}
		nk.KeyList = w.list(k.list, refs)
	}
	if len(k.values) > 0 {
		var refs []byte
		for _, v := range k.values {
			refs = le.AppendUint32(refs, w.value(v))
		}
		nk.ValueList = w.Cell(refs)
	}
	if k.handle != 0 {
		nk.Values = int(k.handle)
	}
	copy(w.B[ref+4:], nk.Bytes())
	return ref
}

func (w *writer) list(kind string, refs []uint32) uint32 {
	if kind == "ri" { // leaves of two keys, of each kind in turn
		var leaves []uint32
		for len(refs) > 0 {
			n := min(2, len(refs))
			leaves = append(leaves, w.list([]string{"li", "lh", "lf"}[len(leaves)%3], refs[:n]))
			refs = refs[n:]
		}
		b := le.AppendUint16([]byte("ri"), uint16(len(leaves)))
		for _, ref := range leaves {
			b = le.AppendUint32(b, ref)
		}
		return w.Cell(b)
	}
	if kind == "" {
		kind = "lf"
	}
	b := le.AppendUint16([]byte(kind), uint16(len(refs)))
	for _, ref := range refs {
		b = le.AppendUint32(b, ref)
		if kind != "li" {
			b = append(b, "hint"...)
		}
	}
	return w.Cell(b)
}

// hive returns a hive of the keys below a root.
func hive(keys ...hkey) []byte {
	w := &writer{perftest.NewHive(0)}
	return w.Bytes(w.key(hkey{name: "ROOT", flags: 4, keys: keys}, 0xFFFFFFFF))
}

// seal sets the checksum of a header.
func seal(b []byte) []byte { return perftest.SealHive(b) }

// system is a small SYSTEM hive with one of each thing that a view shows.
func system() []byte { return systemWith(40000) }

// systemWith is that with n bytes of long data.
func systemWith(n int) []byte {
	big := make([]byte, n)
	for i := range big {
		big[i] = byte(i * 7)
	}
	return hive(
		hkey{name: "Select", values: []hval{dword("Current", 2), dword("Default", 1)}},
		hkey{name: "ControlSet001", keys: []hkey{{name: "Services", keys: []hkey{{name: "Old", keys: []hkey{{name: "Performance"}}}}}}},
		hkey{name: "ControlSet002", list: "lh", keys: []hkey{
			{name: "Control", list: "li", keys: []hkey{{name: "ComputerName", keys: []hkey{{name: "ComputerName", values: []hval{sz("ComputerName", "BOX")}}}}}},
			{name: "Services", list: "ri", keys: []hkey{
				{name: "Alpha", keys: []hkey{
					{name: "Linkage", values: []hval{multi("Export", "one", "", "two")}},
					{name: "Performance", values: []hval{
						dword("First Counter", 2000), dword("Last Counter", 2004), dword("First Help", 2001), dword("Last Help", 2005),
						sz("Library", "alpha.dll\x00\x00rest"), sz("Object List", "2000 x 2002"), dword("Disable Performance Counters", 4),
						{"1008", registry.QWORD, le.AppendUint64(nil, 133000000000000000)},
						{"Big", registry.Binary, big},
						{"Short", registry.Binary, []byte("db")},
						{"Looks big", registry.Binary, []byte("db\x05\x00\x20\x00\x00\x00 and more")},
					}},
				}},
				{name: "None"},
				{name: "Wïde", keys: []hkey{{name: "Performance", values: []hval{
					{"Counter Names", registry.Binary, wire.EncodeUTF16(nil, "A\x00B\x00\x00")}, multi("Counter Types", "65536"), {"First Counter", registry.SZ, []byte{'7', 0}},
				}}}},
				{name: "Ωmega", wide: true, keys: []hkey{{name: "Performance"}, {name: "Names", values: []hval{sz("pipe", "")}}}},
			}},
		}},
	)
}
