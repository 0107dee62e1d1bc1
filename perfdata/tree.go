package perfdata

import (
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Tree is a block in owned, editable form, which [Tree.AppendBinary] encodes. A tree from
// [Block.Tree] encodes to the bytes of the block. To build one, set names, clocks, counters
// and values, and let [Tree.Layout] compute the lengths and offsets. It takes about twelve
// times the memory of its bytes.
type Tree struct {
	DataBlock

	SystemName    string // encoded by Layout if RawSystemName is nil
	RawSystemName []byte // with its NUL, at SystemNameOffset
	Objects       []TreeObject
	Gaps          []TreeGap // bytes that no field holds, by offset; nil if all are padding
}

// TreeObject is an object of a [Tree].
type TreeObject struct {
	ObjectType

	Counters  []CounterDefinition
	Instances []TreeInstance // one for NumInstances -1, none for 0, -2 and -3
}

// TreeInstance is an instance of a [TreeObject] with its values.
type TreeInstance struct {
	InstanceDefinition // not encoded for NumInstances -1

	Name        string // encoded by Layout if RawName is nil
	RawName     []byte // NameLength bytes at NameOffset
	BlockLength uint32
	Values      []TreeValue // one for each counter
}

// TreeValue is a value of a [TreeInstance]. The zero TreeValue is absent.
type TreeValue struct {
	Raw   []byte // the bytes at CounterOffset; if nil, Uint is used
	Uint  uint64 // of a value of 4 or 8 bytes
	Kind  ValueKind
	Count *uint32 // the DWORD after a multi-counter without a MULTI_BASE
}

// TreeGap is a run of bytes without a meaning.
type TreeGap struct {
	Off   int
	Bytes []byte
}

// Tree returns the block as an owned tree, which shares no memory with b. It returns false
// if b was salvaged and has faults: then it cannot be encoded again.
func (b *Block) Tree() (*Tree, bool) {
	if len(b.faults) > 0 || b.anomalousHeader() {
		return nil, false
	}
	t := &Tree{DataBlock: b.DataBlock, SystemName: b.ComputerName(), RawSystemName: slices.Clone(b.name), Gaps: []TreeGap{}}
	for i := range b.objects {
		t.Objects = append(t.Objects, b.objects[i].tree())
	}
	for s := range b.Spans() {
		if isGap(s) {
			off := int(s.Off - b.base)
			t.Gaps = append(t.Gaps, TreeGap{off, slices.Clone(b.raw[off : off+int(s.Size)])})
		}
	}
	return t, true
}

// anomalousHeader reports whether the objects do not begin at HeaderLength.
func (b *Block) anomalousHeader() bool {
	return len(b.objects) > 0 && b.objects[0].off != int(b.HeaderLength)
}

// isGap reports whether a span of a block is not a field, but a gap or padding.
func isGap(s perfdump.Span) bool {
	return s.Path.FieldName() == "" && (s.Kind == perfdump.KindGap || s.Kind == perfdump.KindPadding)
}

// tree returns the object as an owned tree.
func (o *Object) tree() TreeObject {
	t := TreeObject{ObjectType: o.ObjectType}
	for j := range o.Counters() {
		t.Counters = append(t.Counters, o.Counter(j).CounterDefinition)
	}
	for _, in := range o.Instances() {
		t.Instances = append(t.Instances, in.tree())
	}
	return t
}

// tree returns the instance as an owned tree.
func (in Instance) tree() TreeInstance {
	t := TreeInstance{
		InstanceDefinition: in.Definition(),
		Name:               in.Name(),
		RawName:            slices.Clone(in.RawName()),
		BlockLength:        wire.U32(in.object.block.raw, in.blockOffset()),
	}
	for j, v := range in.Values() {
		tv := TreeValue{Kind: v.Kind, Uint: v.Uint}
		if v.Kind == Text || v.Kind == Bytes {
			tv.Raw = slices.Clone(v.Raw)
		}
		if n, ok := in.inlineCount(j); ok {
			tv.Count = &n
		}
		t.Values = append(t.Values, tv)
	}
	return t
}
