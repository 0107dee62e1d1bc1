package detect

import (
	"bytes"
	"io"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// The formats that are recognised and not read.
const (
	RegistryLog Format = "registry-log"
	OwnCSV      Format = "perfdump csv"
	OwnJSONL    Format = "perfdump jsonl"
	OwnParquet  Format = "perfdump parquet"
	OwnHTML     Format = "perfdump html"
)

var foreign = map[Format]string{
	RegistryLog: "a transaction log of the registry; it holds changes to the hive beside it, which is what perfdump reads",
	OwnCSV:      "rows that perfdump wrote; name the file that they came from",
	OwnJSONL:    "rows that perfdump wrote; name the file that they came from",
	OwnParquet:  "rows that perfdump wrote; name the file that they came from",
	OwnHTML:     "a report that perfdump wrote; open it in a browser",
}

// Foreign says what an input is whose format is recognised and not read, and what to
// do with it; "" for all other formats. Such inputs are an error of unknown-format,
// unless [Options].Foreign lets them through.
func (f Format) Foreign() string { return foreign[f] }

// sniffForeign finds these formats. tail is the end of the input where it is at hand.
func sniffForeign(head, tail []byte) Format {
	switch {
	case isRegistryLog(head):
		return RegistryLog
	case bytes.HasPrefix(head, []byte("PAR1")) && bytes.Contains(tail, []byte("perfdump")):
		return OwnParquet
	}
	text, _ := decodeText(head, true)
	first := firstLine(bytes.TrimLeft(text, " \t\r\n"))
	switch {
	case strings.HasPrefix(first, `{"`) && hasAll(first, `"host":`, `"object":`, `"instance_index":`, `"counter":`):
		return OwnJSONL
	case hasAll(","+first+",", ",host,", ",object,", ",instance_index,", ",counter,"):
		return OwnCSV
	case strings.HasPrefix(first, "<!doctype html>") && bytes.Contains(text, []byte("perfdump report</title>")):
		return OwnHTML
	default:
		return ""
	}
}

func hasAll(s string, parts ...string) bool {
	for _, part := range parts {
		if !strings.Contains(s, part) {
			return false
		}
	}
	return true
}

// isRegistryLog reports whether head begins a transaction log: it has the header of a
// hive, with another type, and no bins.
func isRegistryLog(head []byte) bool {
	const kind, bins = 28, 4096
	if len(head) < 32 || !bytes.HasPrefix(head, []byte("regf")) || len(head) > bins && bytes.HasPrefix(head[bins:], []byte("hbin")) {
		return false
	}
	switch wire.U32(head, kind) {
	case 1, 2, 6:
		return true
	default:
		return false
	}
}

// tail returns the last bytes of the input, nil where they are not at hand yet.
func (s *source) tail() []byte {
	const size = 4 << 10
	switch {
	case s.whole:
		return s.head[max(0, len(s.head)-size):]
	case s.size < size:
		return nil
	}
	b := make([]byte, size)
	if _, err := s.file.ReadAt(b, s.size-size); err != nil && err != io.EOF {
		return nil
	}
	return b
}

// foreignError is the error for an input of a format that is not read.
func foreignError(f Format) error {
	return perfdump.NewError(perfdump.CodeUnknownFormat, -1, perfdump.Path{}, "this is %s: %s", f, f.Foreign())
}
