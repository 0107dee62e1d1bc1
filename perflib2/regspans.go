package perflib2

import (
	"cmp"
	"iter"
	"slices"

	"github.com/perfdump/perfdump"
)

// Spans yields what each byte of the registration and of what trails it means,
// as [perfdump.Span] says. Bytes that no field explains come as gaps, those of
// up to 7 bytes as padding; neither has a field in its path. Texts that share
// bytes overlap.
func (r *Registration) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		w := spanWalk{raw: r.raw, faults: r.faults.kept, yield: yield}
		root := setLevels.Root()
		if !w.fields(0, layouts().head, root) || !w.fields(registrationSize, layouts().set, root) {
			return
		}
		for i := range r.counters {
			off := registrationSize + counterSetInfoSize + counterInfoSize*i
			if !w.fields(off, layouts().counter, root.At(levelCounter, i)) {
				return
			}
		}
		if !w.texts(&r.texts) {
			return
		}
		if r.nameOff > 0 {
			n := min(len(r.name)+2, r.size-r.nameOff, int(r.NameSize))
			if !w.fill(r.nameOff, root, "before the name") || !w.emit(r.nameOff, n, perfdump.KindUTF16, root.Field("Name"), "") {
				return
			}
		}
		_ = w.fill(r.size, root, "behind the name") && w.fill(len(r.raw), root, "behind the registration's end")
	}
}

func (w *spanWalk) texts(t *textArea) bool {
	if t.end == 0 {
		return true
	}
	root := setLevels.Root()
	if !w.fill(t.off, root, "behind the last counter") || !w.fields(t.off, layouts().texts, root) {
		return false
	}
	type text struct {
		textRange
		entry int
	}
	var all []text
	for i := range t.n {
		off := t.off + pairSize + pairSize*i
		if !w.fields(off, layouts().entry, root.At(levelText, i)) {
			return false
		}
		id, offset := pair(w.raw[off:])
		if r, ok := t.byID[id]; ok && r.from-t.off == int(offset) {
			all = append(all, text{r, i})
		}
	}
	slices.SortStableFunc(all, func(a, b text) int { return cmp.Compare(a.from, b.from) })
	for _, x := range all {
		if !w.fill(x.from, root, "between texts") || !w.emit(x.from, x.to-x.from, perfdump.KindUTF16, root.At(levelText, x.entry).Field("Text"), "") {
			return false
		}
	}
	return w.fill(t.next, root, "behind the texts")
}
