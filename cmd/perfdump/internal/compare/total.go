package compare

import (
	"strconv"
	"strings"
)

// Total is how much differs in all. It counts what is passed to it. The caller
// sets the rest.
type Total struct {
	List                         string // what the inputs are compared by: "blocks", "entries", "chunks"
	Blocks, Header               int
	Objects, Counters, Instances Count
	Items                        Count // entries or chunks
	Values                       int

	Numbered     bool      // of tables of names
	Older, Newer int       // how many entries those have
	Bytes        *ByteDiff // how inputs with the same content differ, nil if they do not
	Partial      bool      // only what is selected is compared
	Nothing      bool      // which is empty
	Part         string    // as in Contents
	Failed       bool      // not all could be read

	// What Block and Object have seen.
	Machines  [2]string       // of two blocks, where they are of two machines
	Backwards bool            // the newer of two blocks was taken first
	Numbers   map[uint32]bool // title indexes without a name
}

// Any reports whether something differs.
func (t *Total) Any() bool {
	return t.Blocks+t.Header > 0 || t.Objects.any() || t.Items.any() || t.Bytes != nil
}

// Block counts a pair of blocks, and their headers unless only a part is
// compared.
func (t *Total) Block(b *Block) {
	if b.Change != Changed {
		t.Blocks++
		return
	}
	if !t.Partial {
		t.Header += len(b.Header)
	}
	if b.OtherMachine() {
		t.Machines = [2]string{b.Older.Host, b.Newer.Host}
	}
	if !b.Newer.Time.IsZero() && b.Newer.Time.Before(b.Older.Time) {
		t.Backwards = true
	}
}

// Object counts an object and what differs in it.
func (t *Total) Object(o *Object) {
	t.number(o.Index, o.Name)
	if t.Objects.Add(o.Change); o.Change != Changed {
		return
	}
	for _, c := range o.Counters {
		t.Counters.Add(c.Change)
	}
	t.Instances.Gone += o.InstanceCount.Gone
	t.Instances.New += o.InstanceCount.New
	if !o.Newer.Single {
		t.Instances.Changed += o.InstanceCount.Changed
	}
	t.Values += o.ValuesChanged
	if o.ValuesChanged > 0 || len(o.Counters) > 0 {
		for i := range o.Newer.Counters {
			if c := &o.Newer.Counters[i]; c.Index != 0 {
				t.number(c.Index, c.Name)
			}
		}
	}
}

// Chunk counts a chunk and its values.
func (t *Total) Chunk(c *Chunk) {
	t.Items.Add(c.Change)
	t.Values += len(c.Values)
}

func (t *Total) number(index uint32, name string) {
	if !unnamed(index, name) {
		return
	}
	if t.Numbers == nil {
		t.Numbers = map[uint32]bool{}
	}
	t.Numbers[index] = true
}

// unnamed reports whether a name is but the index in decimal.
func unnamed(index uint32, name string) bool {
	return name == strconv.FormatUint(uint64(index), 10)
}

// named is a Count with a name.
type named struct {
	what string
	Count
}

func (t *Total) counts() []named {
	if t.List == "blocks" {
		return []named{{"objects", t.Objects}, {"counters", t.Counters}, {"instances", t.Instances}}
	}
	return []named{{t.List, t.Items}}
}

// text sums it up for people.
func (t *Total) text() string {
	var parts []string
	for _, c := range append(t.counts(), named{"values", Count{Changed: t.Values}}) {
		var of []string
		for _, n := range []struct {
			n    int
			word Change
		}{{c.Gone, Gone}, {c.New, New}, {c.Changed, Changed}} {
			if n.n > 0 {
				of = append(of, strconv.Itoa(n.n)+" "+string(n.word))
			}
		}
		if len(of) > 0 {
			parts = append(parts, c.what+" "+strings.Join(of, ", "))
		}
	}
	return strings.Join(parts, "; ")
}
