package perfdata

import (
	"iter"
	"strings"

	"github.com/perfdump/perfdump/internal/wire"
)

// longText is the size in bytes from which on texts are better read in parts.
const longText = 16 << 10

// NameParts yields what [Instance.Name] returns, some KiB at a time and no half
// of a character: a block may be one name of many megabytes. A part is valid
// until the next.
func (in Instance) NameParts() iter.Seq[[]byte] {
	raw := in.RawName()
	if len(raw) == 0 {
		return noParts
	}
	if p := pageOf(raw, in.object.CodePage); p != nil {
		return p.Parts(cutNUL(raw))
	}
	return wire.UTF16Parts(cutNUL16(raw))
}

// TextParts yields what [Value.Text] returns, as [Instance.NameParts] does.
func (v Value) TextParts() iter.Seq[[]byte] {
	if v.page == 0 {
		return wire.UTF16Parts(cutNUL16(v.Raw))
	}
	raw := cutNUL(v.Raw)
	if p, ok := wire.LookupCodePage(v.page); ok && p.Valid(raw) {
		return p.Parts(raw)
	}
	return wire.ASCIIParts(raw)
}

func noParts(func([]byte) bool) {}

// joined returns the text of parts behind a prefix. It takes no more memory
// than that, which long texts do where they grow.
func joined(prefix []byte, parts iter.Seq[[]byte]) string {
	n := len(prefix)
	for part := range parts {
		n += len(part)
	}
	var b strings.Builder
	b.Grow(n)
	b.Write(prefix)
	for part := range parts {
		b.Write(part)
	}
	return b.String()
}
