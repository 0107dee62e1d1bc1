package registry

import (
	"fmt"
	"io"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Hive is an opened registry file. It holds only the header and reads the rest on demand;
// it is safe for concurrent readers if its io.ReaderAt is.
type Hive struct {
	r         io.ReaderAt
	size      int64
	end       int64 // of the bins that are there
	base      baseBlock
	mode      perfdump.Mode
	limits    perfdump.Limits
	anomalies perfdump.Anomalies
}

// OpenHive reads the header of the hive in the first size bytes of r. r must not change
// while the Hive is in use. A truncated hive is opened with an anomaly; reading a key in
// the missing part is an error. The error is a *perfdump.FormatError; in strict mode
// anomalies are errors.
func OpenHive(r io.ReaderAt, size int64, o perfdump.Options) (*Hive, error) {
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

// Size returns the size that the hive was opened with.
func (h *Hive) Size() int64 { return h.size }

// Version returns the version of the format: 1.5.
func (h *Hive) Version() string { return fmt.Sprintf("%d.%d", h.base.Major, h.base.Minor) }

func (h *Hive) readHeader() error {
	var b [baseBlockSize]byte
	have := b[:min(h.size, baseBlockSize)]
	if len(have) == 0 {
		return perfdump.NewError(perfdump.CodeEmpty, 0, perfdump.Path{}, "the input is empty")
	}
	if err := wire.ReadFull(h.r, have, 0); err != nil {
		return err
	}
	switch n := min(len(have), 4); {
	case string(have[:n]) != "regf"[:n]:
		return perfdump.NewError(perfdump.CodeSignature, 0, perfdump.Path{}, "not a hive: it begins with % x instead of \"regf\"", have[:n])
	case h.size < firstBin+binSize:
		return perfdump.NewError(perfdump.CodeTruncated, 0, perfdump.Path{}, "0x%x bytes, fewer than the 0x%x of a header and a bin header", h.size, firstBin+binSize)
	}
	wire.LoadStruct(&h.base, b[:])
	h.check(b[:])
	h.end = min(h.size, firstBin+int64(h.base.Length))
	return nil
}

func (h *Hive) check(b []byte) {
	add := func(code perfdump.Code, off int64, path perfdump.Path, text string, args ...int64) {
		h.anomalies.Add(perfdump.NewAnomaly(code, off, path, text, args...))
	}
	if h.base.Sequence1 != h.base.Sequence2 {
		add(codeDirty, 4, at("Sequence1"), "the sequence numbers are %d and %d: the last writes are in the .LOG files, which are not read", int64(h.base.Sequence1), int64(h.base.Sequence2))
	}
	if sum := checksum(b); sum != h.base.CheckSum {
		add(codeChecksum, 508, at("CheckSum"), "checksum 0x%x where the header's words give 0x%x", int64(h.base.CheckSum), int64(sum))
	}
	if h.base.Major != 1 || h.base.Minor < 3 || h.base.Minor > 6 {
		add(codeHiveVersion, 20, at("Major"), "version %d.%d; read as 1.5", int64(h.base.Major), int64(h.base.Minor))
	}
	if n := int64(h.base.Length); firstBin+n > h.size {
		add(codeBinsCut, 40, at("Length"), "bins of 0x%x bytes, of which the file has 0x%x", n, h.size-firstBin)
	}
}

// checksum returns the expected last word of the header. 0 and -1 are never used.
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
	}
	return sum
}
