package hexdump

import (
	"bytes"
	"cmp"
	"iter"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/registry"
)

// What is shown of a hive where arrays are folded.
const (
	keepBins  = 3
	keepCells = 12
)

// hive is the document of a file of the registry.
type hive struct {
	plain
	file  *registry.Hive
	cells []int // of each bin
}

// Hive returns the document of a file of the registry, cell by cell.
func Hive(b []byte, in Input) Document {
	d := &hive{plain: plain{bytes: b, levels: perfdump.Levels{"bin", "cell"}}}
	open := func(mode perfdump.Mode) (*registry.Hive, *registry.View, error) {
		h, err := registry.NewHive(bytes.NewReader(b), int64(len(b)), registry.Options{Mode: mode, CodePage: in.CodePage})
		if err != nil {
			return nil, nil, err
		}
		v, err := h.View()
		return h, v, err
	}
	_, _, d.err = open(in.Mode)
	// What keeps a mode from reading on is told, and shown all the same.
	h, v, err := open(perfdump.Salvage)
	if err != nil {
		return newRaw(b, cmp.Or(d.err, err), err.Error())
	}
	d.file = h
	for _, a := range v.Anomalies().Kept() {
		d.remarks = append(d.remarks, Remark{a.Off, a.Message})
	}
	for _, fault := range v.Faults() {
		d.remarks = append(d.remarks, Remark{fault.Off, fault.Message})
	}
	slices.SortStableFunc(d.remarks, func(a, b Remark) int { return cmp.Compare(a.Off, b.Off) })
	for s := range h.Spans() {
		bin, ok := s.Path.Index(0)
		if !ok {
			continue
		}
		for len(d.cells) <= bin {
			d.cells = append(d.cells, 0)
		}
		if cell, ok := s.Path.Index(1); ok {
			d.cells[bin] = max(d.cells[bin], cell+1)
		}
	}
	return d
}

func (d *hive) Spans() iter.Seq[perfdump.Span] { return d.file.Spans() }

func (d *hive) Elements(p perfdump.Path, level int) (n, keep int) {
	if level == 0 {
		return len(d.cells), keepBins
	}
	if bin, ok := p.Index(0); ok && bin < len(d.cells) {
		return d.cells[bin], keepCells
	}
	return 0, keepCells
}
