package wire

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"unicode/utf8"
)

// TextReader reads the text of a file in bytes or in UTF-16, the latter as UTF-8,
// without its byte order mark. Without a mark, UTF-16 is known by ASCII
// characters at the start. Half a character at the end is left out.
type TextReader struct {
	src  *bufio.Reader
	mark int // bytes of the byte order mark, -1 before the start was read
	wide bool
	big  bool
	buf  []byte
	text []byte // what of buf was not read yet
}

// NewTextReader returns a reader of a file from its start on.
func NewTextReader(src io.Reader) *TextReader {
	return &TextReader{src: bufio.NewReaderSize(src, 32<<10), mark: -1}
}

// Continue returns a reader of the same file from a later place on.
func (t *TextReader) Continue(src io.Reader) *TextReader {
	return &TextReader{src: bufio.NewReaderSize(src, 32<<10), wide: t.wide, big: t.big}
}

// Mark returns how many bytes the byte order mark has, 0 before the first Read.
func (t *TextReader) Mark() int64 { return int64(max(0, t.mark)) }

// Len returns how many bytes of the file a piece of the text is.
func (t *TextReader) Len(text []byte) int64 {
	if !t.wide {
		return int64(len(text))
	}
	n := int64(0)
	for len(text) > 0 {
		c, size := utf8.DecodeRune(text)
		if n += 2; c > 0xffff {
			n += 2
		}
		text = text[size:]
	}
	return n
}

func (t *TextReader) start() error {
	b, err := t.src.Peek(4)
	if len(b) < 4 && !errors.Is(err, io.EOF) {
		return err
	}
	t.mark = 0
	switch {
	case bytes.HasPrefix(b, []byte("\xef\xbb\xbf")):
		t.mark = 3
	case bytes.HasPrefix(b, []byte("\xff\xfe")), bytes.HasPrefix(b, []byte("\xfe\xff")):
		t.mark, t.wide, t.big = 2, true, b[0] == 0xfe
	case len(b) == 4:
		t.big = b[0] == 0 && b[1] != 0
		t.wide = b[1] == 0 && b[3] == 0 || b[0] == 0 && b[2] == 0
	}
	_, _ = t.src.Discard(t.mark)
	return nil
}

func (t *TextReader) Read(p []byte) (int, error) {
	if t.mark < 0 {
		if err := t.start(); err != nil {
			return 0, err
		}
	}
	if !t.wide {
		return t.src.Read(p)
	}
	for len(t.text) == 0 {
		_, err := t.src.Peek(4)
		b, _ := t.src.Peek(t.src.Buffered() &^ 1)
		if len(b) == 0 {
			return 0, err
		}
		t.decode(b, err == nil)
	}
	n := copy(p, t.text)
	t.text = t.text[n:]
	return n, nil
}

// decode decodes what is buffered, but for half a character where more comes.
func (t *TextReader) decode(b []byte, more bool) {
	high := len(b) - 1 // of the last unit
	if t.big {
		high--
	}
	if more && b[high]&0xfc == 0xd8 {
		b = b[:len(b)-2]
	}
	if t.big {
		for i := 0; i < len(b); i += 2 {
			b[i], b[i+1] = b[i+1], b[i]
		}
	}
	t.buf = AppendUTF16(t.buf[:0], b)
	t.text = t.buf
	_, _ = t.src.Discard(len(b))
}
