package mcp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/iostreams"
)

const (
	usualChars = 8000
	maxChars   = 100_000
	maxItem    = 8 << 20 // bytes of a line of a verb
	maxNotes   = 2000    // bytes of what a verb says besides
)

// result is what a tool answers.
type result struct {
	Content    []text      `json:"content"`
	Structured *structured `json:"structuredContent,omitempty"`
	IsError    bool        `json:"isError,omitempty"`
}

type text struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type structured struct {
	Items []json.RawMessage `json:"items"`
	Notes []string          `json:"notes,omitempty"`
	More  string            `json:"more,omitempty"`
}

func said(s string) []text { return []text{{"text", s}} }

// result runs the command line of a call.
func (s *server) result(c *call) *result {
	given := map[string]any{}
	if err := json.Unmarshal(c.args, &given); len(c.args) > 0 && err != nil {
		return &result{Content: said("the arguments are no object; tools/list has their schema"), IsError: true}
	}
	line, err := c.tool.line(given, s.folders)
	if err != nil {
		return &result{Content: said(err.Error()), IsError: true}
	}
	a := &answer{text: c.tool.OutputSchema == nil, skip: number(given, "skip", 0), max: number(given, "max_chars", usualChars)}
	cut := &cut{line: a.add}
	if c.tool.cut != nil {
		cut = c.tool.cut(given, a)
	}
	out, errOut := &lines{use: cut.line}, &notes{}
	code := s.Run(c.ctx, iostreams.New(strings.NewReader(""), out, errOut), s.folders.open, line)
	if cut.end != nil && c.ctx.Err() == nil {
		cut.end()
	}
	a.notes = append(errOut.all(), a.notes...)
	if a.seen == 0 && (code > cmdutil.ExitFindings || code == cmdutil.ExitFindings && len(a.notes) > 0) {
		return &result{Content: said(cmp.Or(strings.Join(a.notes, "\n"), "there is no answer")), IsError: true}
	}
	return a.result()
}

// number returns an argument that is a number, which has been checked.
func number(given map[string]any, name string, usual int) int {
	if n, ok := given[name].(float64); ok {
		return int(n)
	}
	return usual
}

// answer collects items, or lines of a text, up to a number of characters.
type answer struct {
	text      bool
	skip, max int

	seen  int // items, also those that are left out
	chars int
	items []json.RawMessage
	notes []string
	more  string
}

// add adds an item. The error is io.ErrClosedPipe once there is room for no more: to
// the verb, its reader has gone.
func (a *answer) add(item []byte) error {
	switch {
	case a.more != "":
		return io.ErrClosedPipe
	case !a.text && !json.Valid(item):
		return fmt.Errorf("the item is no JSON: %.40q", item)
	}
	if a.seen++; a.seen <= a.skip {
		return nil
	}
	n := utf8.RuneCount(item) + 1
	switch {
	case a.chars+n <= a.max:
		a.chars += n
		a.items = append(a.items, bytes.Clone(item))
		return nil
	case len(a.items) > 0:
		a.more = fmt.Sprintf("there is more: skip=%d shows what follows, a larger max_chars more at once", a.seen-1)
	case n <= maxChars:
		a.more = fmt.Sprintf("the next item has %d characters: max_chars=%d shows it", n, n)
	default:
		a.more = fmt.Sprintf("the next item has %d characters, and an answer up to %d: skip=%d passes over it", n, maxChars, a.seen)
	}
	return io.ErrClosedPipe
}

func (a *answer) result() *result {
	if !a.text {
		s := &structured{append([]json.RawMessage{}, a.items...), a.notes, a.more}
		return &result{Content: said(strings.TrimSpace(string(marshal(s)))), Structured: s}
	}
	var all []string
	for _, item := range a.items {
		all = append(all, string(item))
	}
	for _, note := range append(a.notes, a.more) {
		if note != "" {
			all = append(all, "("+note+")")
		}
	}
	return &result{Content: said(cmp.Or(strings.Join(all, "\n"), "(there are no more lines)"))}
}

// cutter returns how the output of a verb is cut into items.
type cutter func(given map[string]any, a *answer) *cut

// cut takes the lines of an output.
type cut struct {
	line func([]byte) error
	end  func() // nil for nothing
}

// findings takes objects with a list of findings. Each is an item, after what else is
// known of the machine.
func findings(_ map[string]any, a *answer) *cut {
	return &cut{line: func(line []byte) error {
		var about map[string]json.RawMessage
		var of struct {
			Machine  json.RawMessage
			Findings []json.RawMessage
			Skipped  []json.RawMessage // rules, each with its reason
		}
		if err := json.Unmarshal(line, &about); err != nil {
			return err
		}
		if err := json.Unmarshal(line, &of); err != nil {
			return err
		}
		if of.Machine != nil {
			delete(about, "findings")
			about["skipped"] = fmt.Append(nil, len(of.Skipped))
			if err := a.add(bytes.TrimSpace(marshal(about))); err != nil {
				return err
			}
		}
		for _, f := range of.Findings {
			if of.Machine != nil {
				f = fmt.Appendf(nil, `{"machine":%s,%s`, of.Machine, f[1:])
			}
			if err := a.add(f); err != nil {
				return err
			}
		}
		return nil
	}}
}

// notable takes lines of compare up to the last that is notable, unless all are asked
// for.
func notable(given map[string]any, a *answer) *cut {
	return &cut{line: func(line []byte) error {
		var of struct{ Notable bool }
		if err := json.Unmarshal(line, &of); err != nil {
			return err
		}
		if given["all"] != true && !of.Notable {
			return io.ErrClosedPipe
		}
		return a.add(line)
	}}
}

// lines gives what is written to use, a line at a time.
type lines struct {
	use  func([]byte) error
	rest []byte
}

func (l *lines) Write(b []byte) (int, error) {
	l.rest = append(l.rest, b...)
	for {
		line, rest, ok := bytes.Cut(l.rest, []byte("\n"))
		switch {
		case !ok && len(l.rest) > maxItem:
			return 0, fmt.Errorf("an item has more than %d MiB; ask for less", maxItem>>20)
		case !ok:
			return len(b), nil
		}
		if err := l.use(line); err != nil {
			return 0, err
		}
		l.rest = rest
	}
}

// notes collects what a verb says besides its output.
type notes struct{ text []byte }

func (n *notes) Write(b []byte) (int, error) {
	n.text = append(n.text, b[:min(len(b), maxNotes-len(n.text))]...)
	return len(b), nil
}

func (n *notes) all() (all []string) {
	for line := range strings.Lines(strings.ToValidUTF8(string(n.text), "")) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "perfdump: ")
		all = append(all, strings.TrimPrefix(line, "note: "))
	}
	return all
}
