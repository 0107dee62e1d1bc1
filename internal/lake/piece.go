package lake

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/perfdump/perfdump/blg"
)

// Piece is the unit of work: an input, several of a recording that overlap in time, or a
// part of a long log. It is cooked after what is before it, so that its first rates have a
// sample to begin with. What it gives depends on nothing else.
type Piece struct {
	ID     string    `json:"id"` // names its files
	Name   string    `json:"recording"`
	Of     []Source  `json:"of"`
	Before []Source  `json:"before,omitempty"`
	From   time.Time `json:"from,omitzero"` // of its first sample; zero for the first one of Of
	To     time.Time `json:"to,omitzero"`   // where the next piece begins; zero for the last one of Of
	Bytes  int64     `json:"bytes"`         // about how many it has

	cut int // of its input
}

// Source is what is read of an input.
type Source struct {
	Path  string     `json:"path"`
	Parts []blg.Part `json:"parts,omitempty"` // nil for all of it
}

// Plan divides the inputs into pieces.
func Plan(inputs map[string]*Input, o Options) (all []*Piece) {
	recordings := map[string][]*Input{}
	for _, path := range sortedKeys(inputs) {
		if in := inputs[path]; in.Recording != "" {
			recordings[in.Recording] = append(recordings[in.Recording], in)
		}
	}
	for _, name := range sortedKeys(recordings) {
		of := recordings[name]
		slices.SortStableFunc(of, func(a, b *Input) int { return a.Start.Compare(b.Start) })
		var last, now []*Input
		var end time.Time
		for i, in := range of {
			now = append(now, in)
			if in.End.After(end) {
				end = in.End
			}
			if i+1 == len(of) || of[i+1].Start.After(end) {
				all = append(all, pieces(last, now, o)...)
				last, now = now, nil
			}
		}
	}
	return all
}

// pieces divides inputs that overlap, which is only possible if it is one.
func pieces(before, inputs []*Input, o Options) (all []*Piece) {
	if len(inputs) > 1 {
		p := &Piece{Before: ends(before)}
		for _, in := range inputs {
			p.Of = append(p.Of, Source{Path: in.Path})
			p.Bytes += in.Size
		}
		return append(all, p.named(before, inputs))
	}
	in := inputs[0]
	for i, c := range in.Cuts {
		p := &Piece{From: c.Time, cut: i}
		from, to := max(0, c.Off-contextBytes), in.Size
		if i+1 < len(in.Cuts) {
			p.To = in.Cuts[i+1].Time
			to = min(in.Size, in.Cuts[i+1].Off+o.near())
		}
		p.Bytes = to - c.Off
		of := Source{Path: in.Path}
		if len(in.Cuts) > 1 {
			of.Parts = in.parts(from, to)
		}
		p.Of = []Source{of}
		known := before
		if from > 0 {
			known = nil
		}
		p.Before = ends(known)
		all = append(all, p.named(known, inputs))
	}
	return all
}

// ends are what is read of inputs for the samples before others.
func ends(inputs []*Input) (all []Source) {
	for _, in := range inputs {
		of := Source{Path: in.Path}
		if from := in.Size - contextBytes; in.Head > 0 && from > in.Head {
			of.Parts = in.parts(from, in.Size)
		}
		all = append(all, of)
	}
	return all
}

// named gives a piece its ID, which says of which bytes it is made.
func (p *Piece) named(before, inputs []*Input) *Piece {
	var b strings.Builder
	for _, in := range before {
		fmt.Fprintln(&b, in.Path, in.Hash)
	}
	fmt.Fprintln(&b, len(before), inputs[0].Recording)
	for _, in := range inputs {
		c := in.Cuts[p.cut]
		if len(inputs) > 1 {
			c.Hash = in.Hash
		}
		fmt.Fprintln(&b, in.Path, c.Hash, c.Off)
	}
	p.Name = inputs[0].Recording
	start := p.From
	if start.IsZero() {
		start = inputs[0].Start
	}
	p.ID = start.UTC().Format("20060102T150405") + "-" + short(b.String())
	return p
}
