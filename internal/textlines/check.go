package textlines

import "github.com/perfdump/perfdump"

// CtrlZ is the end-of-file mark of DOS.
const CtrlZ = 0x1A

// Checker finds the anomalies that a line of any format can have: a NUL,
// Ctrl-Z, a CR that ends no line, half a unit of UTF-16, and bytes that are not
// valid in the encoding.
type Checker struct {
	to    *perfdump.Anomalies
	chars []char // those that the file has
	lossy bool   // some line does not invert
}

// The codes of these anomalies; they mean the same in every format.
const (
	codeNUL       = perfdump.Code("nul")        // a NUL in a line
	codeCtrlZ     = perfdump.Code("ctrl-z")     // 0x1A, with which DOS ended its files
	codeLoneCR    = perfdump.Code("lone-cr")    // a CR without LF, which ends no line
	codeOddLength = perfdump.Code("odd-length") // half a unit of UTF-16 at the end of the file
	codeEncoding  = perfdump.Code("encoding")   // a line is not valid in the encoding, or would not encode back to its bytes
)

type char struct {
	c    byte
	code perfdump.Code
	text string
}

var chars = [...]char{
	{0, codeNUL, "line %d holds a NUL"},
	{CtrlZ, codeCtrlZ, "line %d holds Ctrl-Z, the end-of-file mark of DOS; remove it"},
	{'\r', codeLoneCR, "line %d holds a CR without LF, which ends no line"},
}

// Checker returns a checker that adds to anomalies.
func (t *Text) Checker(to *perfdump.Anomalies) *Checker {
	b := t.data[len(t.enc.BOM()):]
	c := &Checker{to: to, lossy: !t.enc.ASCII(b) && !(t.enc.IsUTF8() && t.enc.Inverts(b))}
	for _, ch := range chars {
		if t.enc.Index(b, ch.c) >= 0 {
			c.chars = append(c.chars, ch)
		}
	}
	return c
}

// Line adds the anomalies of a line.
func (c *Checker) Line(l Line) {
	for _, ch := range c.chars {
		if i := l.enc.Index(l.Raw, ch.c); i >= 0 {
			c.to.Add(l.Anomaly(ch.code, i, ch.text, 0))
		}
	}
	switch {
	case len(l.Raw)%l.enc.Unit() != 0:
		c.to.Add(l.Anomaly(codeOddLength, len(l.Raw)-1, "line %d ends in half a UTF-16 unit", 0))
	case c.lossy && !l.Inverts():
		c.to.Add(l.Anomaly(codeEncoding, 0, "line %d is not valid in the file's encoding, code page %d", int64(l.enc.CodePage())))
	}
}
