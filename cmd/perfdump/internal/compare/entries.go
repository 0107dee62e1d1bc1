package compare

import (
	"bytes"
	"iter"
	"sort"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump"
)

// maxEntries bounds how many entries of a file are compared. All names of a
// machine in ten languages are a fifth of it.
const maxEntries = 1 << 18

// Collector makes the entries of [Contents].
type Collector struct {
	Last bool   // the last of several values of a key counts, not the first
	Part string // as in Contents
	Err  error  // why the file cannot be compared

	entries []Pair
	at      map[string]int // by keys in lower case
}

// Add adds a value, unless there are too many.
func (c *Collector) Add(key, value string) {
	folded := strings.ToLower(key)
	i, again := c.at[folded]
	switch {
	case again && c.Last:
		c.entries[i].Value = value
	case again:
	case len(c.entries) == maxEntries:
		c.Err = perfdump.NewError(perfdump.CodeLimit, -1, perfdump.Path{}, "more than %d things to compare", maxEntries)
	default:
		if c.at == nil {
			c.at = map[string]int{}
		}
		c.at[folded] = len(c.entries)
		c.entries = append(c.entries, Pair{key, value})
	}
}

// Contents returns what was added.
func (c *Collector) Contents() (*Contents, error) {
	if c.Err != nil {
		return nil, c.Err
	}
	return &Contents{Entries: c.entries, Part: c.Part}, nil
}

// Entry is an entry that differs. The key is spelled as in the newer file where
// that has it.
type Entry struct {
	Change       Change
	Key          string
	Older, Newer string
}

// Entries compares the entries of two files: what is gone or has changed in
// the order of the older one, then what is new in the order of the newer one;
// numbered ones by their numbers. Keys are the same in any case.
func Entries(older, newer *Contents) []Entry {
	at := make(map[string]int, len(newer.Entries))
	for i, is := range newer.Entries {
		at[strings.ToLower(is.Key)] = i
	}
	matched := make([]bool, len(newer.Entries))
	var all []Entry
	for _, was := range older.Entries {
		text, _ := was.Value.(string)
		i, ok := at[strings.ToLower(was.Key)]
		if !ok {
			all = append(all, Entry{Change: Gone, Key: was.Key, Older: text})
			continue
		}
		matched[i] = true
		if is := newer.Entries[i]; is.Value != was.Value {
			now, _ := is.Value.(string)
			all = append(all, Entry{Changed, is.Key, text, now})
		}
	}
	for i, is := range newer.Entries {
		if !matched[i] {
			text, _ := is.Value.(string)
			all = append(all, Entry{Change: New, Key: is.Key, Newer: text})
		}
	}
	if newer.Numbered {
		sort.Slice(all, func(i, j int) bool { return number(all[i].Key) < number(all[j].Key) })
	}
	return all
}

func number(key string) uint64 {
	n, _ := strconv.ParseUint(key, 10, 64)
	return n
}

// ByteDiff says how the bytes of two inputs with the same content differ.
type ByteDiff struct {
	Count int64  // bytes that differ, with those that only the longer input has
	First int64  // the offset of the first one
	Path  string // the field at that offset in the older input, "" for none
	// Fields says that some of the bytes belong to fields: lengths and
	// offsets, the order of things, what follows the end of a text.
	Fields bool
}

// Bytes compares the bytes of two inputs. The spans are those of the older one.
// In a text every byte belongs to a field. It is false if the bytes are equal.
func Bytes(a, b []byte, spans iter.Seq[perfdump.Span], text bool) (ByteDiff, bool) {
	if bytes.Equal(a, b) {
		return ByteDiff{}, false
	}
	n := min(len(a), len(b))
	d := ByteDiff{First: int64(n), Count: int64(max(len(a), len(b)) - n), Fields: text}
	for i := n - 1; i >= 0; i-- {
		if a[i] != b[i] {
			d.Count++
			d.First = int64(i)
		}
	}
	for s := range spans {
		if s.Kind == perfdump.KindGap || s.Kind == perfdump.KindPadding {
			continue
		}
		end := s.Off + s.Size
		from, to := min(int(s.Off), n), min(int(end), n)
		d.Fields = d.Fields || int(end) > n || !bytes.Equal(a[from:to], b[from:to])
		if s.Off <= d.First && d.First < end {
			d.Path = s.Path.String()
		}
		if d.Fields && s.Off > d.First {
			break
		}
	}
	return d, true
}
