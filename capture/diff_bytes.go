package capture

import (
	"bytes"
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/perfdata"
)

// ByteDiff says how the bytes of two inputs differ that have the same content.
type ByteDiff struct {
	Count int64  // bytes that differ, with those that only the longer input has
	First int64  // the offset of the first one
	Path  string // the field at that offset in the older input, "" for none
	// Fields says that some of the bytes belong to fields: lengths and
	// offsets, the order of things, what stands behind the end of a text.
	Fields bool
}

// DiffBytes compares the bytes of two inputs. It is false where they are the
// same. It goes through every field of the older input but keeps none.
func DiffBytes(older, newer *detect.Input, o Options) (ByteDiff, bool) {
	a, b := older.Data, newer.Data
	if bytes.Equal(a, b) {
		return ByteDiff{}, false
	}
	n := min(len(a), len(b))
	d := ByteDiff{First: int64(n), Count: int64(max(len(a), len(b)) - n)}
	// Every byte belongs to a text, or ends one.
	d.Fields = older.Format == detect.Titles || diffsText(older.Format)
	for i := n - 1; i >= 0; i-- {
		if a[i] != b[i] {
			d.Count++
			d.First = int64(i)
		}
	}
	for s := range spans(older, o) {
		if s.Kind == perfdump.KindGap || s.Kind == perfdump.KindPadding {
			continue
		}
		from, to := min(int(s.Off), n), min(int(s.Off+s.Size), n)
		if !bytes.Equal(a[from:to], b[from:to]) || int(s.Off+s.Size) > n {
			d.Fields = true
		}
		if s.Off <= d.First && d.First < s.Off+s.Size {
			d.Path = s.Path.String()
		}
		if d.Fields && s.Off > d.First {
			break
		}
	}
	return d, true
}

// spans yields what the bytes of an input are.
func spans(in *detect.Input, o Options) iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		if in.Format == detect.Titles {
			t, err := ParseTitles(in.Data, o)
			if err != nil || list(in.Data) {
				return
			}
			t.Spans()(yield)
			return
		}
		if in.Format == detect.IPCBlock {
			if t, err := ipcblock.Parse(in.Data, o.ipcblock()); err == nil {
				t.Spans()(yield)
			}
			return
		}
		if diffsText(in.Format) {
			textSpans(in, o)(yield)
			return
		}
		for block, err := range perfdata.Blocks(in.Data, o.perfdata()) {
			if err != nil {
				return
			}
			for s := range block.Spans() {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// textSpans yields what the bytes of a file of text are, none where it cannot
// be read.
func textSpans(in *detect.Input, o Options) iter.Seq[perfdump.Span] {
	var f interface {
		Spans() iter.Seq[perfdump.Span]
	}
	var err error
	switch in.Format {
	case detect.INIFile:
		f, err = ParseINI(in.Data, o)
	case detect.SymbolH:
		f, err = ParseSymbols(in.Data, o)
	case detect.Reg:
		f, _, err = ParseReg(in.Data, o)
	default:
		f, err = ParsePerfStrings(in.Data, o)
	}
	if err != nil {
		return func(func(perfdump.Span) bool) {}
	}
	return f.Spans()
}
