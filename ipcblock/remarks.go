package ipcblock

import (
	"iter"

	"github.com/perfdump/perfdump"
)

// pairs are fields of which the first is never above the second, unless they
// were read while they changed.
var pairs = [...][2]Field{
	{ClassesLoadedCur, ClassesLoadedTotal},
	{AppDomainsCur, AppDomainsTotal},
	{AssembliesCur, AssembliesTotal},
	{RecognizedThreadsCur, RecognizedThreadsTotal},
	{TimeInGC, TimeInGCBase},
	{TimeInJitBase, TimeInJit},
}

// Remarks yields what a reader of the counters should know although nothing
// is wrong with the bytes: stale, locked and unpublished chunks, a process
// that has not collected yet, values that cannot be of one moment. They look
// like anomalies but are none: strict mode does not mind them.
func (t *Table) Remarks() iter.Seq[perfdump.Anomaly] {
	return func(yield func(perfdump.Anomaly) bool) {
		for i := range t.chunks {
			for a := range t.chunks[i].Remarks() {
				if !yield(a) {
					return
				}
			}
		}
	}
}

// Remarks yields the remarks on c; see [Table.Remarks].
func (c *Chunk) Remarks() iter.Seq[perfdump.Anomaly] {
	return func(yield func(perfdump.Anomaly) bool) {
		say := func(code perfdump.Code, off int64, path perfdump.Path, text string, args ...int64) bool {
			return yield(perfdump.NewAnomaly(code, off, path, text, args...))
		}
		field := func(code perfdump.Code, f Field, text string, args ...int64) bool {
			return say(code, c.FieldOffset(f), c.FieldPath(f), text, args...)
		}
		header := c.Path().Field("header.flags")
		switch c.State {
		case Locked:
			_ = say(RemarkLocked, c.Offset, c.Path().Field("header.counter"), "Counter %d is odd: a writer was at work on the header, which may be half written", int64(c.Counter))
			return
		case Free:
			_ = say(RemarkStale, c.Offset+4, c.Path().Field("header.runtimeId"), "the runtime is gone: what the chunk holds is what it left behind")
			return
		case Unpublished:
			off := c.Offset + 2
			if c.layout == SxS {
				off += 16
			}
			_ = say(RemarkUnpublished, off, header, "flags 0x%x: the runtime is starting, its counters mean nothing yet", int64(c.Flags))
			return
		case Live:
		default:
			return
		}
		// The counters of a private block are not used: all are 0.
		if c.perf < 0 || c.layout == LegacyPrivate {
			return
		}
		if c.Attributes()&1 == 0 && !field(RemarkOff, PerfAttributes, "attributes 0x%x: counting is off, as at the end of a process", int64(c.Attributes())) {
			return
		}
		if c.Has(ProcessID) && c.Uint64(ProcessID) == 0 &&
			!field(RemarkNoGC, ProcessID, "no garbage collection yet: the memory counters and the process id are written at the end of the first") {
			return
		}
		for _, p := range pairs {
			a, b := c.Uint64(p[0]), c.Uint64(p[1])
			if a <= b || p[0] == TimeInGC && b == 0 {
				continue
			}
			if !field(RemarkTorn, p[0], tornTexts[p[0]], int64(a), int64(b)) {
				return
			}
		}
	}
}

// tornTexts say of a pair that it was read while it changed, by its first.
var tornTexts = func() map[Field]string {
	m := map[Field]string{}
	for _, p := range pairs {
		m[p[0]] = "%d is above %d of " + p[1].String() + ": the two were not read at one moment"
	}
	return m
}()
