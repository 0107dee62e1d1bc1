package checkmk

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"iter"
	"math"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// The bounds of a section: more than any agent sends.
const (
	maxLine      = 16 << 20
	maxInstances = 65_536
	maxCounters  = 16_384
)

// Reader reads the sections of counters in the output of agents, and skips
// the others. It is not safe for concurrent use.
type Reader struct {
	o         perfdump.Options
	lines     *bufio.Scanner
	anomalies perfdump.Anomalies
	err       error
	text      *wire.TextReader

	section Section
	index   int    // of the section, from 0; -1 before the first
	agent   string // the name of the agent's host
	host    string // the one that follows is of, "" for the agent's
	unsure  bool   // a number of a type was, and it was reported
	line    []byte // that was read and not used yet
	kept    bool
	off     int64 // where it begins
	next    int64 // where the next one does
}

// NewReader returns a reader of the output of one or more agents.
func NewReader(src io.Reader, o perfdump.Options) *Reader {
	text := wire.NewTextReader(src)
	r := &Reader{o: o, text: text, lines: bufio.NewScanner(text), index: -1}
	r.anomalies.Reset(o.Limits.MaxAnomalies())
	r.lines.Buffer(nil, maxLine)
	r.lines.Split(r.split)
	return r
}

// Anomalies returns the anomalies so far.
func (r *Reader) Anomalies() *perfdump.Anomalies { return &r.anomalies }

// anomaly reports an anomaly of the line that was read last.
func (r *Reader) anomaly(code perfdump.Code, path perfdump.Path, text string, args ...int64) {
	a := perfdump.NewAnomaly(code, r.off, path, text, args...)
	r.anomalies.Add(a)
	if r.o.Mode == perfdump.Strict && r.err == nil {
		r.err = a.Err()
	}
}

// split is a bufio.SplitFunc of lines that notes where they are.
func (r *Reader) split(data []byte, atEOF bool) (int, []byte, error) {
	n, line, err := bufio.ScanLines(data, atEOF)
	if r.next == 0 {
		r.next = r.text.Mark()
	}
	if n > 0 {
		r.off, r.next = r.next, r.next+r.text.Len(data[:n])
	}
	return n, line, err
}

// read reads a line, or takes the one that was put back.
func (r *Reader) read() bool {
	if r.kept {
		r.kept = false
		return true
	}
	if r.err != nil {
		return false
	}
	if r.lines.Scan() {
		r.line = r.lines.Bytes()
		return true
	}
	r.off = r.next
	switch err := r.lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		r.err = perfdump.NewError(perfdump.CodeLimit, r.off, perfdump.Path{}, "a line of more than %d bytes", maxLine)
	case err != nil:
		r.err = &perfdump.FormatError{Code: perfdump.CodeIO, Off: r.off, Err: err}
	}
	return false
}

// Sections yields the sections of counters that have not been read yet. A
// section is valid until the next one.
//
// The error, after which nothing comes, is a *perfdump.FormatError. Its code
// is "empty" or "signature" where there was no section of counters, "limit",
// "io" with what the source said, or in strict mode that of the first anomaly.
func (r *Reader) Sections() iter.Seq2[*Section, error] {
	return func(yield func(*Section, error) bool) {
		for r.nextSection() {
			if !yield(&r.section, nil) {
				return
			}
		}
		if r.err != nil {
			yield(nil, r.err)
		}
	}
}

// nextSection reads the next section of counters into r.section.
func (r *Reader) nextSection() bool {
	for r.read() {
		name, isHost, isHead := header(r.line)
		switch {
		case isHost:
			r.host = name
		case isHead && r.host == "" && (name == "check_mk" || strings.HasPrefix(name, "check_mk:")):
			r.readHostname()
		case isHead && strings.HasPrefix(name, "winperf_"):
			if r.readSection(name, r.off) {
				return r.err == nil
			}
		}
	}
	if r.err == nil && r.index < 0 {
		if r.next == 0 && r.text.Mark() == 0 {
			r.err = perfdump.NewError(perfdump.CodeEmpty, 0, perfdump.Path{}, "no bytes: expected the output of an agent")
		} else {
			r.err = perfdump.NewError(perfdump.CodeSignature, 0, perfdump.Path{}, "no section of counters: expected <<<winperf_…>>>")
		}
	}
	return false
}

// readHostname reads the section with which the output of an agent begins.
func (r *Reader) readHostname() {
	for r.agent = ""; r.read(); {
		if _, _, ok := header(r.line); ok {
			r.kept = true
			return
		}
		if key, value, ok := strings.Cut(string(r.line), ":"); ok && strings.EqualFold(strings.TrimSpace(key), "hostname") {
			r.agent = strings.TrimSpace(value)
		}
	}
}

// header takes a line in angle brackets apart: <<<section:options>>> or
// <<<<host>>>>.
func header(line []byte) (name string, host, ok bool) {
	line = bytes.TrimRight(line, " \t\r")
	if bytes.HasPrefix(line, []byte("<<<<")) && bytes.HasSuffix(line, []byte(">>>>")) && len(line) >= 8 {
		return string(line[4 : len(line)-4]), true, true
	}
	if bytes.HasPrefix(line, []byte("<<<")) && bytes.HasSuffix(line, []byte(">>>")) && len(line) >= 6 {
		return string(line[3 : len(line)-3]), false, true
	}
	return "", false, false
}

// readSection reads what follows a header. It is false if that is no
// section; the lines up to the next header are skipped then.
func (r *Reader) readSection(name string, off int64) bool {
	r.index++
	s := &r.section
	*s = Section{Host: cmp.Or(r.host, r.agent), Off: off}
	s.Name, s.Options, _ = strings.Cut(strings.TrimPrefix(name, "winperf_"), ":")
	if !r.read() {
		r.off = off
		r.anomaly(codeSectionHead, inSection(r.index), "the section has no line of its time and object")
		return false
	}
	if !s.parseHead(strings.Fields(string(r.line))) {
		r.anomaly(codeSectionHead, inSection(r.index), "the section does not begin with a time and the title index of its object: skipped")
		r.kept = true
		return false
	}
	for first := true; r.read(); first = false {
		if _, _, ok := header(r.line); ok {
			r.kept = true
			break
		}
		line := strings.TrimSpace(string(r.line))
		switch {
		case line == "":
		case first && r.instances(line):
		default:
			r.counter(line)
		}
		if len(s.Counters) > maxCounters && r.err == nil {
			r.err = perfdump.NewError(perfdump.CodeLimit, r.off, inSection(r.index), "more than %d counters", maxCounters)
		}
	}
	return r.err == nil
}

func (s *Section) parseHead(fields []string) bool {
	if len(fields) < 2 || len(fields) > 3 || strings.Trim(fields[0], "0123456789.") != "" {
		return false
	}
	unix, err := strconv.ParseFloat(fields[0], 64)
	object, errObject := strconv.ParseUint(fields[1], 10, 32)
	if err != nil || errObject != nil {
		return false
	}
	s.Unix, s.Object = unix, uint32(object)
	if len(fields) < 3 {
		return true
	}
	s.Frequency, err = strconv.ParseInt(fields[2], 10, 64)
	s.HasFrequency = err == nil
	return err == nil
}

// instances reads the line of instances. It is false if the line is of a
// counter: the object has none.
func (r *Reader) instances(line string) bool {
	s := &r.section
	if line == "no instances" {
		s.HasInstances = true
		return true
	}
	number, names, ok := strings.Cut(line, " instances:")
	if !ok {
		return false
	}
	n, err := strconv.ParseUint(number, 10, 31)
	if err != nil {
		return false
	}
	s.HasInstances = true
	tooMany := strings.Count(names, " ")+strings.Count(names, "\t") > 2*maxInstances
	if !tooMany {
		s.Instances = strings.Fields(names)
		tooMany = len(s.Instances) > maxInstances
	}
	if tooMany {
		r.err = perfdump.NewError(perfdump.CodeLimit, r.off, inSection(r.index), "more than %d instances", maxInstances)
		return true
	}
	if uint64(len(s.Instances)) != n {
		r.anomaly(codeInstanceCount, inSection(r.index), "the line says %d instances and names %d: the names count", int64(n), int64(len(s.Instances)))
	}
	return true
}

// counter reads the line of a counter: its index less the object's, its values,
// its type.
func (r *Reader) counter(line string) {
	s := &r.section
	path := inCounter(r.index, len(s.Counters))
	number, rest, _ := cutField(line)
	delta, err := strconv.ParseInt(number, 10, 64)
	at := strings.LastIndexAny(rest, " \t")
	values, word := rest[:max(at, 0)], rest[at+1:]
	index := int64(s.Object) + delta
	if err != nil || word == "" || index < 0 || index > math.MaxUint32 || delta > math.MaxUint32 {
		r.anomaly(codeCounterLine, path, "the line is not one of a counter: skipped")
		return
	}
	want := 1
	if s.HasInstances {
		want = len(s.Instances)
	}
	c := Counter{Index: uint32(index), Word: word, Values: make([]uint64, 0, min(want, len(values)/2+1))}
	n := 0
	for ; ; n++ {
		var field string
		var ok bool
		if field, values, ok = cutField(values); !ok {
			break
		}
		if n >= want {
			continue
		}
		v, fine := parseValue(field)
		if !fine {
			r.anomaly(codeCounterLine, path, "value %d of the counter is no number: the line is skipped", int64(n))
			return
		}
		c.Values = append(c.Values, v)
	}
	if n != want {
		r.anomaly(codeValueCount, path, "%d values for %d instances: extra values are skipped, missing ones have no value", int64(n), int64(want))
	}
	var unsure bool
	c.Type, c.HasType, unsure = parseWord(word)
	if !c.HasType {
		r.anomaly(codeTypeWord, path, "the word for the type is unknown: the values are raw numbers")
	}
	if unsure && !r.unsure {
		r.unsure = true
		r.anomaly(codeTypeNumber, path, "the number of the type may be hexadecimal or decimal: read as hexadecimal, here and below")
	}
	s.Counters = append(s.Counters, c)
}

// cutField cuts the first word of a line.
func cutField(s string) (field, rest string, ok bool) {
	s = strings.TrimLeft(s, " \t")
	i := strings.IndexAny(s, " \t")
	if i < 0 {
		return s, "", s != ""
	}
	return s[:i], s[i+1:], true
}

// parseValue reads a value. Agents have printed it signed.
func parseValue(s string) (uint64, bool) {
	if v, err := strconv.ParseUint(s, 10, 64); err == nil {
		return v, true
	}
	v, err := strconv.ParseInt(s, 10, 64)
	return uint64(v), err == nil
}
