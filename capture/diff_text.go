package capture

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/manifest"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

// TextDiff is what has become of something that a file says under a name: a key
// of a section, a define, a value of the registry, a counter of a manifest.
type TextDiff struct {
	Change       Change
	Key          string // as the file spells it; as the newer one where both have it
	Older, Newer string
}

// maxPairs bounds what is held of a file to be compared. All names of a machine
// in ten languages are a fifth of it.
const maxPairs = 1 << 18

// said is something that a file says.
type said struct{ key, value string }

// DiffsText reports whether [DiffText] compares files of a format.
func diffsText(f detect.Format) bool {
	switch f {
	case detect.INIFile, detect.SymbolH, detect.Reg, detect.PerfStrings, detect.Hive, detect.Manifest:
		return true
	default:
		return false
	}
}

// DiffText returns what came, went or changed between two files of one format
// that registers counters: what is gone or has changed in the order of the older one, then what
// is new in that of the newer one. Names are the same in any case; of several
// the one that counts is compared. Comments, blank lines and the order of
// things do not count.
//
// The errors are those of reading the files, as [DiffErrors] joins them, and
// "limit" for a file that says more than 262,144 things.
func DiffText(older, newer *detect.Input, o Options) ([]TextDiff, error) {
	a, errA := pairs(older, o)
	b, errB := pairs(newer, o)
	if err := DiffErrors(errA, errB); err != nil {
		return nil, err
	}
	in := make(map[string]int, len(b))
	for i := range b {
		in[strings.ToLower(b[i].key)] = i
	}
	matched := make([]bool, len(b))
	var all []TextDiff
	for _, was := range a {
		i, ok := in[strings.ToLower(was.key)]
		switch {
		case !ok:
			all = append(all, TextDiff{Change: Gone, Key: was.key, Older: was.value})
			continue
		case b[i].value != was.value:
			all = append(all, TextDiff{Change: Changed, Key: b[i].key, Older: was.value, Newer: b[i].value})
		}
		matched[i] = true
	}
	for i, is := range b {
		if !matched[i] {
			all = append(all, TextDiff{Change: New, Key: is.key, Newer: is.value})
		}
	}
	return all, nil
}

// pairs returns what a file says, each name once.
func pairs(in *detect.Input, o Options) ([]said, error) {
	var things iter.Seq[said]
	last := false // of several of one name the last one counts
	switch in.Format {
	case detect.INIFile:
		f, err := ParseINI(in.Data, o)
		if err != nil {
			return nil, err
		}
		things = iniPairs(f)
	case detect.SymbolH:
		f, err := ParseSymbols(in.Data, o)
		if err != nil {
			return nil, err
		}
		things = func(yield func(said) bool) {
			for d := range f.Defines() {
				if !yield(said{d.Name, strings.TrimSuffix(d.Value, ";")}) {
					return
				}
			}
		}
	case detect.Reg:
		r, _, err := ParseReg(in.Data, o)
		if err != nil {
			return nil, err
		}
		things, last = regPairs(r), true
	case detect.Hive:
		_, v, err := OpenHive(in, o)
		if err != nil {
			return nil, err
		}
		things = hivePairs(v)
	case detect.Manifest:
		m, err := ParseManifest(in.Data, o)
		if err != nil {
			return nil, err
		}
		things = manifestPairs(m)
	default:
		f, err := ParsePerfStrings(in.Data, o)
		if err != nil {
			return nil, err
		}
		// Each language is a pass over the file.
		if n := len(f.Languages()); n > maxFacts {
			return nil, perfdump.NewError(perfdump.CodeLimit, -1, perfdump.Path{}, "%d languages, more than the %d that are compared", n, maxFacts)
		}
		things, last = backupPairs(f), true
	}
	var all []said
	at := map[string]int{}
	for p := range things {
		folded := strings.ToLower(p.key)
		i, again := at[folded]
		switch {
		case !again && len(all) == maxPairs:
			return nil, perfdump.NewError(perfdump.CodeLimit, -1, perfdump.Path{}, "more than %d things to compare", maxPairs)
		case !again:
			at[folded] = len(all)
			all = append(all, p)
		case last:
			all[i].value = p.value
		}
	}
	return all, nil
}

func iniPairs(f *inifile.File) iter.Seq[said] {
	return func(yield func(said) bool) {
		for l := range f.Lines() {
			if l.Kind == inifile.Key && !yield(said{"[" + l.Section + "] " + l.Key(), l.Value()}) {
				return
			}
		}
	}
}

var referenceNames = [...]string{"base", "time", "frequency", "multi-counter"}

// manifestPairs yields the counter sets and the counters of a manifest, by the
// identity of their provider and their numbers.
func manifestPairs(m *manifest.Manifest) iter.Seq[said] {
	return func(yield func(said) bool) {
		for i := range m.Providers {
			p := &m.Providers[i]
			if !yield(said{"provider " + p.GUID, strings.Join([]string{p.Name, p.Application, p.Type, p.Callback}, " | ")}) {
				return
			}
			for j := range p.CounterSets {
				s := &p.CounterSets[j]
				set := "set " + s.GUID
				if !yield(said{set, strings.Join([]string{s.Name, s.Instances, s.Description}, " | ")}) {
					return
				}
				for k := range s.Counters {
					c := &s.Counters[k]
					parts := []string{c.Name, c.TypeName, c.DetailLevel, c.Aggregate, c.Scale}
					for n, r := range []manifest.Reference{c.Base, c.PerfTime, c.PerfFreq, c.MultiCounter} {
						if r.Given {
							parts = append(parts, fmt.Sprintf("%s %d", referenceNames[n], r.ID))
						}
					}
					value := strings.Join(append(parts, c.Description), " | ")
					if !yield(said{fmt.Sprintf("%s counter %d", set, c.ID), value}) {
						return
					}
				}
			}
		}
	}
}

func backupPairs(f *perfstrings.File) iter.Seq[said] {
	return func(yield func(said) bool) {
		going := true
		number := func(section, key string, n perfstrings.Number) {
			if going && n.Given {
				going = yield(said{"[" + section + "] " + key, strconv.FormatUint(uint64(n.Value), 10)})
			}
		}
		p := f.Perflib()
		number("Perflib", "Base Index", p.BaseIndex)
		number("Perflib", "Last Counter", p.LastCounter)
		number("Perflib", "Last Help", p.LastHelp)
		for v := range f.Providers() {
			section := "PERF_" + v.Name
			number(section, "First Counter", v.FirstCounter)
			number(section, "First Help", v.FirstHelp)
			number(section, "Last Counter", v.LastCounter)
			number(section, "Last Help", v.LastHelp)
			number(section, "Disable Performance Counters", v.Disabled)
		}
		for _, l := range f.Languages() {
			section := "[PerfStrings_" + l.ID + "] "
			for e := range f.Strings(l.ID) {
				if going = going && yield(said{section + strconv.FormatUint(uint64(e.Index), 10), e.Text}); !going {
					return
				}
			}
		}
	}
}
