package inifile

import (
	"bytes"

	"github.com/perfdump/perfdump/internal/textlines"
)

// scratch is what comparing a key with others takes.
type scratch struct{ want, have, text []byte }

// first adds l to the index unless its key is there, and returns the offset of
// the first line of the key.
func (f *File) first(s *scratch, id uint32, l Line) int64 {
	s.want = textlines.AppendFold(s.want[:0], l.enc.Decode(&s.text, l.line.Raw[l.a:l.b]))
	return int64(f.index.Add(int(l.Off), id, s.want, func(off int) bool { return f.isKey(s, id, off) }))
}

// isKey reports whether the line at off is the key that s wants, in section id.
func (f *File) isKey(s *scratch, id uint32, off int) bool {
	enc := f.text.Encoding()
	rest := f.text.Bytes()[off:] // a key, so there is a = in its line
	rest = rest[:enc.Index(rest, '=')]
	a, b := enc.Trim(rest)
	s.have = textlines.AppendFold(s.have[:0], enc.Decode(&s.text, rest[a:b]))
	return bytes.Equal(s.have, s.want) && f.sectionAt(uint32(off)).id == id
}
