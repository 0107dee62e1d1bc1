package capture

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/minidump"
)

// Image is memory that was searched for IPC control blocks: the dump of a process, or raw
// memory.
type Image struct {
	File    string
	Format  string // as in [Input]
	Size    int64
	Dump    *minidump.File       // nil for raw memory
	Found   []ipcblock.Candidate // the most trustworthy first
	Dropped int                  // candidates that were not kept
	Err     error                // why the search ended early, nil if it did not
	Mode    perfdump.Mode        // in which the tables are read

	r io.ReaderAt
	o perfdump.Options
}

// OpenImage searches an input of the format minidump, or any other as raw memory. It looks
// at every 8 bytes, so that it also finds tables in heaps. It returns an error if a dump
// cannot be opened; an error of the search is in Image.Err. The Image can be used as long
// as in is open.
func OpenImage(in *Input, o perfdump.Options) (*Image, error) {
	m := &Image{File: in.Name, Format: in.Format, Size: in.size(), Mode: o.Mode, o: o, r: in.At}
	if m.r == nil {
		m.r = bytes.NewReader(in.Data)
	}
	if detect.Format(in.Format) != detect.Minidump {
		if m.Size == 0 {
			return nil, perfdump.NewError(perfdump.CodeEmpty, 0, perfdump.Path{}, "the file is empty: there is no memory to search")
		}
		m.Found, m.Dropped, m.Err = ipcblock.Find(m.r, m.Size, ipcblock.FindOptions{Deep: true})
		return m, nil
	}
	dump, err := minidump.Open(m.r, m.Size, o)
	if err != nil {
		return nil, err
	}
	m.Dump = dump
	m.Found, m.Dropped, m.Err = dump.Tables(minidump.TableOptions{Deep: true})
	return m, nil
}

// PID returns the process id, and false if it is not known.
func (m *Image) PID() (uint32, bool) {
	if m.Dump == nil {
		return 0, false
	}
	return m.Dump.PID()
}

// Modules yields the loaded modules of the process that the dump lists.
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

// Errors returns the errors of reading the dump and of the search.
func (m *Image) Errors() []error {
	var all []error
	if m.Dump != nil {
		for fault := range m.Dump.Faults() {
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
	// Repeats reports that each of its runtimes is in a more trustworthy table: this one is
	// a copy, or the rest of one.
	Repeats bool

	image *Image
}

// Tables decodes the candidates one by one. A candidate with an error has no Table; the
// others follow.
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

// Fresh returns the tables that are not copies, and the first error.
func (m *Image) Fresh() (tables []*ipcblock.Table, err error) {
	failures := m.Errors()
	for t, err := range m.Tables() {
		switch {
		case err != nil:
			failures = append(failures, err)
		case !t.Repeats:
			tables = append(tables, t.Table)
			failures = append(failures, t.faults()...)
		}
	}
	if len(failures) > 0 {
		return tables, failures[0]
	}
	return tables, nil
}

func (t *FoundTable) faults() (all []error) {
	for fault := range t.Table.Faults() {
		all = append(all, t.Place(fault))
	}
	return all
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
	if t.Table, err = ipcblock.Parse(t.Data, ipcblock.Options{Options: perfdump.Options{Mode: m.Mode, Limits: m.o.Limits}, Layout: t.Layout}); err != nil {
		return t.Place(err)
	}
	return nil
}

// repeats reports whether all runtimes of a table were seen, and marks them as seen. A
// process id of 0 is that of the dump; in raw memory the process is unknown.
func (t *FoundTable) repeats(seen map[string]bool) bool {
	live, fresh := false, false
	for c := range t.Table.Live() {
		live = true
		pid := cmp.Or(chunkPID(c), t.Owner())
		key := fmt.Sprintf("%s p%d r%d", t.Layout, pid, c.RuntimeID)
		fresh = fresh || pid == 0 || !seen[key]
		seen[key] = true
	}
	return live && !fresh
}

// Owner returns the process id of the dump, 0 if it is not known.
func (t *FoundTable) Owner() uint64 {
	pid, _ := t.image.PID()
	return uint64(pid)
}

// Name returns the name of a table in messages: FILE@0xADDRESS.
func (t *FoundTable) Name() string { return fmt.Sprintf("%s@0x%x", t.image.File, t.Addr) }

// Path converts a path within the table to one within the image.
func (t *FoundTable) Path(p string) string {
	path := fmt.Sprintf("table[%d]", t.Index)
	if p != "" {
		path += "." + p
	}
	return path
}

// At converts an offset within the table to one in the file, -1 if it has none.
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

// Place returns an error of the table with its path and offset converted to those in the
// file.
func (t *FoundTable) Place(err error) error {
	var fe *perfdump.FormatError
	if !errors.As(err, &fe) {
		return err
	}
	at := *fe
	at.Path, at.Off = t.Path(fe.Path), t.At(fe.Off)
	return &at
}

// Why returns a text that says why no table was found, as far as that is known.
func (m *Image) Why() string {
	if m.Dump == nil {
		return "no IPC control blocks found; in raw memory the pages of a table may be scattered"
	}
	modules, runtime, core := false, false, false
	for module := range m.Modules() {
		modules = true
		runtime = runtime || module.Runtime()
		core = core || module.Core()
	}
	switch {
	case core && !runtime:
		return "no IPC control blocks found: the process runs .NET Core or .NET 5 and later, which has none"
	case !runtime && modules:
		return "no IPC control blocks found: the process has no runtime of the .NET Framework loaded"
	case !m.Dump.FullMemory():
		return "no IPC control blocks found: the dump does not hold all memory of the process; create a full dump with procdump -ma"
	default:
		return "no IPC control blocks found in the memory of the dump"
	}
}

// snapshots yields a snapshot for each table. Each runtime is included once, from the most
// trustworthy table that has it.
func (m *Image) snapshots(r *Recording) iter.Seq2[*Snapshot, error] {
	return func(yield func(*Snapshot, error) bool) {
		if all := m.Errors(); len(all) > 0 && !yield((&Snapshot{Source: m.File, o: r.o}).failed(all...), nil) {
			return
		}
		repeats := 0
		for t, err := range m.Tables() {
			s := &Snapshot{Source: t.Name(), o: r.o}
			switch {
			case err != nil:
				s.failed(err)
			case t.Repeats:
				repeats++
				s.failed(t.faults()...)
			default:
				s.other = tableValues{t.Table, t.Owner()}
				s.failed(t.faults()...)
			}
			if !yield(s, nil) {
				return
			}
		}
		if len(m.Found) == 0 {
			r.report(Remark{Code: RemarkNoTables, Source: m.File, Text: m.Why()})
		}
		if repeats > 0 {
			r.report(Remark{Source: m.File, Text: fmt.Sprintf("%d of %d tables repeat the runtimes of a better one and give no rows; -o json shows them", repeats, len(m.Found))})
		}
	}
}

func (s *Snapshot) failed(all ...error) *Snapshot {
	s.faults = func(yield func(*perfdump.FormatError) bool) {
		for _, err := range all {
			if !yield(wire.AsFormatError(err)) {
				return
			}
		}
	}
	return s
}
