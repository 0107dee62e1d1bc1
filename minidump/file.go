package minidump

import (
	"io"
	"iter"
	"slices"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// maxStreams is far above what writers produce: about thirty types exist.
const maxStreams = 4096

// File is an opened dump. It holds the directory and the map of the memory and
// reads the rest on demand. It is safe for concurrent readers if its
// io.ReaderAt is.
type File struct {
	r      io.ReaderAt
	size   int64
	mode   perfdump.Mode
	header header

	streams []Stream
	arch    Arch
	misc    miscInfo
	lists   [numLists]list
	ranges  []Range

	memoryBase uint64 // of the bytes of memory64
	anomalies  perfdump.Anomalies
	faults     []*perfdump.FormatError
}

// Open reads the header, the directory and the map of the memory of the dump in the first
// size bytes of r, and checks all other streams that this package knows. Its time and
// memory are proportional to these streams, not to the memory in the dump. r must not
// change while the File is in use.
//
// A truncated dump is opened with what it has; anomalies report what is missing. The error
// is a *perfdump.FormatError: a wrong signature, a directory or a list that contradicts its
// bytes, or an error of r. In salvage mode the valid part of such lists and directories is
// read, see [File.Faults]; in strict mode an anomaly is an error.
func Open(r io.ReaderAt, size int64, o perfdump.Options) (*File, error) {
	f := &File{r: r, size: max(0, size), arch: UnknownArch, mode: o.Mode}
	f.anomalies.Reset(o.Limits.MaxAnomalies())
	steps := []func() error{f.readHeader, f.readDirectory}
	for _, k := range streamKinds {
		steps = append(steps, func() error { return f.readStream(k) })
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
		if o.Mode == perfdump.Strict && f.anomalies.Len() > 0 {
			return nil, f.anomalies.Kept()[0].Err()
		}
	}
	return f, nil
}

// Arch returns the architecture of the process, UnknownArch if the dump does not have it.
func (f *File) Arch() Arch { return f.arch }

// Time returns when the dump was made, in UTC to the second, and the zero Time if it is
// unknown.
func (f *File) Time() time.Time {
	if f.header.TimeDateStamp == 0 {
		return time.Time{}
	}
	return time.Unix(int64(f.header.TimeDateStamp), 0).UTC()
}

// FullMemory reports whether the dump is marked as holding all of the process's memory.
func (f *File) FullMemory() bool { return f.header.Flags&2 != 0 }

// PID returns the process id, and whether the dump has it.
func (f *File) PID() (uint32, bool) { return f.misc.ProcessId, f.misc.Flags1&1 != 0 }

// Anomalies returns what is unusual in the dump, in the order in which [Open] reads the
// streams. They belong to f.
func (f *File) Anomalies() *perfdump.Anomalies { return &f.anomalies }

// Faults returns the errors that salvage mode skipped.
func (f *File) Faults() iter.Seq[*perfdump.FormatError] { return slices.Values(f.faults) }

func (f *File) anomaly(code perfdump.Code, off int64, path perfdump.Path, text string, args ...int64) {
	f.anomalies.Add(perfdump.NewAnomaly(code, off, path, text, args...))
}

// fault records err in salvage mode and returns it otherwise.
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
		return perfdump.NewError(perfdump.CodeEmpty, 0, perfdump.Path{}, "the input is empty")
	}
	if err := wire.ReadFull(f.r, have, 0); err != nil {
		return err
	}
	wire.LoadStruct(&f.header, b[:])
	switch n := min(len(have), 4); {
	case string(have[:n]) != "MDMP"[:n]:
		return perfdump.NewError(perfdump.CodeSignature, 0, perfdump.Path{}, "not a minidump: it begins with % x instead of \"MDMP\"", have[:n])
	case len(have) < headerSize:
		return perfdump.NewError(perfdump.CodeTruncated, 0, perfdump.Path{}, "%d bytes, fewer than the %d of a header", len(have), headerSize)
	}
	if v := f.header.Version & 0xFFFF; v != versionWord {
		f.anomaly(codeVersion, 4, streamLevels.Root().Field("Version"), "version 0x%x instead of 0x%x", int64(v), versionWord)
	}
	return nil
}

func (f *File) readDirectory() error {
	root := streamLevels.Root()
	n, at := int64(f.header.NumberOfStreams), int64(f.header.StreamDirectoryRva)
	if n == 0 {
		f.anomaly(codeNoStreams, 8, root.Field("NumberOfStreams"), "no streams")
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
			"%d streams need 0x%x bytes, but 0x%x remain", n, n*directoryEntrySize, f.size-at).Truncated()
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
	var e directoryEntry
	for i := range f.streams {
		wire.LoadStruct(&e, b[i*directoryEntrySize:])
		s := Stream{Type: StreamType(e.StreamType), Off: int64(e.Rva), Size: int64(e.DataSize)}
		s.Have = max(0, min(s.Size, f.size-s.Off))
		f.streams[i] = s
		f.checkEntry(i)
	}
	return nil
}

// entryOff returns the offset of entry i of the directory.
func (f *File) entryOff(i int) int64 {
	return int64(f.header.StreamDirectoryRva) + int64(i)*directoryEntrySize
}

// checkEntry adds the anomalies of entry i of the directory.
func (f *File) checkEntry(i int) {
	s, at := f.streams[i], f.entryOff(i)
	if s.Type == 0 || s.Size == 0 {
		return
	}
	path := streamLevels.Root().At(levelStream, i)
	if s.Have < s.Size {
		f.anomaly(codeStreamCut, at+8, path.Field("Rva"), "stream of 0x%x bytes, of which the file has 0x%x", s.Size, s.Have)
	}
	if first := f.stream(s.Type); first != i && known(s.Type) {
		f.anomaly(codeDuplicateStream, at, path.Field("StreamType"), "a second stream of type %d; the first, %d, is read", int64(s.Type), int64(first))
	}
}
