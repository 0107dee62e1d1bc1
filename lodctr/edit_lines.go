package lodctr

import (
	"github.com/perfdump/perfdump/internal/textlines"
)

// lineEdit changes lines of a text file and leaves the others as they are.
type lineEdit struct {
	text   *textlines.Text
	lines  map[int][]string // what stands in the place of a line; none: it goes
	behind map[int][]string // what comes after a line
}

func newLineEdit(t *textlines.Text) *lineEdit {
	return &lineEdit{text: t, lines: map[int][]string{}, behind: map[int][]string{}}
}

// set puts lines in the place of n lines, from number line on.
func (e *lineEdit) set(line, n int, with ...string) {
	e.lines[line] = with
	for i := 1; i < n; i++ {
		e.lines[line+i] = nil
	}
}

// add puts lines behind a line, after what has been put there.
func (e *lineEdit) add(line int, text ...string) { e.behind[line] = append(e.behind[line], text...) }

// bytes returns the file with its changes. New lines end as the first line of
// the file does; where the last line has no end, the new last one has none.
func (e *lineEdit) bytes() ([]byte, error) {
	enc := e.text.Encoding()
	out := []byte(enc.BOM())
	eol := e.text.EOL()
	open := false // the line before has no end
	raw := func(b []byte, end string) error {
		var err error
		if open {
			if out, err = enc.AppendLine(out, "", eol); err != nil {
				return err
			}
		}
		out = append(out, b...)
		out, err = enc.AppendLine(out, "", end)
		open = end == ""
		return err
	}
	line := func(text, end string) error {
		b, err := enc.AppendLine(nil, text, "")
		if err != nil {
			return err
		}
		return raw(b, end)
	}
	put := func(all []string, last string) error {
		for i, text := range all {
			end := eol
			if i == len(all)-1 {
				end = last
			}
			if err := line(text, end); err != nil {
				return err
			}
		}
		return nil
	}
	for l := range e.text.All() {
		with, changed := e.lines[l.Number]
		var err error
		if changed {
			err = put(with, l.EOL())
		} else {
			err = raw(l.Raw, l.EOL())
		}
		if err == nil {
			err = put(e.behind[l.Number], l.EOL())
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
