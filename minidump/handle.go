package minidump

import "iter"

// Handle is a handle that the process had open.
type Handle struct {
	Value         uint64
	Type          string // Section, Event, File …
	Name          string // of the object, "" where it has none
	Attributes    uint32
	GrantedAccess uint32
	HandleCount   uint32
	PointerCount  uint32
}

// Handles yields the handles in the order of the list, none where the dump has
// no HandleData. It reads them from the file; an error of the reader ends the
// sequence.
func (f *File) Handles() iter.Seq2[Handle, error] {
	return func(yield func(Handle, error) bool) {
		if f.handles.n == 0 {
			return
		}
		names := f.names()
		var failed error
		err := f.each(f.handles, handleDescriptorSize, func(_, _ int64, b []byte) bool {
			var e handleDescriptor
			e.load(b)
			h := Handle{
				Value: e.Handle, Attributes: e.Attributes, GrantedAccess: e.GrantedAccess,
				HandleCount: e.HandleCount, PointerCount: e.PointerCount,
			}
			if h.Type, failed = names.text(e.TypeNameRva); failed != nil {
				return false
			}
			if h.Name, failed = names.text(e.ObjectNameRva); failed != nil {
				return false
			}
			return yield(h, nil)
		})
		if err == nil {
			err = failed
		}
		if err != nil {
			yield(Handle{}, err)
		}
	}
}

func (f *File) readHandles() error {
	i, b, err := f.head(HandleDataStream, handleDataSize)
	if err != nil || i < 0 {
		return err
	}
	var h handleDataHeader
	h.load(b)
	l, ferr := f.list(i, shape{
		levels: &handleLevels, header: uint64(h.SizeOfHeader), least: handleDataSize,
		stride: uint64(h.SizeOfDescriptor), entry: handleDescriptorSize, n: uint64(h.NumberOfDescriptors),
		nAt: 8, nName: "NumberOfDescriptors", hdrName: "SizeOfHeader", strAt: 4, strName: "SizeOfDescriptor",
	})
	f.handles = l
	if err := f.fault(ferr); err != nil || l.n == 0 {
		return err
	}
	names := f.names()
	var failed error
	err = f.each(l, handleDescriptorSize, func(i, off int64, b []byte) bool {
		var e handleDescriptor
		e.load(b)
		if failed = names.check(e.TypeNameRva, off+8, l.path(i).Field("TypeNameRva")); failed == nil {
			failed = names.check(e.ObjectNameRva, off+12, l.path(i).Field("ObjectNameRva"))
		}
		return failed == nil
	})
	if err == nil {
		err = failed
	}
	return err
}
