package perflib2

import (
	"encoding/binary"
	"math"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// RegistrationTree is a registration in owned, editable form. It comes from
// [Registration.Tree] or is built by hand. The number of counters in its header
// is not looked at: [RegistrationTree.AppendBinary] computes it.
type RegistrationTree struct {
	CounterSetInfo

	Name     string
	Counters []TreeCounter
}

// TreeCounter is a counter of a [RegistrationTree].
type TreeCounter struct {
	CounterInfo

	Name string // "" for none
}

// Tree returns the registration as an owned tree, which shares nothing with r.
// What no field explains is not in it.
func (r *Registration) Tree() *RegistrationTree {
	t := &RegistrationTree{CounterSetInfo: r.CounterSetInfo, Name: r.Name()}
	for i := range r.counters {
		c := &r.counters[i]
		t.Counters = append(t.Counters, TreeCounter{c.CounterInfo, c.Name()})
	}
	return t
}

// AppendBinary encodes t behind dst in canonical form, as Windows does: an
// entry and a text for each counter, in their order.
func (t *RegistrationTree) AppendBinary(dst []byte) ([]byte, error) {
	set := t.CounterSetInfo
	set.NumCounters = uint32(len(t.Counters))
	body := wire.AppendStruct(nil, &set)
	for i := range t.Counters {
		body = wire.AppendStruct(body, &t.Counters[i].CounterInfo)
	}
	h := registrationHeader{RegistrationSize: uint32(len(body))}

	texts := len(body)
	entries := texts + pairSize
	body = append(body, make([]byte, pairSize+pairSize*len(t.Counters))...)
	for i := range t.Counters {
		offset := uint32(noText)
		if t.Counters[i].Name != "" {
			offset = uint32(len(body) - texts)
			body = append(wire.EncodeUTF16(body, t.Counters[i].Name), 0, 0)
		}
		binary.LittleEndian.PutUint32(body[entries+pairSize*i:], t.Counters[i].ID)
		binary.LittleEndian.PutUint32(body[entries+pairSize*i+4:], offset)
	}
	binary.LittleEndian.PutUint32(body[texts:], uint32(len(body)-texts))
	binary.LittleEndian.PutUint32(body[texts+4:], uint32(len(t.Counters)))
	body = appendPadding(body, texts)
	h.TextsSize = uint32(len(body) - texts)

	name := len(body)
	body = append(wire.EncodeUTF16(body, t.Name), 0, 0)
	h.NameSize = uint32(len(body) - name)
	body = appendPadding(body, name)
	if len(body) > math.MaxInt32-registrationSize {
		return nil, perfdump.NewError(perfdump.CodeLimit, -1, setLevels.Root(), "the registration grows over 2 GiB")
	}
	h.TotalSize = uint32(registrationSize + len(body))
	return append(wire.AppendStruct(dst, &h), body...), nil
}
