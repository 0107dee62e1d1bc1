package capture

import (
	"slices"

	"github.com/perfdump/perfdump/ipcblock"
)

// TablePair is a table of IPC control blocks that two dumps have.
type TablePair struct{ Older, Newer *ipcblock.Table } // nil where a dump does not have it

// Layout returns the layout of both.
func (p TablePair) Layout() ipcblock.Layout {
	if p.Newer != nil {
		return p.Newer.Layout()
	}
	return p.Older.Layout()
}

// PairTables matches the tables of two dumps: whole ones before parts, those
// that have a runtime in common before others of one layout, the most
// trustworthy first. Copies are left out. What there is comes with the first error of each dump, as
// [DiffErrors] gives it.
func PairTables(older, newer *Image) ([]TablePair, error) {
	before, errOlder := older.fresh()
	after, errNewer := newer.fresh()
	pairs := make([]TablePair, len(after))
	for i, t := range after {
		pairs[i].Newer = t
	}
	for _, match := range []func(a, b *ipcblock.Table) bool{
		func(a, b *ipcblock.Table) bool { return sameSize(a, b) && shareRuntime(a, b) }, sameSize, shareRuntime, sameLayout,
	} {
		for i := range pairs {
			p := &pairs[i]
			if p.Older != nil {
				continue
			}
			if at := slices.IndexFunc(before, func(t *ipcblock.Table) bool { return match(t, p.Newer) }); at >= 0 {
				p.Older = before[at]
				before = slices.Delete(before, at, at+1)
			}
		}
	}
	for _, t := range before {
		pairs = append(pairs, TablePair{Older: t})
	}
	return pairs, DiffErrors(errOlder, errNewer)
}

// fresh returns the tables that are no copies, and the first error.
func (m *Image) fresh() (tables []*ipcblock.Table, err error) {
	failures := m.Errors()
	for t, err := range m.Tables() {
		switch {
		case err != nil:
			failures = append(failures, err)
		case !t.Repeats:
			tables = append(tables, t.Table)
			for _, fault := range t.Table.Faults() {
				failures = append(failures, t.Place(fault))
			}
		}
	}
	if len(failures) > 0 {
		return tables, failures[0]
	}
	return tables, nil
}

func sameLayout(a, b *ipcblock.Table) bool { return a.Layout() == b.Layout() }

// sameSize is sameLayout for two whole tables or two parts as long.
func sameSize(a, b *ipcblock.Table) bool { return sameLayout(a, b) && a.NumChunks() == b.NumChunks() }

func shareRuntime(a, b *ipcblock.Table) bool {
	if !sameLayout(a, b) {
		return false
	}
	for c := range a.Live() {
		for d := range b.Live() {
			if ipcblock.SameRuntime(c, d) {
				return true
			}
		}
	}
	return false
}

// DiffDumpsHeader compares what two dumps tell of their processes.
func DiffDumpsHeader(older, newer *Image) []FieldChange {
	var f fieldChanges
	if was, is := older.Dump.Arch().String(), newer.Dump.Arch().String(); was != is {
		f = append(f, FieldChange{"arch", was, is})
	}
	was, _ := older.PID()
	is, _ := newer.PID()
	unsigned(&f, "pid", was, is)
	return f
}
