package perflib2

import (
	"encoding/binary"
	"math"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Tree is a block in owned, editable form. It comes from [Block.Tree] or is
// built by hand. Lengths and counts of its header are not looked at:
// [Tree.AppendBinary] computes them.
type Tree struct {
	DataHeader

	Results []TreeResult
}

// TreeResult is a result of a [Tree].
type TreeResult struct {
	Type      ResultType
	Status    uint32
	IDs       []uint32       // of MultiCounters and CounterSet
	Instances []TreeInstance // one for SingleCounter and MultiCounters, none for ErrorResult
}

// TreeInstance is an instance of a [TreeResult]. Its name and id do not count
// where the result has no instances.
type TreeInstance struct {
	Name   string
	ID     uint32
	Values [][]byte // one a counter
}

// Tree returns the block as an owned tree, which shares nothing with b. What no
// field explains is not in it.
func (b *Block) Tree() *Tree {
	t := &Tree{DataHeader: b.DataHeader}
	for _, r := range b.Results() {
		tr := TreeResult{Type: r.Type, Status: r.Status}
		if r.Type.hasIDs() {
			for j := range r.NumCounters() {
				tr.IDs = append(tr.IDs, r.ID(j))
			}
		}
		for _, in := range r.Instances() {
			ti := TreeInstance{Name: in.Name(), ID: in.ID}
			for _, v := range in.Values() {
				ti.Values = append(ti.Values, append([]byte{}, v.Raw...))
			}
			tr.Instances = append(tr.Instances, ti)
		}
		t.Results = append(t.Results, tr)
	}
	return t
}

// AppendBinary encodes t behind dst in canonical form: all parts padded to 8
// with zeros, without a byte that no field explains. It fails where the parts do
// not fit the type of their result.
func (t *Tree) AppendBinary(dst []byte) ([]byte, error) {
	start := len(dst)
	dst = append(dst, make([]byte, dataHeaderSize)...)
	for i := range t.Results {
		var err error
		if dst, err = t.Results[i].append(dst, blockLevels.Root().At(levelCounter, i)); err != nil {
			return nil, err
		}
	}
	if len(dst)-start > math.MaxInt32 {
		return nil, perfdump.NewError(perfdump.CodeLimit, -1, blockLevels.Root(), "the block grows over 2 GiB")
	}
	h := t.DataHeader
	h.TotalSize, h.NumCounters = uint32(len(dst)-start), uint32(len(t.Results))
	copy(dst[start:], wire.AppendStruct(nil, &h))
	return dst, nil
}

func (r *TreeResult) append(dst []byte, path perfdump.Path) ([]byte, error) {
	if err := r.check(path); err != nil {
		return nil, err
	}
	start := len(dst)
	dst = wire.AppendStruct(dst, &CounterHeader{Status: r.Status, Type: r.Type})
	if r.Type.hasIDs() {
		dst = appendPair(dst, uint32(pad8(pairSize+idSize*len(r.IDs))), uint32(len(r.IDs)))
		for _, id := range r.IDs {
			dst = binary.LittleEndian.AppendUint32(dst, id)
		}
		dst = appendPadding(dst, start)
	}
	instances := len(dst)
	if r.Type.hasInstances() {
		dst = appendPair(dst, 0, uint32(len(r.Instances)))
	}
	for i := range r.Instances {
		in := &r.Instances[i]
		if r.Type.hasInstances() {
			dst = append(in.appendHeader(dst), 0, 0)
			dst = appendPadding(dst, start)
		}
		for _, v := range in.Values {
			dst = appendPair(dst, uint32(len(v)), uint32(pad8(pairSize+len(v))))
			dst = appendPadding(append(dst, v...), start)
		}
	}
	if r.Type.hasInstances() {
		binary.LittleEndian.PutUint32(dst[instances:], uint32(len(dst)-instances))
	}
	binary.LittleEndian.PutUint32(dst[start+8:], uint32(len(dst)-start))
	return dst, nil
}

// appendHeader appends the header and the name, which a NUL follows.
func (in *TreeInstance) appendHeader(dst []byte) []byte {
	start := len(dst)
	dst = wire.EncodeUTF16(appendPair(dst, 0, in.ID), in.Name)
	binary.LittleEndian.PutUint32(dst[start:], uint32(pad8(len(dst)-start+2)))
	return dst
}

// check says what of a result does not fit its type.
func (r *TreeResult) check(path perfdump.Path) error {
	instances, counters := len(r.Instances), 1
	switch r.Type {
	case ErrorResult:
		instances = 0
	case SingleCounter:
		instances = 1
	case MultiCounters:
		instances, counters = 1, len(r.IDs)
	case MultiInstance:
	case CounterSet:
		counters = len(r.IDs)
	default:
		return perfdump.NewError(perfdump.CodeSyntax, -1, path, "results of type %d cannot be encoded", uint32(r.Type))
	}
	if instances != len(r.Instances) {
		return perfdump.NewError(perfdump.CodeCount, -1, path, "%d instances in a result of type %s, not %d", len(r.Instances), r.Type, instances)
	}
	if !r.Type.hasIDs() && len(r.IDs) > 0 {
		return perfdump.NewError(perfdump.CodeCount, -1, path, "%d ids in a result of type %s, which has none", len(r.IDs), r.Type)
	}
	for i := range r.Instances {
		if n := len(r.Instances[i].Values); n != counters {
			return perfdump.NewError(perfdump.CodeCount, -1, path.At(levelInstance, i), "%d values, not %d", n, counters)
		}
	}
	return nil
}

func appendPair(dst []byte, first, second uint32) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, first)
	return binary.LittleEndian.AppendUint32(dst, second)
}

// appendPadding pads dst to a multiple of 8 from start on.
func appendPadding(dst []byte, start int) []byte {
	for (len(dst)-start)%8 != 0 {
		dst = append(dst, 0)
	}
	return dst
}

func pad8(n int) int { return (n + 7) &^ 7 }
