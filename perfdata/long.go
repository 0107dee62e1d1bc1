package perfdata

import "github.com/perfdump/perfdump"

// maxText is the maximum length of a name or a text in bytes: what a UNICODE_STRING can
// hold.
const maxText = 65535

// long rejects names and texts of more than maxText bytes. In salvage mode the instances
// that have one are dropped.
func (d *Decoder) long(o *Object, texts bool, path perfdump.Path) *fault {
	if o.nameMax <= maxText && !texts {
		return nil
	}
	places, kept := o.places(), 0
	for i, in := range o.Instances() {
		if err := d.longText(in, texts, path.At(levelInstance, i)); err != nil {
			if d.Mode != perfdump.Salvage {
				return err
			}
			d.block.faults = append(d.block.faults, err)
			continue
		}
		places[kept] = in.place
		kept++
	}
	o.holes = kept < len(places)
	o.instances.to = o.instances.from + int32(kept)
	d.block.places = d.block.places[:o.instances.to]
	return nil
}

// longText returns the fault of the first name or text of an instance that is
// too long.
func (d *Decoder) longText(in Instance, texts bool, path perfdump.Path) *fault {
	const text = "0x%x bytes, more than the 0x%x that a text can have"
	if n := len(in.RawName()); n > maxText {
		return d.fail(perfdump.CodeLimit, int(in.off)+20, path.Field("NameLength"), text, int64(n), maxText)
	}
	if !texts {
		return nil
	}
	block := in.BlockBytes()
	for j := range in.object.Counters() {
		c := in.object.Counter(j)
		if n := c.extent(len(block)); n > maxText && c.text() {
			return d.fail(perfdump.CodeLimit, in.blockOffset()+int(c.CounterOffset), path.At(levelCounter, j), text, int64(n), maxText)
		}
	}
	return nil
}

// longTexts reports whether a counter of o has texts that are too long.
func (o *Object) longTexts() bool {
	for j := range o.Counters() {
		if c := o.Counter(j); c.CounterSize > maxText && c.text() {
			return true
		}
	}
	return false
}
