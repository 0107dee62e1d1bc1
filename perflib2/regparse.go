package perflib2

import (
	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// ParseRegistration decodes the registration of a set: the data of an event of
// type 0x26 in a binary log. The result aliases b, which must not change while
// it is in use. All lengths, counts and offsets are checked; the cost is linear
// in b and does not depend on what it claims.
//
// The error is a *perfdump.FormatError with the path and offset of the fault.
// In salvage mode it is given only where nothing could be had; see
// [Registration.Faults].
func ParseRegistration(b []byte, o perfdump.Options) (*Registration, error) {
	r := &Registration{byID: map[uint32]int{}}
	r.anomalies.Reset(o.Limits.MaxAnomalies())
	p := &regParser{Registration: r, checker: checker{Options: o, anomalies: &r.anomalies, faults: &r.faults}}
	if err := p.parse(b); err != nil {
		return nil, err
	}
	if o.Mode == perfdump.Strict && r.anomalies.Len() > 0 {
		return nil, r.anomalies.Kept()[0].Err()
	}
	return r, nil
}

// regParser is a registration while it is parsed.
type regParser struct {
	*Registration
	checker
}

// textArea is where the texts of a registration lie.
type textArea struct {
	off, end int // of the header, and behind the last text; both 0 where there is none
	next     int // behind the padding
	n        int // entries
	byID     map[uint32]textRange
}

// textRange is a text with its NUL, by offsets in the registration.
type textRange struct{ from, to int }

func (p *regParser) parse(b []byte) *perfdump.FormatError {
	root := setLevels.Root()
	switch {
	case len(b) == 0:
		return perfdump.NewError(perfdump.CodeEmpty, 0, root, "no bytes")
	case len(b) < registrationSize+counterSetInfoSize:
		return perfdump.NewError(perfdump.CodeTruncated, 0, root, "%d bytes, fewer than the %d of a registration's headers", len(b), registrationSize+counterSetInfoSize)
	}
	wire.LoadStruct(&p.head, b)
	p.raw = b[:len(b):len(b)]
	p.cut = uint64(p.head.TotalSize) > uint64(len(b))
	p.size = int(min(uint64(p.head.TotalSize), uint64(len(b))))
	switch {
	case p.head.TotalSize < registrationSize+counterSetInfoSize:
		return perfdump.NewError(perfdump.CodeLength, 0, root.Field("TotalSize"), "0x%x is less than the %d bytes of the headers", p.head.TotalSize, registrationSize+counterSetInfoSize)
	case p.cut:
		if err := p.pass(p.fail(perfdump.CodeLength, 0, root.Field("TotalSize"), "0x%x is past the 0x%x bytes present", p.head.TotalSize, len(b))); err != nil {
			return err
		}
	case p.size < len(b):
		p.anomaly(codeTrailingBytes, p.size, root, "%d bytes behind the registration's end", int64(len(b)-p.size))
	}
	if err := p.parts(); err != nil {
		return p.pass(err)
	}
	return nil
}

// parts reads the three parts, which stand one after the other.
func (p *regParser) parts() *perfdump.FormatError {
	root, off := setLevels.Root(), registrationSize
	end, err := p.within(off, p.head.RegistrationSize, counterSetInfoSize, "RegistrationSize", 4)
	if err != nil {
		end = p.size
		if err := p.pass(err); err != nil || p.head.RegistrationSize < counterSetInfoSize {
			return err
		}
	}
	textsEnd, err := p.within(end, p.head.TextsSize, 0, "TextsSize", 8)
	if err != nil {
		textsEnd = p.size
		if err := p.pass(err); err != nil {
			return err
		}
	}
	// The texts are the names of the counters, so they come first.
	if err := p.readTexts(end, textsEnd); err != nil {
		if err := p.pass(err); err != nil {
			return err
		}
	}
	if err := p.readCounters(off, end); err != nil {
		return err
	}
	nameEnd, err := p.within(textsEnd, p.head.NameSize, 0, "NameSize", 12)
	if err != nil {
		return err
	}
	p.nameOff = textsEnd
	p.name = cutNUL(p.raw[textsEnd : textsEnd+p.textLen(textsEnd, textsEnd+int(p.head.NameSize), root.Field("Name"))])
	p.slack(nameEnd, p.size, root)
	return nil
}

// readCounters reads the set and its counters.
func (p *regParser) readCounters(off, end int) *perfdump.FormatError {
	root := setLevels.Root()
	wire.LoadStruct(&p.CounterSetInfo, p.raw[off:])
	if _, known := instanceTypes[p.InstanceType]; !known {
		p.anomaly(codeInstanceType, off+28, root.Field("CounterSet.InstanceType"), "instance type %d is not known", int64(p.InstanceType))
	}
	off += counterSetInfoSize
	if room := end - off; uint64(p.NumCounters) > uint64(room/counterInfoSize) {
		err := p.fail(perfdump.CodeCount, registrationSize+24, root.Field("CounterSet.NumCounters"), "%d counters do not fit 0x%x bytes", p.NumCounters, room)
		if err := p.pass(err); err != nil {
			return err
		}
	}
	p.counters = make([]Counter, min(uint64(p.NumCounters), uint64(end-off)/counterInfoSize))
	for i := range p.counters {
		c, path := &p.counters[i], setLevels.Root().At(levelCounter, i)
		wire.LoadStruct(&c.CounterInfo, p.raw[off:])
		if t, ok := p.texts.byID[c.ID]; ok {
			c.RawName = cutNUL(p.raw[t.from:t.to])
		}
		if _, again := p.byID[c.ID]; again {
			p.anomaly(codeDuplicateID, off, path.Field("ID"), "id %d again; the first one counts", int64(c.ID))
		} else {
			p.byID[c.ID] = i
		}
		if c.Reserved != 0 {
			p.anomaly(codeReserved, off+44, path.Field("Reserved"), "0x%x, not 0", int64(c.Reserved))
		}
		if !c.Type.Defined() {
			p.anomaly(codeUnknownType, off+4, path.Field("Type"), "type 0x%x has bits that nobody defines", int64(c.Type))
		}
		off += counterInfoSize
	}
	p.slack(off, end, root)
	p.references()
	return nil
}

// references looks for the counters that others need.
func (p *regParser) references() {
	for i := range p.counters {
		c, path := &p.counters[i], setLevels.Root().At(levelCounter, i)
		off := registrationSize + counterSetInfoSize + counterInfoSize*i
		for k, id := range []uint32{c.BaseID, c.PerfTimeID, c.PerfFreqID, c.MultiID} {
			if _, ok := p.byID[id]; !ok && id != NoID {
				p.anomaly(codeMissingID, off+24+4*k, path.Field([]string{"BaseID", "PerfTimeID", "PerfFreqID", "MultiID"}[k]), "the set has no counter %d", int64(id))
			}
		}
	}
}

// readTexts reads the entries of the texts.
func (p *regParser) readTexts(off, end int) *perfdump.FormatError {
	root := setLevels.Root()
	if end == off {
		return nil
	}
	if end-off < pairSize {
		return p.fail(perfdump.CodeLength, 8, root.Field("TextsSize"), "0x%x is less than the %d bytes of the header", end-off, pairSize)
	}
	var h textsHeader
	h.Size, h.NumTexts = pair(p.raw[off:])
	switch {
	case h.Size < pairSize:
		return p.fail(perfdump.CodeLength, off, root.Field("Texts.Size"), "0x%x is less than the %d bytes of the header", h.Size, pairSize)
	case uint64(h.Size) > uint64(end-off):
		return p.fail(perfdump.CodeLength, off, root.Field("Texts.Size"), "0x%x is past the 0x%x bytes of the texts", h.Size, end-off)
	case uint64(h.NumTexts) > (uint64(h.Size)-pairSize)/pairSize:
		return p.fail(perfdump.CodeCount, off+4, root.Field("Texts.NumTexts"), "%d entries do not fit 0x%x bytes", h.NumTexts, h.Size-pairSize)
	}
	n := int(h.NumTexts)
	t := textArea{off: off, end: off + int(h.Size), next: end, n: n, byID: make(map[uint32]textRange, n)}
	p.slack(int(min(uint64(off)+align8(h.Size), uint64(end))), end, root.Field("Texts"))
	limit, sum := p.Limits.MaxValues(len(p.raw)), 0
	for i := range n {
		from := off + pairSize + pairSize*i
		path := root.At(levelText, i)
		e, r, ok := p.entry(from, &t, path)
		if sum += r.to - r.from; sum > limit {
			return p.fail(perfdump.CodeLimit, from+4, path.Field("Offset"), "texts that share bytes come to more than the limit of %d", limit)
		}
		if _, again := t.byID[e.CounterID]; again {
			p.anomaly(codeDuplicateID, from, path.Field("CounterID"), "id %d again; the first one counts", int64(e.CounterID))
		} else if ok {
			t.byID[e.CounterID] = r
		}
	}
	p.texts = t
	return nil
}

// entry reads an entry and finds its text, false where there is none.
func (p *regParser) entry(off int, t *textArea, path perfdump.Path) (textEntry, textRange, bool) {
	var e textEntry
	e.CounterID, e.Offset = pair(p.raw[off:])
	if e.Offset == noText {
		return e, textRange{}, false
	}
	if uint64(e.Offset) < uint64(pairSize+pairSize*t.n) || uint64(e.Offset) >= uint64(t.end-t.off) {
		p.anomaly(codeTextRange, off+4, path.Field("Offset"), "0x%x is outside the texts", int64(e.Offset))
		return e, textRange{}, false
	}
	from := t.off + int(e.Offset)
	return e, textRange{from, from + p.textLen(from, t.end, path.Field("Text"))}, true
}

// textLen returns the length of a text with its NUL.
func (p *regParser) textLen(from, to int, path perfdump.Path) int {
	if n := checkName(p.raw[from:to], from, path, p.checker.anomalies); n >= 0 {
		return n
	}
	return to - from
}

// within checks the size of a part at off and returns where the next one begins.
func (p *regParser) within(off int, size uint32, least int, field string, at int) (int, *perfdump.FormatError) {
	return p.sized(off, size, least, p.size, setLevels.Root().Field(field), at)
}
