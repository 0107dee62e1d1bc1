package capture

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/minidump"
)

// Image is memory that was searched for IPC control blocks: that of a process,
// in a dump, or a raw one.
type Image struct {
	File    string
	Format  detect.Format // Minidump or Memory
	Size    int64
	Dump    *minidump.File       // nil for raw memory
	Found   []ipcblock.Candidate // the most trustworthy first
	Dropped int                  // candidates that were not kept
	Err     error                // what ended the search early, nil for nothing

	r io.ReaderAt
	o Options
}

// OpenImage searches an input of a format that holds memory. It looks at every
// 8 bytes, so that tables in heaps are found as well. The error is that of a
// dump which cannot be opened; what ends the search itself stands in the
// Image, beside what was found. The Image is of use as long as in is open.
func OpenImage(in *detect.Input, o Options) (*Image, error) {
	m := &Image{File: in.Name, Format: in.Format, Size: in.Size(), r: bytes.NewReader(in.Data), o: o}
	if in.At != nil {
		m.r = in.At
	}
	if m.Format != detect.Minidump {
		if m.Size == 0 {
			return nil, perfdump.NewError(perfdump.CodeEmpty, 0, perfdump.Path{}, "there is no memory to search")
		}
		m.Found, m.Dropped, m.Err = ipcblock.Find(m.r, m.Size, ipcblock.FindOptions{Deep: true})
		return m, nil
	}
	dump, err := minidump.NewFile(m.r, m.Size, minidump.Options{Mode: o.Mode, Limits: o.Limits})
	if err != nil {
		return nil, err
	}
	m.Dump = dump
	m.Found, m.Dropped, m.Err = dump.Tables(minidump.TableOptions{Deep: true})
	return m, nil
}

// PID returns the number of the process, and false where it is not known.
func (m *Image) PID() (uint32, bool) {
	if m.Dump == nil {
		return 0, false
	}
	return m.Dump.PID()
}

// Modules yields what the process had loaded, as far as the dump tells.
func (m *Image) Modules() iter.Seq[minidump.Module] {
	return func(yield func(minidump.Module) bool) {
		if m.Dump == nil {
			return
		}
		for module, err := range m.Dump.Modules() {
			if err != nil || !yield(module) {
				return
			}
		}
	}
}

// Errors returns what could not be read of a dump or searched.
func (m *Image) Errors() []error {
	var all []error
	if m.Dump != nil {
		for _, fault := range m.Dump.Faults() {
			all = append(all, fault)
		}
	}
	if m.Err != nil {
		all = append(all, m.Err)
	}
	return all
}

// FoundTable is a candidate of an Image, decoded.
type FoundTable struct {
	*ipcblock.Candidate
	Index int    // in Image.Found
	Data  []byte // its bytes
	Table *ipcblock.Table
	// Repeats says that each of its runtimes is in a table that is more to be
	// trusted: it is a copy, or what is left of one.
	Repeats bool

	image *Image
}

// Tables decodes the candidates one after the other. An error is of one of
// them, which then has no Table; the others go on.
func (m *Image) Tables() iter.Seq2[*FoundTable, error] {
	return func(yield func(*FoundTable, error) bool) {
		seen := map[string]bool{}
		for i := range m.Found {
			t := &FoundTable{Candidate: &m.Found[i], Index: i, image: m}
			err := t.read()
			if err == nil {
				t.Repeats = t.repeats(seen)
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

func (t *FoundTable) read() error {
	m, err := t.image, error(nil)
	t.Data = make([]byte, t.Size)
	if m.Dump != nil {
		_, err = m.Dump.ReadVA(t.Data, t.Addr)
	} else if n, e := m.r.ReadAt(t.Data, t.Offset); n < len(t.Data) {
		err = e
	}
	if err != nil {
		return t.Place(&perfdump.FormatError{Code: perfdump.CodeIO, Err: err})
	}
	o := m.o.ipcblock()
	o.Layout = t.Layout
	if t.Table, err = ipcblock.Parse(t.Data, o); err != nil {
		return t.Place(err)
	}
	return nil
}

// repeats reports whether all runtimes of a table were seen, and sees them. A
// process id of 0 is the dump's own; in raw memory nobody knows whose it is.
func (t *FoundTable) repeats(seen map[string]bool) bool {
	some, fresh := false, false
	for c := range t.Table.Live() {
		some = true
		pid := cmp.Or(chunkPID(c), t.Owner())
		key := fmt.Sprintf("%s p%d r%d", t.Layout, pid, c.RuntimeID)
		fresh = fresh || pid == 0 || !seen[key]
		seen[key] = true
	}
	return some && !fresh
}

// Owner returns the process that the dump is of, 0 where that is not known.
func (t *FoundTable) Owner() uint64 {
	pid, _ := t.image.PID()
	return uint64(pid)
}

// Name returns what messages call a table: FILE@0xADDRESS.
func (t *FoundTable) Name() string { return fmt.Sprintf("%s@0x%x", t.image.File, t.Addr) }

// Path returns a path of the table as one of the image.
func (t *FoundTable) Path(p string) string {
	path := fmt.Sprintf("table[%d]", t.Index)
	if p != "" {
		path += "." + p
	}
	return path
}

// At returns where in the file an offset of the table stands, -1 for nowhere.
func (t *FoundTable) At(off int64) int64 {
	if off < 0 {
		return -1
	}
	if t.image.Dump == nil {
		return t.Offset + off
	}
	if at, ok := t.image.Dump.Offset(t.Addr + uint64(off)); ok {
		return at
	}
	return -1
}

// Place returns an error of the table with its path and its offset in the file.
func (t *FoundTable) Place(err error) error {
	var fe *perfdump.FormatError
	if !errors.As(err, &fe) {
		return err
	}
	at := *fe
	at.Path, at.Off = t.Path(fe.Path), t.At(fe.Off)
	return &at
}
