package perfdata

// knownObject caches an object of a previous block: from one answer of a machine to the
// next the definitions hardly ever change.
type knownObject struct {
	title    uint32
	plain    bool // the fields below are set: there was nothing to report
	traits   traits
	counters span // in the block's arena, where they stay
	bytes    span // what they were made from, in the decoder's copy

	minBlock int // the counter block that the ops were made for, 0 none
	closed   bool
	ops      span
}

// know returns the cache entry of an object with o's title. It usually follows the previous
// one. A decoder for one block caches nothing.
func (d *Decoder) know(o *Object) *knownObject {
	if d.once {
		d.unknown = knownObject{}
		return &d.unknown
	}
	title := o.ObjectNameTitleIndex
	d.lastKnown++
	if i := d.lastKnown; i < len(d.known) && d.known[i].title == title {
		return &d.known[i]
	}
	i, ok := d.knownTitles[title]
	if !ok {
		i = len(d.known)
		d.known = append(d.known, knownObject{title: title})
		d.knownTitles[title] = i
	}
	d.lastKnown = i
	return &d.known[i]
}

// learn caches the definitions b, which had nothing to report.
func (d *Decoder) learn(k *knownObject, counters span, b []byte) {
	from := len(d.knownBytes)
	d.knownBytes = append(reserve(d.knownBytes, len(b)), b...)
	k.plain, k.counters, k.bytes = true, counters, span{int32(from), int32(len(d.knownBytes))}
}

// keep prepares the cache for the next block. It clears the cache if it has grown to more
// than twice of what the previous block needed. For blocks that stay valid it may be some
// more, since these often are of several objects in turn.
func (d *Decoder) keep() {
	if d.once {
		return
	}
	blk := d.block
	if d.knownTitles == nil {
		d.knownTitles = make(map[uint32]int)
	}
	more := 0
	if d.gives {
		more = 256
	}
	if len(d.known) > 2*d.usedObjects+more || len(d.knownBytes) > 2*d.usedBytes+more*counterSize ||
		max(len(blk.counters), len(blk.ops)) > 2*d.usedCounters+more {
		blk.counters, blk.ops = blk.counters[:0], blk.ops[:0]
		if d.gives {
			blk.counters, blk.ops = nil, nil
		}
		d.known, d.knownBytes = d.known[:0], d.knownBytes[:0]
		clear(d.knownTitles)
	}
	d.lastKnown, d.usedObjects, d.usedCounters, d.usedBytes = -1, 0, 0, 0
}
