package document

import (
	"io"

	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/internal/textlines"
)

// INIFile is an .ini file that registers counters: what inifile.Parse makes of
// its bytes.
type INIFile struct {
	Name string // of the file
	*inifile.File
}

// WriteINIFile writes the document of an .ini file to w. The only error is one
// of w.
func WriteINIFile(w io.Writer, in INIFile, o Options) error {
	p := newPrinter(w)
	if err := p.text("inifile", in.Name, in.Bytes(), in.Encoding()); err != nil {
		return err
	}
	p.known(`,"driver_name":`, in.DriverName())
	p.known(`,"symbol_file":`, in.SymbolFile())
	p.bool(`,"trusted":`, in.Trusted())
	p.raw(`,"languages":[`)
	l := list{p: p}
	for v := range in.Languages() {
		l.next()
		p.str(`{"id":`, v.ID)
		p.str(`,"name":`, v.Name)
		if !l.end(v.Line) {
			return p.err
		}
	}
	p.raw(`],"objects":[`)
	l = list{p: p}
	for v := range in.Objects() {
		l.next()
		p.str(`{"symbol":`, v.Symbol)
		p.str(`,"language":`, v.Language)
		if !l.end(v.Line) {
			return p.err
		}
	}
	p.raw(`],"texts":[`)
	l = list{p: p}
	for v := range in.Texts() {
		l.next()
		p.str(`{"symbol":`, v.Symbol)
		p.str(`,"language":`, v.Language)
		p.str(`,"kind":`, v.Kind.String())
		p.str(`,"text":`, v.Text)
		if !l.end(v.Line) {
			return p.err
		}
	}
	p.raw("],")
	p.anomalies(o.Limits.MaxAnomalies(), in.Anomalies())
	p.flush()
	return p.err
}

// text writes the head of a document of lines, and the lines.
func (p *printer) text(format, file string, data []byte, encoding string) error {
	enc, err := textlines.ParseEncoding(encoding)
	if err != nil {
		return err // cannot be: it has been read
	}
	t, err := textlines.NewIn(data, enc, textlines.Options{})
	if err != nil {
		return err
	}
	p.head(format, file, int64(len(data)))
	p.raw(",")
	p.lines(t)
	return p.err
}

// head writes what documents begin with.
func (p *printer) head(format, file string, size int64) {
	p.str(`{"format":`, format)
	p.str(`,"file":`, file)
	p.int(`,"size":`, size)
}

// known writes a text, null where it is empty: there is none.
func (p *printer) known(key, s string) { p.name(key, s, s != "") }

// list writes the objects of a view, one a line.
type list struct {
	p *printer
	n int
}

func (l *list) next() {
	if l.n++; l.n > 1 {
		l.p.raw(",")
	}
	l.p.raw("\n ")
}

// end closes an object with the line that it is of, and reports whether it
// makes sense to go on.
func (l *list) end(line int) bool {
	l.p.int(`,"line":`, int64(line))
	l.p.raw("}")
	return l.p.ok()
}
