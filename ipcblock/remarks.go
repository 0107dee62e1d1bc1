package ipcblock

import (
	"iter"

	"github.com/perfdump/perfdump"
)

var timeInGC = mustField("gc.timeInGC")

// pairs are fields of which the first never exceeds the second, unless they were read while
// they changed.
var pairs = [...][2]Field{
	{mustField("loading.classesLoaded.cur"), mustField("loading.classesLoaded.total")},
	{mustField("loading.appDomains.cur"), mustField("loading.appDomains.total")},
	{mustField("loading.assemblies.cur"), mustField("loading.assemblies.total")},
	{mustField("locksAndThreads.recognizedThreads.cur"), mustField("locksAndThreads.recognizedThreads.total")},
	{timeInGC, timeInGC + 1},
	{mustField("jit.timeInJitBase"), mustField("jit.timeInJit")},
}

// Remarks yields what a user of the counters should know although the bytes are valid:
// stale, locked and unpublished chunks, a process without a garbage collection yet, values
// read at different moments. Strict mode accepts them.
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
			return say(code, c.FieldOffset(f), c.fieldPath(f), text, args...)
		}
		header := c.Path().Field("header.flags")
		switch c.State {
		case Locked:
			_ = say(remarkLocked, c.Offset, c.Path().Field("header.counter"), "Counter %d is odd: a writer was changing the header, which may be half written", int64(c.Counter))
			return
		case Free:
			_ = say(remarkStale, c.Offset+4, c.Path().Field("header.runtimeId"), "the runtime has ended: the chunk holds its last values")
			return
		case Unpublished:
			off := c.Offset + 2
			if c.layout == SxS {
				off += 16
			}
			_ = say(remarkUnpublished, off, header, "flags 0x%x: the runtime is starting, its counters are not valid yet", int64(c.Flags))
			return
		case Live:
		default:
			return
		}
		// The counters of a private block are unused: all are 0.
		if c.perf < 0 || c.layout == LegacyPrivate {
			return
		}
		if c.Attributes()&1 == 0 && !field(remarkOff, PerfAttributes, "attributes 0x%x: counters are disabled, as at the end of a process", int64(c.Attributes())) {
			return
		}
		if c.Has(ProcessID) && c.Uint64(ProcessID) == 0 &&
			!field(remarkNoGC, ProcessID, "no garbage collection yet: the memory counters and the process id are written at the end of the first") {
			return
		}
		for _, p := range pairs {
			a, b := c.Uint64(p[0]), c.Uint64(p[1])
			if a <= b || p[0] == timeInGC && b == 0 {
				continue
			}
			if !field(remarkTorn, p[0], "%d exceeds the %d of "+p[1].String()+": the two were read at different moments", int64(a), int64(b)) {
				return
			}
		}
	}
}
