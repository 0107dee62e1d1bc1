package hexdump

import (
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
)

// plainLines is the document of a text whose lines are all there is to tell.
type plainLines struct {
	plain
	text *textlines.Text
}

var lineLevels = perfdump.Levels{"line"}

// Lines returns the document of a text, line by line: of PDH-CSV, the output of
// agents, and manifests. Where its encoding cannot be told its bytes are shown.
func Lines(b []byte, in Input) Document {
	text, err := textlines.New(b, textlines.Options{CodePage: in.CodePage})
	if err != nil {
		return newRaw(b, err, err.Error())
	}
	return &plainLines{plain: plain{bytes: b, levels: lineLevels}, text: text}
}

func (d *plainLines) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		enc := d.text.Encoding()
		kind, page := enc.Kind()
		if kind != perfdump.KindANSI {
			page = 0
		}
		if n := int64(len(enc.BOM())); n > 0 && !yield(perfdump.Span{Size: n, Kind: perfdump.KindHex, Path: lineLevels.Root().Field("BOM")}) {
			return
		}
		for l := range d.text.All() {
			off, n := int64(l.Off), int64(len(l.Raw))
			if n > 0 && !yield(perfdump.Span{Off: off, Size: n, Kind: kind, CodePage: page, Path: lineLevels.Root().At(0, l.Number-1)}) {
				return
			}
			if end := int64(l.Size()) - n; end > 0 && !yield(perfdump.Span{Off: off + n, Size: end, Kind: perfdump.KindPadding, Note: "end of the line"}) {
				return
			}
		}
	}
}

func (d *plainLines) Elements(perfdump.Path, int) (n, keep int) { return d.text.Len(), keepLines }
