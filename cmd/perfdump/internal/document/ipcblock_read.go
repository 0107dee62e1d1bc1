package document

import (
	"errors"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/ipcblock"
)

const (
	// maxIPCChunks is how many chunks a table has.
	maxIPCChunks = 32
	// maxIPCSize bounds the bytes of a table and what follows it.
	maxIPCSize = 256 << 20
	// maxIPCEnd bounds those of its chunks. A table has 64 KiB, and the size of
	// a block is 16 bits.
	maxIPCEnd = 1 << 20
)

// ipcReader reads the chunks of a table of IPC control blocks.
type ipcReader struct {
	*decoder
	c        *canvas
	layout   ipcblock.Layout
	chunks   []*chunkDoc
	explicit bool // has gaps, or a chunk has a wire
}

func (d *decoder) ipcBlock(c *canvas) error {
	t := &ipcReader{decoder: d, c: c, explicit: d.hasGaps || d.hasWire("chunks")}
	known := func(name string) (ipcblock.Layout, error) {
		layout, err := ipcblock.ParseLayout(name)
		if layout == ipcblock.Auto {
			err = errUnknown
		}
		return layout, err
	}
	if err := d.at("layout").value(word(&t.layout, known, "no layout is named %s; there are sxs, legacy_public, legacy_private and perf")); err != nil {
		return err
	}
	r := d.at("chunks")
	err := r.array(func(i int) error {
		if i == maxIPCChunks {
			return r.syntaxError("more chunks than the %d of a table", maxIPCChunks)
		}
		c := new(chunkDoc)
		c.tree.Index = i
		if err := r.value(c.reading()); err != nil {
			return err
		}
		if c.tree.State != ipcblock.Bad && (c.tree.State != ipcblock.Untouched || !c.hasState) {
			t.chunks = append(t.chunks, c)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return t.place()
}

// reading returns what reads a chunk.
func (c *chunkDoc) reading() object {
	t := &c.tree
	return c.object(ipcblock.Auto, chunkParts{
		index: func(r *reader) error {
			v, err := r.unsigned(maxIPCChunks - 1)
			t.Index = int(v)
			return err
		},
		state: func(r *reader) error {
			c.hasState = true
			return word(&t.State, ipcblock.ParseState, "no state is named %s")(r)
		},
		arch: func(r *reader) error {
			if null, err := r.null(); err != nil || null {
				return err
			}
			return word(&t.Arch, ipcblock.ParseArch, "no architecture is named %s; there are x86, x64 and null")(r)
		},
		entries: func(r *reader) error {
			return r.array(func(int) error {
				var e ipcblock.Entry
				err := r.value(entryFields(&e))
				t.Entries = append(t.Entries, e)
				return err
			})
		},
		domain: func(r *reader) error {
			t.AppDomain = new(ipcblock.AppDomain64)
			return r.value(domainFields(&c.domainOff, t.AppDomain))
		},
		path: func(r *reader) error {
			err := r.value(&c.path)
			if err == nil && len(c.path.b) > maxIPCEnd*3/2 {
				err = r.errorAt(perfdump.CodeLimit, r.offset(), "a path of %d bytes; the limit of what chunks hold is 0x%x", len(c.path.b), maxIPCEnd)
			}
			return err
		},
		wire: c.wire(func(r *reader) error {
			return r.array(func(i int) error {
				if i >= len(t.Reserved) {
					return r.syntaxError("more than %d reserved words", len(t.Reserved))
				}
				return r.value(&t.Reserved[i])
			})
		}),
		fields: func(r *reader) error { return r.array(func(int) error { return c.field(r) }) },
	})
}

func (c *chunkDoc) field(r *reader) error {
	var f ipcField
	valued, negative := false, false
	off := r.offset()
	err := r.value(f.object(func(r *reader) (err error) {
		valued = true
		if negative, f.value, err = r.number("a number"); negative {
			if f.value > 1<<63 {
				return r.syntaxError("the number is below -%d", uint64(1)<<63)
			}
			f.value = -f.value
		}
		return err
	}))
	if err != nil {
		return err
	}
	known := false
	f.field, known = ipcblock.FieldByName(f.section, f.name)
	switch {
	case !known || f.field == ipcblock.PerfSize || f.field == ipcblock.PerfAttributes:
		return r.errorAt(syntax, off, "no field is named %s in the section %s", quote(f.name), quote(f.section))
	case slices.ContainsFunc(c.fields, func(g ipcField) bool { return g.field == f.field }):
		return r.errorAt(syntax, off, "the field %s is given twice", f.field)
	case !valued:
		return r.errorAt(syntax, off, "the field %s has no value", f.field)
	case negative && !f.field.Signed():
		return r.errorAt(syntax, off, "the field %s cannot be negative", f.field)
	}
	c.fields = append(c.fields, f)
	return nil
}

// place puts the chunks where the document says, or leaves their layout to the
// encoder.
func (t *ipcReader) place() error {
	tree := &ipcblock.Tree{Kind: t.layout}
	for _, c := range t.chunks {
		if !t.explicit {
			c.makeValues()
			if c.path.kind == textString {
				c.tree.Path = string(c.path.b)
			} else {
				c.tree.RawPath = c.path.b
			}
			tree.Chunks = append(tree.Chunks, c.tree)
			continue
		}
		if err := t.explicitly(c); err != nil {
			return err
		}
		err := c.tree.Put(func(off int, b []byte, path perfdump.Path) error {
			err := t.c.put(int64(off), b)
			var fe *perfdump.FormatError
			if errors.As(err, &fe) && fe.Path == "" {
				fe.Path = path.String()
			}
			return err
		}, t.layout)
		if err != nil {
			return err
		}
	}
	if !t.explicit {
		if err := tree.Layout(); err != nil {
			return err
		}
		out, err := tree.AppendBinary(nil)
		t.c.out = out
		return err
	}
	far := t.size
	for _, g := range t.gaps {
		far = max(far, g.off+g.zero, g.off+int64(len(g.b)))
	}
	if far > maxIPCSize {
		return tooLong("a file of 0x%x bytes; the limit is 0x%x", far, maxIPCSize)
	}
	return t.finish(t.c)
}

func (c *chunkDoc) makeValues() {
	c.tree.Values = new([ipcblock.NumFields]uint64)
	c.tree.Values[ipcblock.PerfSize], c.tree.Values[ipcblock.PerfAttributes] = uint64(c.perfSize.v), uint64(c.attributes.or(1))
	for _, f := range c.fields {
		c.tree.CLR1 = c.tree.CLR1 || f.field == ipcblock.PromotedFinalizationGen1
		c.tree.Values[f.field] = f.value
	}
}

// explicitly sets the offsets of a chunk and of its parts.
func (t *ipcReader) explicitly(c *chunkDoc) error {
	at := int64(0)
	if t.layout == ipcblock.SxS {
		at = int64(c.tree.Index) * 2048
	}
	if c.offset.or(at) != at {
		return misfit(c.offset.v, "chunks", "chunk %d of layout %s begins at 0x%x", c.tree.Index, t.layout, at)
	}
	c.tree.DomainOff, c.tree.PathOff = int(c.domainOff.v-at), int(c.pathOff.v)
	c.tree.RawPath, _ = c.path.append(nil, 0)
	if c.path.kind == textString {
		n := int(c.pathSize.v) - len(c.tree.RawPath)
		switch {
		case n < 0:
			return misfit(at+c.pathOff.v, "chunks", "a path of 0x%x bytes, its path_size is 0x%x", len(c.tree.RawPath), c.pathSize.v)
		case c.pathSize.v > maxIPCEnd:
			return tooLong("a path of 0x%x bytes; the limit of what chunks hold is 0x%x", c.pathSize.v, maxIPCEnd)
		}
		c.tree.RawPath = append(c.tree.RawPath, make([]byte, n)...)
	}
	if len(c.fields) == 0 {
		return nil
	}
	c.makeValues()
	arch := c.tree.PerfArch()
	if arch == ipcblock.NoArch {
		return misfit(c.fields[0].off.v, "chunks", "fields, but no architecture")
	}
	perf := c.fields[0].off.v - int64(c.fields[0].field.Offset(arch))
	for _, f := range c.fields {
		if f.off.v != perf+int64(f.field.Offset(arch)) || f.size.v != int64(f.field.Size(arch)) {
			return misfit(f.off.v, "chunks", "the field %s has 0x%x bytes at 0x%x of the block, which begins at 0x%x", f.field, f.field.Size(arch), f.field.Offset(arch), perf)
		}
	}
	if want := len(c.tree.Fields()) - 2; len(c.fields) != want {
		return misfit(perf, "chunks", "%d fields of %d; without wire and gaps those left out would be 0", len(c.fields), want)
	}
	c.tree.PerfOff = int(perf - at)
	return nil
}
