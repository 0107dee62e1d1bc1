package checkmk

import (
	"bufio"
	"bytes"
	"unicode/utf8"

	"github.com/perfdump/perfdump/internal/wire"
)

// encoding is how the text of an agent stands in a file. Agents write UTF-8, or
// names in a code page; PowerShell saves what a program prints in UTF-16.
type encoding struct {
	known bool   // the start of the file was looked at
	wide  bool   // UTF-16
	big   bool   // its high bytes stand first
	line  []byte // the last one, and its text
	text  []byte
}

// mark returns how many bytes of a byte order mark there are at the start.
// Without one, text of ASCII signs tells UTF-16.
func (e *encoding) mark(start []byte) int {
	e.known = true
	switch {
	case bytes.HasPrefix(start, []byte("\xef\xbb\xbf")):
		return 3
	case bytes.HasPrefix(start, []byte("\xff\xfe")):
		e.wide = true
		return 2
	case bytes.HasPrefix(start, []byte("\xfe\xff")):
		e.wide, e.big = true, true
		return 2
	}
	e.wide = len(start) >= utf8.UTFMax && start[0] != 0 && start[1] == 0 && start[2] != 0 && start[3] == 0
	return 0
}

// split is a bufio.SplitFunc of lines, and tells where they stand.
func (r *Reader) split(data []byte, atEOF bool) (int, []byte, error) {
	if !r.text.known {
		if len(data) < utf8.UTFMax && !atEOF {
			return 0, nil, nil
		}
		if n := r.text.mark(data); n > 0 {
			r.next += int64(n)
			return n, nil, nil
		}
	}
	n, line, err := bufio.ScanLines(data, atEOF)
	if r.text.wide {
		n, line = r.text.wideLine(data, atEOF)
	}
	if n > 0 {
		r.off, r.next = r.next, r.next+int64(n)
	}
	return n, line, err
}

// wideLine returns the first line of text in UTF-16, as UTF-8, and how many bytes
// it has. These are 0 where more of it is to come.
func (e *encoding) wideLine(data []byte, atEOF bool) (int, []byte) {
	end, n := -1, 0
	for at := 0; end < 0; {
		i := bytes.IndexByte(data[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
		switch unit := (at - 1) &^ 1; {
		case unit+1 >= len(data):
		case e.big && at%2 == 0 && data[unit] == 0, !e.big && at%2 == 1 && data[unit+1] == 0:
			end, n = unit, unit+2
		}
	}
	if end < 0 {
		if !atEOF || len(data) == 0 {
			return 0, nil
		}
		end, n = len(data)&^1, len(data)
	}
	line := data[:end]
	if e.big {
		e.line = append(e.line[:0], line...)
		line = e.line
		for i := 0; i < end; i += 2 {
			line[i], line[i+1] = line[i+1], line[i]
		}
	}
	e.text = wire.AppendUTF16(e.text[:0], line)
	return n, bytes.TrimSuffix(e.text, []byte("\r"))
}
