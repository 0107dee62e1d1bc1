package explain

import (
	"context"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/once"
)

// isCell reports whether the words are a file, a counter path and a time.
func isCell(words []string) bool {
	if len(words) != 3 || !strings.HasPrefix(words[1], `\`) {
		return false
	}
	_, noFile := os.Stat(words[0])
	_, noTime := cmdutil.Moment("", words[2])
	return noFile == nil || noTime == nil && words[2] != ""
}

// runCell shows how the value of a counter at a time came about.
func runCell(ctx context.Context, o *Options, file, path, at string) error {
	c := &o.Cooking
	c.Counters, c.At = []string{path}, at
	want := capture.CookOptions{Samples: true, Texts: true}
	return c.Show(ctx, o.Factory, "explain", []string{file}, want, func(r *cmdutil.Recording) error {
		found := &value{zone: c.Zone.Location}
		if err := found.find(ctx, r, path); err != nil {
			return err
		}
		if found.cell.Series == nil {
			if err := r.Advise(ctx, found.frames, 0); err != nil {
				return err
			}
			return cmdutil.ErrFindings
		}
		p := newPrinter(ctx, o)
		if o.Output == "json" {
			p.JSON(found.keys())
		} else {
			p.value(found)
		}
		if err := p.Flush(); err != nil {
			return err
		}
		return r.Err()
	})
}

// value is a value of a counter with all that it was computed from.
type value struct {
	frame   capture.Frame // without its cells
	cell    capture.Cell
	samples capture.Samples
	raw     bool // samples is set
	text    string
	older   time.Time // of the older sample

	zone   *time.Location
	frames int
}

// find reads the recording up to its end, which the time is, and keeps the last
// value of the only series.
func (v *value) find(ctx context.Context, r *cmdutil.Recording, path string) error {
	var last time.Time // of the last valid sample
	var lastSample countertypes.Sample
	before := map[int]time.Time{} // the previous moment of each track
	for f, err := range r.Frames(ctx) {
		if err != nil {
			return err
		}
		v.frames++
		for i, c := range f.Cells {
			if v.cell.Series != nil && c.Series != v.cell.Series {
				return several(path, v.cell.Series, f)
			}
			v.cell, v.text = c, f.Texts[c.Series]
			v.frame = *f
			v.frame.Cells, v.frame.Tuples, v.frame.Samples, v.frame.Texts = nil, nil, nil, nil
			if v.raw = len(f.Samples) > 0; v.raw {
				v.samples = f.Samples[i]
			}
			// An instance that was renumbered has its older sample under another name.
			v.older = before[f.Track]
			if v.samples.HasOlder && v.samples.Older.First == lastSample.First && v.samples.Older.Second == lastSample.Second {
				v.older = last
			}
			if v.samples.Newer.Status == countertypes.StatusOK && c.EffectiveStatus() != countertypes.StatusInvalidData {
				last, lastSample = f.Time, v.samples.Newer
			}
		}
		before[f.Track] = f.Time
	}
	return nil
}

// several says that a path matches more than one series.
func several(path string, first *capture.Series, f *capture.Frame) error {
	const most = 6
	paths := []string{cell.Clean(first.Path())}
	for _, c := range f.Cells {
		if c.Series != first {
			paths = append(paths, cell.Clean(c.Series.Path()))
		}
	}
	text := strings.Join(paths[:min(len(paths), most)], ", ")
	if n := len(paths) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return &cmdutil.UsageError{Text: path + " is more than one counter", Hint: "name one of them: " + text}
}

// formula returns the formula of the type, "" where it has none.
func (v *value) formula() string {
	if !v.cell.Series.HasType || !v.raw {
		return ""
	}
	return formula(v.cell.Series.Type)
}

// numbers puts the samples into the formula; in steps, differences are computed.
// Both are "" where a sample is missing.
func (v *value) numbers() (numbers, steps string) {
	f := v.formula()
	if f == "" || v.samples.Newer.Status != countertypes.StatusOK {
		return "", ""
	}
	if older := strings.Contains(f, "N0"); older && (!v.samples.HasOlder || v.samples.Older.Status != countertypes.StatusOK) {
		return "", ""
	}
	numbers = symbol().ReplaceAllStringFunc(f, v.number)
	steps = differences().ReplaceAllStringFunc(f, func(s string) string {
		s = strings.Trim(s, "()")
		return difference(v.of(s[:2]), v.of(s[len(s)-2:]))
	})
	if steps == f {
		return numbers, ""
	}
	return numbers, symbol().ReplaceAllStringFunc(steps, v.number)
}

var (
	symbol      = once.Regexp(`\bOF\b|\bF\b|\b[NTSOBC][01]\b`)
	differences = once.Regexp(`\([A-Z]1 - [A-Z]0\)|[A-Z]1 - [A-Z]0|\(O1 - N1\)`)
)

// of returns the raw number of a symbol.
func (v *value) of(symbol string) uint64 {
	s := &v.samples.Newer
	if strings.HasSuffix(symbol, "0") {
		s = &v.samples.Older
	}
	switch symbol[0] {
	case 'N':
		return s.First
	case 'C':
		return uint64(s.Multi)
	default:
		return s.Second
	}
}

func (v *value) number(symbol string) string {
	if symbol == "F" || symbol == "OF" {
		return strconv.FormatInt(v.samples.Newer.TimeBase, 10)
	}
	if symbol[0] == 'N' && v.cell.Series.Type == countertypes.PERF_DOUBLE_RAW {
		return strconv.FormatFloat(math.Float64frombits(v.of(symbol)), 'g', -1, 64)
	}
	return strconv.FormatUint(v.of(symbol), 10)
}

// difference returns newer less older, in all digits.
func difference(newer, older uint64) string {
	if newer < older {
		return "-" + strconv.FormatUint(older-newer, 10)
	}
	return strconv.FormatUint(newer-older, 10)
}

// shown returns the value with its unit, with the digits that identify it.
func (v *value) shown() string {
	t := v.cell.Series.Type
	if n, ok := v.cell.Whole(); ok {
		return countertypes.FormatInt(n, t, v.samples.Newer.Size)
	}
	return countertypes.Format(v.cell.Value, t)
}
