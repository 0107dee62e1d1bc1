package registry

import (
	"io"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Hive is an opened file of the registry. It holds the header alone and reads
// the rest when asked; it is safe for concurrent readers if its io.ReaderAt
// is.
type Hive struct {
	r         io.ReaderAt
	size      int64
	end       int64 // of the bins that are there
	base      BaseBlock
	mode      perfdump.Mode
	limits    perfdump.Limits
	anomalies perfdump.Anomalies
}

// NewHive reads the header of the hive that the first size bytes of r are. r
// must not change while the Hive is in use.
//
// A hive that was cut short is opened with what it has, which an anomaly
// tells; keys in the part that is missing are errors when they are read. The
// error is a *perfdump.FormatError: the signature, a header that is cut, or
// what r returned. In strict mode an anomaly is an error.
func NewHive(r io.ReaderAt, size int64, o Options) (*Hive, error) {
	h := &Hive{r: r, size: max(0, size), mode: o.Mode, limits: o.Limits}
	h.anomalies.Reset(o.Limits.MaxAnomalies())
	if err := h.readHeader(); err != nil {
		return nil, err
	}
	if o.Mode == perfdump.Strict && h.anomalies.Len() > 0 {
		return nil, h.anomalies.Kept()[0].Err()
	}
	return h, nil
}

// BaseBlock returns the header.
func (h *Hive) BaseBlock() BaseBlock { return h.base }

// Size returns the size that the hive was opened with.
func (h *Hive) Size() int64 { return h.size }

// Anomalies returns what is odd in the header. It belongs to h.
func (h *Hive) Anomalies() *perfdump.Anomalies { return &h.anomalies }

func (h *Hive) readHeader() error {
	var b [baseBlockSize]byte
	have := b[:min(h.size, baseBlockSize)]
	if len(have) == 0 {
		return perfdump.NewError(perfdump.CodeEmpty, 0, perfdump.Path{}, "no bytes")
	}
	if err := wire.ReadFull(h.r, have, 0); err != nil {
		return err
	}
	switch n := min(len(have), 4); {
	case string(have[:n]) != "regf"[:n]:
		return perfdump.NewError(perfdump.CodeSignature, 0, perfdump.Path{}, "no hive: it begins with % x, not with \"regf\"", have[:n])
	case h.size < firstBin+binSize:
		return perfdump.NewError(perfdump.CodeTruncated, 0, perfdump.Path{}, "0x%x bytes, fewer than the 0x%x of a header and the head of a bin", h.size, firstBin+binSize)
	}
	h.base.load(b[:])
	h.judge(b[:])
	h.end = min(h.size, firstBin+int64(h.base.Length))
	return nil
}

// judge tells what is odd in the header.
func (h *Hive) judge(b []byte) {
	field := func(name string) perfdump.Path { return levels.Root().Field(name) }
	if h.base.Sequence1 != h.base.Sequence2 {
		h.anomaly(CodeDirty, 4, field("Sequence1"), "the sequence numbers are %d and %d: the last writes are in the .LOG files, which are not read", int64(h.base.Sequence1), int64(h.base.Sequence2))
	}
	if sum := checksum(b); sum != h.base.CheckSum {
		h.anomaly(CodeChecksum, 508, field("CheckSum"), "checksum 0x%x where the header's words give 0x%x", int64(h.base.CheckSum), int64(sum))
	}
	if h.base.Major != 1 || h.base.Minor < 3 || h.base.Minor > 6 {
		h.anomaly(CodeHiveVersion, 20, field("Major"), "version %d.%d; read as 1.5", int64(h.base.Major), int64(h.base.Minor))
	}
	if n := int64(h.base.Length); firstBin+n > h.size {
		h.anomaly(CodeBinsCut, 40, field("Length"), "bins of 0x%x bytes, of which the file has 0x%x", n, h.size-firstBin)
	}
}

func (h *Hive) anomaly(code perfdump.Code, off int64, path perfdump.Path, text string, args ...int64) {
	h.anomalies.Add(perfdump.NewAnomaly(code, off, path, text, args...))
}

// checksum is what the header's last word should be. 0 and -1 are never used.
func checksum(b []byte) uint32 {
	var sum uint32
	for off := 0; off < baseBlockSize-4; off += 4 {
		sum ^= wire.U32(b, off)
	}
	switch sum {
	case 0:
		return 1
	case 0xFFFFFFFF:
		return 0xFFFFFFFE
	default:
		return sum
	}
}
