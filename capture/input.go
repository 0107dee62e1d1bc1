package capture

import (
	"bytes"
	"fmt"
	"io"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/internal/detect"
)

// Input is something to read: bytes in Data, or a file in At and Size.
type Input struct {
	Name   string // used in snapshots, frames and errors
	Format string // such as "blg"; "" to detect it
	Data   []byte
	At     io.ReaderAt // nil if Data is used
	Size   int64       // of At
	Closer io.Closer   // of At; may be nil
	Parts  []blg.Part  // of a binary log, to read only these; see [blg.OpenParts]
}

// Open opens a file of any format, optionally compressed with gzip or zstd; "-" is standard
// input. The error is a *[perfdump.FormatError].
func Open(name string) (*Input, error) {
	in, err := detect.Open(name, detect.Options{})
	if err != nil {
		return nil, err
	}
	return &Input{Name: name, Format: string(in.Format), Data: in.Data, At: in.At, Size: in.Size(), Closer: in}, nil
}

// Close closes the file of an input.
func (in *Input) Close() error {
	if in.Closer == nil {
		return nil
	}
	return in.Closer.Close()
}

func (in *Input) size() int64 {
	if in.At != nil {
		return in.Size
	}
	return int64(len(in.Data))
}

// reads returns how many bytes of the input are read.
func (in *Input) reads() int64 {
	if in.Parts == nil {
		return in.size()
	}
	n := int64(0)
	for _, p := range in.Parts {
		n += max(0, p.To-p.From)
	}
	return min(n, in.size())
}

// headSize is how many bytes of an input are used to detect its format.
const headSize = 128 << 10

// prepare detects the format, and reads inputs into memory that need it.
func (in *Input) prepare() (detect.Format, error) {
	size := in.size()
	format := detect.Format(in.Format)
	at := in.At
	if at == nil {
		at = bytes.NewReader(in.Data)
	}
	if format == "" {
		head := make([]byte, min(size, headSize))
		if n, err := at.ReadAt(head, 0); n < len(head) {
			return "", &perfdump.FormatError{Code: perfdump.CodeIO, Off: -1, Err: err}
		}
		var ok bool
		if format, ok = detect.Sniff(head, size); !ok {
			return "", perfdump.NewError(perfdump.CodeUnknownFormat, 0, perfdump.Path{}, "the format is not recognized")
		}
		in.Format = string(format)
	}
	switch {
	case format.RandomAccess():
		in.At, in.Size = at, size
	case in.At != nil:
		in.Data = make([]byte, size)
		if n, err := in.At.ReadAt(in.Data, 0); n < len(in.Data) {
			return "", &perfdump.FormatError{Code: perfdump.CodeIO, Off: -1, Err: err}
		}
		in.At = nil
	}
	return format, nil
}

// NoCaptureError is returned for formats without counter values.
type NoCaptureError struct{ Format string }

func (e *NoCaptureError) Error() string {
	return fmt.Sprintf("%s holds no counter values", e.Format)
}
