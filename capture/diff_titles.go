package capture

import (
	"iter"

	"github.com/perfdump/perfdump/titles"
)

// TitleDiff is what has become of an entry of a table of names.
type TitleDiff struct {
	Change       Change
	Index        uint32
	Older, Newer string
}

// DiffTitles yields the entries that came, went or changed, by index; a
// changed one is an index whose text is another. Of several entries for an
// index the last one counts, as in look-ups. Nothing is kept.
func DiffTitles(older, newer *titles.Table) iter.Seq[TitleDiff] {
	return func(yield func(TitleDiff) bool) {
		next, stop := iter.Pull2(newer.All())
		defer stop()
		index, text, ok := next()
		// news yields what stands before an index in the newer table.
		news := func(before uint64) bool {
			for ; ok && uint64(index) < before; index, text, ok = next() {
				if !yield(TitleDiff{Change: New, Index: index, Newer: text}) {
					return false
				}
			}
			return true
		}
		for i, was := range older.All() {
			if !news(uint64(i)) {
				return
			}
			switch {
			case !ok || index != i:
				if !yield(TitleDiff{Change: Gone, Index: i, Older: was}) {
					return
				}
				continue
			case text != was:
				if !yield(TitleDiff{Change: Changed, Index: i, Older: was, Newer: text}) {
					return
				}
			}
			index, text, ok = next()
		}
		news(1 << 32)
	}
}

// DiffTitlesHeader compares what tables tell beside their entries.
func DiffTitlesHeader(older, newer *titles.Table) []FieldChange {
	var f fieldChanges
	if was, is := older.Kind().String(), newer.Kind().String(); was != is {
		f = append(f, FieldChange{"kind", was, is})
	}
	if was, is := older.Encoding().String(), newer.Encoding().String(); was != is {
		f = append(f, FieldChange{"encoding", was, is})
	}
	was, _ := older.BaseIndex()
	is, _ := newer.BaseIndex()
	unsigned(&f, "base_index", was, is)
	return f
}
