package registry

import (
	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// key reads the values of a key, whose path is base and rel.
func (w *walker) key(n *node, base, rel string) (*Key, error) {
	k := &Key{base: base, rel: rel, Off: n.off}
	if n.Flags&flagPredefined != 0 {
		k.Predefined = true
		w.anomaly(codePredefinedHandle, n.off+4+2, n.path, "the key is a handle, 0x%x, and has no values here", int64(n.NumValues))
		return k, nil
	}
	if n.NumValues == 0 {
		return k, nil
	}
	off, have, err := w.cell(link{n.Values, n.off + 4 + valuesAt}, 4, n.path, "list of values")
	if err != nil {
		return k, w.fault(err)
	}
	count := int64(n.NumValues)
	if fit := have / 4; count > fit {
		if err := w.fault(perfdump.NewError(perfdump.CodeCount, n.off+4+36, at(n.path), "%d values need a list of 0x%x bytes, but its cell has 0x%x", count, count*4, have)); err != nil {
			return k, err
		}
		count = fit
	}
	if count > int64(w.values) {
		if err := w.fault(perfdump.NewError(perfdump.CodeLimit, n.off+4+36, at(n.path), "more than %d values in all", maxValues)); err != nil {
			return k, err
		}
		count = int64(w.values)
	}
	list, err := w.read(off, count*4, n.path)
	if err != nil {
		return k, w.fault(err)
	}
	w.values -= int(count)
	k.Values = make([]Value, 0, count)
	for i := 0; i < len(list); i += 4 {
		v, err := w.value(linkIn(list, i, off), n)
		if err != nil {
			if err = w.fault(err); err != nil {
				return k, err
			}
			continue
		}
		k.Values = append(k.Values, v)
	}
	return k, nil
}

func (w *walker) value(to link, n *node) (Value, error) {
	off, have, err := w.cell(to, keyValueSize, n.path, "value")
	if err != nil {
		return Value{}, err
	}
	b, err := w.read(off, min(have, keyValueSize+maxValueName), n.path)
	if err != nil {
		return Value{}, err
	}
	var kv keyValue
	wire.LoadStruct(&kv, b)
	size := int(kv.NameLength)
	switch {
	case kv.Signature != sigValue:
		return Value{}, perfdump.NewError(perfdump.CodeSignature, off, at(n.path), "a value begins with 0x%x instead of \"vk\"", kv.Signature)
	case size > len(b)-keyValueSize:
		return Value{}, perfdump.NewError(perfdump.CodeLength, off+2, at(n.path), "the name of a value has 0x%x bytes, but its cell 0x%x", size, len(b)-keyValueSize)
	}
	v := Value{Name: hiveName(b[keyValueSize:keyValueSize+size], kv.Flags&valueName8 != 0), Type: Type(kv.Type), Off: off - 4}
	if v.Data, err = w.data(&kv, b[8:12], off, n.path); err != nil {
		return Value{}, err
	}
	return v, nil
}

// data reads the data of a value. short is the data stored in the value itself.
func (w *walker) data(kv *keyValue, short []byte, off int64, path string) ([]byte, error) {
	size := int64(kv.DataLength)
	switch {
	case size&inlineData != 0:
		if size &^= inlineData; size > 4 {
			return nil, perfdump.NewError(perfdump.CodeLength, off+4, at(path), "0x%x bytes of data in the value itself, which holds 4", size)
		}
		// A copy: short is a part of what the name takes.
		return append([]byte(nil), short[:size]...), nil
	case size == 0:
		return nil, nil
	case size > w.h.size:
		return nil, perfdump.NewError(perfdump.CodeLength, off+4, at(path), "0x%x bytes of data, more than the hive has", size)
	}
	cell, have, err := w.cell(link{kv.Data, off + dataAt}, 4, path, "data")
	if err != nil {
		return nil, err
	}
	if size > segmentSize {
		// Only then data are divided; shorter ones may begin with the same two
		// letters.
		head, err := w.read(cell, min(have, 8), path)
		if err != nil {
			return nil, err
		}
		if len(head) == 8 && wire.U16(head, 0) == sigBig && have < size {
			return w.bigData(head, size, cell, path)
		}
	}
	if size > have { // and so what is read is bounded by its cell
		return nil, perfdump.NewError(perfdump.CodeLength, off+4, at(path), "0x%x bytes of data, but their cell has 0x%x", size, have)
	}
	return w.read(cell, size, path)
}

func (w *walker) bigData(head []byte, size, off int64, path string) ([]byte, error) {
	count := int64(wire.U16(head, 2))
	if need := (size + segmentSize - 1) / segmentSize; count < need {
		return nil, perfdump.NewError(perfdump.CodeCount, off+2, at(path), "0x%x bytes of data need %d segments, but there are %d", size, need, count)
	}
	list, have, err := w.cell(linkIn(head, 4, off), 4, path, "list of segments")
	if err != nil {
		return nil, err
	}
	if count*4 > have {
		return nil, perfdump.NewError(perfdump.CodeCount, off+2, at(path), "%d segments need a list of 0x%x bytes, but its cell has 0x%x", count, count*4, have)
	}
	refs, err := w.read(list, count*4, path)
	if err != nil {
		return nil, err
	}
	if size > w.left {
		return nil, perfdump.NewError(perfdump.CodeLimit, off, at(path), "0x%x bytes of data exceed the rest of the hive: some cells are shared", size)
	}
	data := make([]byte, 0, size)
	for i := 0; int64(len(data)) < size; i += 4 {
		n := min(segmentSize, size-int64(len(data)))
		cell, _, err := w.cell(linkIn(refs, i, list), n, path, "segment of data")
		if err != nil {
			return nil, err
		}
		w.left -= n
		data = data[:int64(len(data))+n]
		if err := wire.ReadFull(w.h.r, data[int64(len(data))-n:], cell); err != nil {
			return nil, err
		}
	}
	return data, nil
}
