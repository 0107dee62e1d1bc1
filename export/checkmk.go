package export

import (
	"bufio"
	"io"
	"iter"
	"math"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/checkmk"
)

// Checkmk writes raw values as the sections of a Checkmk agent, one for each
// object. The form has no texts, no parents, no #n and no counts of MULTI types;
// a counter of which an instance has no value is left out, since the form has
// no sign for that. Time and host of a snapshot without a time cannot be told
// either: its time is 0.
type Checkmk struct {
	w       *bufio.Writer
	buf     []byte
	begun   bool
	agent   string // the host of the first section, which the output begins with
	host    string // the one of the last section
	omitted int
}

// NewCheckmk returns a writer of agent sections.
func NewCheckmk(w io.Writer) *Checkmk { return &Checkmk{w: newBuffer(w)} }

// checkmkNames are the agent's own names of sections, by title index. Other
// sections have the name of their object.
var checkmkNames = map[uint32]string{234: "phydisk", 238: "processor", 510: "if"}

// Write writes the sections of a snapshot.
func (c *Checkmk) Write(s *capture.Snapshot) error {
	section := checkmk.Section{Host: s.Host, Frequency: s.Frequency(), HasFrequency: true}
	if !s.Time.IsZero() {
		section.Unix = math.Round(float64(s.Time.UnixMilli())/10) / 100
	}
	for o := range s.Objects() {
		section.Object, section.HasInstances = o.Index, !o.Single
		section.Name = checkmkName(o)
		section.Instances, section.Counters = section.Instances[:0], section.Counters[:0]
		before := uint32(0)
		for i := range o.Counters {
			k := &o.Counters[i]
			index := k.Index
			if k.Type.IsBase() && i > 0 { // it has the index of what it is the base of
				index = before
			}
			before = index
			section.Counters = append(section.Counters, checkmk.Counter{Index: index, Type: k.Type, HasType: true})
		}
		absent := make([]bool, len(section.Counters))
		for in := range o.Instances() {
			if !o.Single {
				section.Instances = append(section.Instances, in.Name)
			}
			for i := range section.Counters {
				v, ok := in.Value(i)
				if !ok || v.Kind != capture.Number {
					absent[i] = true
				}
				section.Counters[i].Values = append(section.Counters[i].Values, v.Uint)
			}
		}
		kept := section.Counters[:0]
		for i, k := range section.Counters {
			if absent[i] {
				c.omitted++
				continue
			}
			kept = append(kept, k)
		}
		section.Counters = kept
		if err := c.WriteSection(&section); err != nil {
			return err
		}
	}
	return nil
}

func checkmkName(o *capture.Object) string {
	if name, ok := checkmkNames[o.Index]; ok {
		return name
	}
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToLower(o.Name))
}

// WriteSection writes a section as it is, behind the marker of its host where that is
// another than that of the section before.
func (c *Checkmk) WriteSection(s *checkmk.Section) error {
	c.buf = c.buf[:0]
	switch {
	case !c.begun && s.Host != "":
		c.buf = checkmk.AppendAgent(c.buf, s.Host)
	case c.begun && s.Host != c.host && s.Host == c.agent:
		c.buf = checkmk.AppendHost(c.buf, "")
	case c.begun && s.Host != c.host:
		c.buf = checkmk.AppendHost(c.buf, s.Host)
	}
	if !c.begun {
		c.begun, c.agent = true, s.Host
	}
	c.host = s.Host
	c.buf = checkmk.Append(c.buf, s)
	_, err := c.w.Write(c.buf)
	return err
}

// Leave counts rows that have no title index, and so no place in a section.
func (c *Checkmk) Leave(rows iter.Seq[*capture.Row]) {
	for range rows {
		c.omitted++
	}
}

// Omitted returns how many counters of objects were left out.
func (c *Checkmk) Omitted() int { return c.omitted }

// Flush writes what is left.
func (c *Checkmk) Flush() error { return c.w.Flush() }
