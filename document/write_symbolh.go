package document

import (
	"io"

	"github.com/perfdump/perfdump/symbolh"
)

// SymbolH is a symbol file: what symbolh.Parse makes of its bytes.
type SymbolH struct {
	Name string // of the file
	*symbolh.File
}

// WriteSymbolH writes the document of a symbol file to w. The only error is one
// of w.
func WriteSymbolH(w io.Writer, in SymbolH, o Options) error {
	p := newPrinter(w)
	if err := p.text("symbolh", in.Name, in.Bytes(), in.Encoding()); err != nil {
		return err
	}
	p.raw(`,"defines":[`)
	l := list{p: p}
	for v := range in.Defines() {
		l.next()
		p.str(`{"name":`, v.Name)
		switch v.Kind {
		case symbolh.Decimal:
			p.u32(`,"value":`, v.Offset)
		case symbolh.None:
			p.raw(`,"value":null`)
		default:
			p.str(`,"value":`, v.Value)
		}
		if !l.end(v.Line) {
			return p.err
		}
	}
	p.raw("],")
	p.anomalies(o.Limits.MaxAnomalies(), in.Anomalies())
	p.flush()
	return p.err
}
