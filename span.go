package perfdump

// Kind is how the bytes of a [Span] are interpreted.
type Kind uint8

// The kinds of spans.
const (
	KindGap        Kind = iota // bytes that no field explains
	KindPadding                // bytes that fill up to an alignment
	KindUint                   // unsigned little-endian integer
	KindInt                    // signed little-endian integer
	KindHex                    // unsigned integer best shown in hex: flags, types
	KindUTF16                  // UTF-16LE text
	KindANSI                   // text in a code page
	KindBytes                  // bytes without further meaning
	KindFiletime               // 100 ns ticks since 1601, UTC
	KindSystemtime             // SYSTEMTIME: eight 16-bit words
)

// Span is the meaning of a run of bytes. The spans of a document are in order of offset and
// leave no hole: each begins at the end of the previous ones, except those marked Overlap,
// which describe bytes again that an earlier span covers.
type Span struct {
	Off, Size int64
	Kind      Kind
	Overlap   bool
	CodePage  uint32 // for KindANSI
	Path      Path
	Note      string // why a gap is one; what a padding fills
}
