package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"strings"
)

// sink is a hash of what is written and the beginning of it.
type sink struct {
	hash hash.Hash
	head []byte
	keep int
}

func newSink(keep int) *sink { return &sink{hash: sha256.New(), keep: keep} }

func (s *sink) Write(b []byte) (int, error) {
	s.hash.Write(b)
	s.head = append(s.head, b[:min(len(b), s.keep-len(s.head))]...)
	return len(b), nil
}

func (s *sink) sum() string { return hex.EncodeToString(s.hash.Sum(nil)[:16]) }

// quiet passes on JSON, documents or lines, except for the values of the keys
// "message". All else stays byte for byte, the order of keys and the spelling
// of numbers too.
type quiet struct {
	to    io.Writer
	out   []byte
	stack []byte // of { and [
	key   []byte
	skip  int // depth of the object whose member is left out, or 0

	inString, escaped, wantKey bool
}

func (q *quiet) Write(b []byte) (int, error) {
	q.out = q.out[:0]
	for _, c := range b {
		was := q.skip
		if q.inString {
			q.text(c)
		} else {
			q.mark(c)
		}
		if was == 0 || q.skip == 0 { // the colon and what ends the value stay
			q.out = append(q.out, c)
		}
	}
	if _, err := q.to.Write(q.out); err != nil {
		return 0, err
	}
	return len(b), nil
}

// text takes a byte of a string.
func (q *quiet) text(c byte) {
	switch {
	case q.escaped:
		q.escaped = false
	case c == '\\':
		q.escaped = true
	case c == '"':
		q.inString = false
		return
	}
	if q.wantKey {
		q.key = append(q.key, c)
	}
}

// mark takes a byte outside of strings.
func (q *quiet) mark(c byte) {
	object := len(q.stack) > 0 && q.stack[len(q.stack)-1] == '{'
	switch c {
	case '"':
		q.inString = true
		q.key = q.key[:0]
	case ':':
		q.wantKey = false
		if q.skip == 0 && object && string(q.key) == "message" {
			q.skip = len(q.stack)
		}
	case '{', '[':
		q.stack = append(q.stack, c)
		q.wantKey = c == '{'
	case '}', ']', ',':
		if q.skip == len(q.stack) {
			q.skip = 0
		}
		if c != ',' && len(q.stack) > 0 {
			q.stack = q.stack[:len(q.stack)-1]
		} else {
			q.wantKey = object
		}
	}
}

// lines parts errors as JSON, which are lines that begin with {, from notes.
type lines struct {
	errors, notes io.Writer
	to            io.Writer // of the line that has begun
}

func (l *lines) Write(b []byte) (int, error) {
	for line := range bytes.Lines(b) {
		if l.to == nil {
			l.to = l.notes
			if line[0] == '{' {
				l.to = l.errors
			}
		}
		if _, err := l.to.Write(line); err != nil {
			return 0, err
		}
		if line[len(line)-1] == '\n' {
			l.to = nil
		}
	}
	return len(b), nil
}

// differing shows the lines between those that are equal at the beginning and
// at the end, at most n of each, around the first byte that differs.
func differing(a, b []byte, n int) string {
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	line := 1 + bytes.Count(a[:at], []byte("\n"))
	start := bytes.LastIndexByte(a[:at], '\n') + 1
	column := at - start
	a, b = a[start:], b[start:]
	for len(a) > 0 && len(b) > 0 {
		i, j := bytes.LastIndexByte(a[:len(a)-1], '\n')+1, bytes.LastIndexByte(b[:len(b)-1], '\n')+1
		if !bytes.Equal(a[i:], b[j:]) {
			break
		}
		a, b = a[:i], b[:j]
	}
	var s strings.Builder
	fmt.Fprintf(&s, "  line %d\n", line)
	show := func(sign string, text []byte) {
		i := 0
		for l := range bytes.Lines(text) {
			if i++; i > n {
				s.WriteString("  " + sign + " ...\n")
				return
			}
			from := max(0, min(column, len(l))-80)
			l = bytes.TrimRight(l[from:min(len(l), from+200)], "\n")
			fmt.Fprintf(&s, "  %s %s\n", sign, strings.ToValidUTF8(string(l), "?"))
		}
	}
	show("-", a)
	show("+", b)
	return s.String()
}
