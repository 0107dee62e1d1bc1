package minidump

import (
	"io"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Options say how a dump is opened. The zero value is tolerant, with the
// default limits.
type Options struct {
	Mode   perfdump.Mode
	Limits perfdump.Limits
}

// maxStreams is far above what any writer makes: about thirty types exist.
const maxStreams = 4096

// File is an opened dump. It holds the directory and the map of the memory and
// reads the rest when asked; it is safe for concurrent readers if its
// io.ReaderAt is.
type File struct {
	r      io.ReaderAt
	size   int64
	header Header

	streams []Stream
	arch    Arch
	system  SystemInfo
	misc    miscInfo
	ranges  []Range

	memory     [2]list // Memory64List and MemoryList
	memoryBase uint64  // of the former's bytes
	modules    list
	regions    list
	handles    list
	hasSystem  bool
	hasMisc    bool
	anomalies  perfdump.Anomalies
	faults     []*perfdump.FormatError
	mode       perfdump.Mode
}

// maxKnown bounds the types of streams that are read.
const maxKnown = 17

// NewFile reads the header, the directory and the map of the memory of the dump
// that the first size bytes of r are, and checks all other streams that this
// package knows. It takes time and memory in proportion to these streams, not
// to the memory that the dump holds. r must not change while the File is in
// use.
//
// A dump that was cut short is opened with what it has; what is missing is
// told by anomalies. The error is a *perfdump.FormatError: the signature, a
// directory or a list that contradicts the bytes it stands in, or what r
// returned. In salvage mode lists and a directory like that give what fits,
// see [File.Faults]; in strict mode an anomaly is an error.
func NewFile(r io.ReaderAt, size int64, o Options) (*File, error) {
	f := &File{r: r, size: max(0, size), arch: UnknownArch, mode: o.Mode}
	f.anomalies.Reset(o.Limits.MaxAnomalies())
	for _, step := range []func() error{
		f.readHeader, f.readDirectory, f.readSystemInfo, f.readMiscInfo, f.readMemory, f.readModules, f.readRegions, f.readHandles,
	} {
		if err := step(); err != nil {
			return nil, err
		}
		if o.Mode == perfdump.Strict && f.anomalies.Len() > 0 {
			return nil, f.anomalies.Kept()[0].Err()
		}
	}
	return f, nil
}

// Header returns the dump's header.
func (f *File) Header() Header { return f.header }

// Size returns the size that the dump was opened with.
func (f *File) Size() int64 { return f.size }

// Arch returns the architecture of the process, UnknownArch where the dump
// does not tell.
func (f *File) Arch() Arch { return f.arch }

// Time returns when the dump was made, in UTC to the second, and the zero Time
// where the dump does not say.
func (f *File) Time() time.Time {
	if f.header.TimeDateStamp == 0 {
		return time.Time{}
	}
	return time.Unix(int64(f.header.TimeDateStamp), 0).UTC()
}

// FullMemory reports whether the dump says that it holds all of the process's
// memory.
func (f *File) FullMemory() bool { return f.header.Flags&2 != 0 }

// SystemInfo returns what the dump says of the machine, and whether it does.
func (f *File) SystemInfo() (SystemInfo, bool) { return f.system, f.hasSystem }

// PID returns the number of the process, and whether the dump has it.
func (f *File) PID() (uint32, bool) { return f.misc.ProcessId, f.hasMisc && f.misc.Flags1&1 != 0 }

// StartTime returns when the process was made, in UTC to the second, and
// whether the dump has it.
func (f *File) StartTime() (time.Time, bool) {
	if !f.hasMisc || f.misc.Flags1&2 == 0 {
		return time.Time{}, false
	}
	return time.Unix(int64(f.misc.ProcessCreateTime), 0).UTC(), true
}

// Anomalies returns what is odd in the dump, as [NewFile] met it: stream after
// stream. It belongs to f.
func (f *File) Anomalies() *perfdump.Anomalies { return &f.anomalies }

// Faults returns the errors that salvage mode went past.
func (f *File) Faults() []*perfdump.FormatError { return f.faults }

func (f *File) anomaly(code perfdump.Code, off int64, path perfdump.Path, text string, args ...int64) {
	f.anomalies.Add(perfdump.NewAnomaly(code, off, path, text, args...))
}

// fault keeps err aside in salvage mode and returns it otherwise.
func (f *File) fault(err *perfdump.FormatError) error {
	if err == nil {
		return nil
	}
	if f.mode != perfdump.Salvage {
		return err
	}
	f.faults = append(f.faults, err)
	return nil
}

func (f *File) readHeader() error {
	var b [headerSize]byte
	have := b[:min(f.size, headerSize)]
	if len(have) == 0 {
		return perfdump.NewError(perfdump.CodeEmpty, 0, perfdump.Path{}, "no bytes")
	}
	if err := wire.ReadFull(f.r, have, 0); err != nil {
		return err
	}
	f.header.load(b[:])
	switch n := min(len(have), 4); {
	case string(have[:n]) != "MDMP"[:n]:
		return perfdump.NewError(perfdump.CodeSignature, 0, perfdump.Path{}, "no minidump: it begins with % x, not with \"MDMP\"", have[:n])
	case len(have) < headerSize:
		return perfdump.NewError(perfdump.CodeTruncated, 0, perfdump.Path{}, "%d bytes, fewer than the %d of a header", len(have), headerSize)
	}
	if v := f.header.Version & 0xFFFF; v != versionWord {
		f.anomaly(CodeVersion, 4, streamLevels.Root().Field("Version"), "version 0x%x, not 0x%x", int64(v), versionWord)
	}
	return nil
}

func (f *File) readDirectory() error {
	root := streamLevels.Root()
	n, at := int64(f.header.NumberOfStreams), int64(f.header.StreamDirectoryRva)
	if n == 0 {
		f.anomaly(CodeNoStreams, 8, root.Field("NumberOfStreams"), "no streams")
		return nil
	}
	var err *perfdump.FormatError
	fit := max(0, f.size-at) / directoryEntrySize
	switch {
	case at > f.size:
		err = perfdump.NewError(perfdump.CodeLength, 12, root.Field("StreamDirectoryRva"),
			"directory at 0x%x, past the file's 0x%x bytes", at, f.size).Truncated()
	case n > fit:
		err = perfdump.NewError(perfdump.CodeCount, 8, root.Field("NumberOfStreams"),
			"%d streams need 0x%x bytes, 0x%x are left", n, n*directoryEntrySize, f.size-at).Truncated()
	case n > maxStreams:
		err = perfdump.NewError(perfdump.CodeLimit, 8, root.Field("NumberOfStreams"), "%d streams, more than %d", n, maxStreams)
	}
	if err := f.fault(err); err != nil {
		return err
	}
	n = min(n, fit, maxStreams)
	if n == 0 {
		return nil
	}
	b := make([]byte, n*directoryEntrySize)
	if err := wire.ReadFull(f.r, b, at); err != nil {
		return err
	}
	f.streams = make([]Stream, n)
	for i := range f.streams {
		var e directoryEntry
		e.load(b[i*directoryEntrySize:])
		s := Stream{Type: StreamType(e.StreamType), Off: int64(e.Rva), Size: int64(e.DataSize)}
		s.Have = max(0, min(s.Size, f.size-s.Off))
		f.streams[i] = s
		f.checkEntry(i)
	}
	return nil
}

// entryOff returns where entry i of the directory stands.
func (f *File) entryOff(i int) int64 {
	return int64(f.header.StreamDirectoryRva) + int64(i)*directoryEntrySize
}

// checkEntry tells what is odd in entry i of the directory.
func (f *File) checkEntry(i int) {
	s, at := f.streams[i], f.entryOff(i)
	if s.Type == 0 || s.Size == 0 {
		return
	}
	path := streamLevels.Root().At(levelStream, i)
	if s.Have < s.Size {
		f.anomaly(CodeStreamCut, at+8, path.Field("Rva"), "stream of 0x%x bytes, of which the file has 0x%x", s.Size, s.Have)
	}
	if s.Type < maxKnown && known[s.Type] {
		if first := f.stream(s.Type); first != i {
			f.anomaly(CodeDuplicateStream, at, path.Field("StreamType"), "a second stream of type %d; the first, %d, is read", int64(s.Type), int64(first))
		}
	}
}

var known = [maxKnown]bool{
	ModuleListStream: true, MemoryListStream: true, SystemInfoStream: true, Memory64ListStream: true,
	HandleDataStream: true, MiscInfoStream: true, MemoryInfoListStream: true,
}

// head returns the first bytes of a stream, size of them or as many as there
// are. What the stream itself has too few of is told by an error, what the
// file has by the anomaly of its entry.
func (f *File) head(t StreamType, size int) (i int, b []byte, err error) {
	i = f.stream(t)
	if i < 0 {
		return i, nil, nil
	}
	s := f.streams[i]
	if s.Size < int64(size) {
		return -1, nil, f.fault(perfdump.NewError(perfdump.CodeLength, f.entryOff(i)+4, streamLevels.Root().At(levelStream, i).Field("DataSize"),
			"stream of 0x%x bytes, fewer than the 0x%x that it needs", s.Size, size))
	}
	if s.Have < int64(size) {
		return -1, nil, nil
	}
	b = make([]byte, size)
	return i, b, wire.ReadFull(f.r, b, s.Off)
}

func (f *File) readSystemInfo() error {
	i, b, err := f.head(SystemInfoStream, systemInfoSize)
	if err != nil {
		return err
	}
	if i < 0 {
		f.anomaly(CodeNoSystemInfo, 8, streamLevels.Root(), "no SystemInfo: the architecture is not known, addresses are taken to have 64 bits")
		return nil
	}
	f.system.load(b)
	f.hasSystem = true
	f.arch = Arch(f.system.ProcessorArchitecture)
	if !f.arch.known() {
		f.anomaly(CodeArchitecture, f.streams[i].Off, streamLevels.Root().At(levelStream, i).Field("ProcessorArchitecture"),
			"architecture %d: addresses are taken to have 64 bits", int64(f.arch))
	}
	return nil
}

func (f *File) readMiscInfo() error {
	i, b, err := f.head(MiscInfoStream, miscInfoSize)
	if err != nil || i < 0 {
		return err
	}
	f.misc.load(b)
	f.hasMisc = true
	if n := int64(f.misc.SizeOfInfo); n < miscInfoSize || n > f.streams[i].Size {
		f.anomaly(CodeStreamShort, f.streams[i].Off, streamLevels.Root().At(levelStream, i).Field("SizeOfInfo"),
			"SizeOfInfo 0x%x, the stream has 0x%x bytes", n, f.streams[i].Size)
	}
	return nil
}

// simple reads the head of a list that begins with a count of 32 bits.
func (f *File) simple(t StreamType, levels *perfdump.Levels, entry uint64) (list, error) {
	i, b, err := f.head(t, listHeaderSize)
	if err != nil || i < 0 {
		return list{}, err
	}
	n := uint64(wire.U32(b, 0))
	sh := shape{
		levels: levels, header: listHeaderSize, least: listHeaderSize, stride: entry, entry: entry,
		n: n, nName: "NumberOfEntries",
	}
	if padded(f.streams[i].Size, n, entry) {
		f.anomaly(CodeListPadding, f.streams[i].Off+listHeaderSize, streamLevels.Root().At(levelStream, i), "4 bytes between the count and the entries")
		sh.header += listPadding
	}
	l, ferr := f.list(i, sh)
	return l, f.fault(ferr)
}
