package capture

import (
	"encoding/binary"
	"strings"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/perfdata"
)

// Windows names the processes of one program name, name#1 and name#2. When one ends, later
// ones move up and change their names. If the counters of an object identify the process or
// thread of an instance, no value is computed from samples of two different ones.

// role is how a counter identifies the owner of an instance.
type role uint8

const (
	noRole role = iota
	isProcess
	isThread
	isStart // when the owner was started
	isCreator
	isID // of an instance of a version 2 counter set
	numRoles
)

// roles are the counters that identify the owner of an instance, by title index or English
// name.
var roles = [...]struct {
	index uint32
	name  string
	role  role
}{
	{784, "ID Process", isProcess},
	{0, "Process ID", isProcess}, // of the .NET CLR objects, which have no fixed index
	{804, "ID Thread", isThread},
	{684, "Elapsed Time", isStart},
	{1410, "Creating Process ID", isCreator},
}

// roleOf returns the role of a counter by its English name and title index, 0 if unknown.
func roleOf(index uint32, name string, t countertypes.Type) role {
	if !mayHaveRole(t) {
		return noRole
	}
	for _, r := range roles {
		if (index == 0 || index != r.index) && !strings.EqualFold(name, r.name) {
			continue
		}
		if (r.role == isStart) == (t == countertypes.PERF_ELAPSED_TIME) {
			return r.role
		}
	}
	return noRole
}

func mayHaveRole(t countertypes.Type) bool {
	return t == countertypes.PERF_ELAPSED_TIME || t.Kind() == countertypes.KindNumber && !t.Delta()
}

// role is roleOf for a counter in any language. An index of 0 is unknown.
func (n *Names) role(of naming, object, counter uint32, t countertypes.Type) role {
	if !mayHaveRole(t) {
		return noRole
	}
	english, _ := n.translate(of, object, counter)
	return roleOf(counter, english.counter, t)
}

// identity is the owner of an instance. A process or thread of 0 is not known: Idle and
// _Total have it, and .NET processes before their first garbage collection.
type identity struct {
	values [numRoles]uint64
	has    [numRoles]bool
}

func (id *identity) set(r role, v uint64) { id.values[r], id.has[r] = v, true }

func (id *identity) pid() uint64    { return id.values[isProcess] }
func (id *identity) thread() uint64 { return id.values[isThread] }

func (id *identity) known() bool { return id.pid() != 0 || id.thread() != 0 }

func (id *identity) identifies() bool { return id.known() || id.has[isID] }

// differs reports whether other is another owner. Windows reuses process numbers: then the
// start time differs, or the creator if the start time is missing.
func (id *identity) differs(other *identity) bool {
	known := false
	for _, r := range [...]role{isProcess, isThread} {
		if id.values[r] == 0 || other.values[r] == 0 {
			continue
		}
		if known = true; id.values[r] != other.values[r] {
			return true
		}
	}
	if !known {
		return id.has[isID] && other.has[isID] && id.values[isID] != other.values[isID]
	}
	for _, r := range [...]role{isStart, isCreator} {
		if id.has[r] && other.has[r] {
			return id.values[r] != other.values[r]
		}
	}
	return false
}

// identityCounters holds for each role the position of the object's counter that has it,
// plus 1; 0 if there is none.
type identityCounters [numRoles]int

func identityCountersOf(o *perfdata.Object, names *Names) identityCounters {
	var c identityCounters
	object := o.ObjectNameTitleIndex
	for j := range o.Counters() {
		k := o.Counter(j)
		index := k.CounterNameTitleIndex
		if r := names.role(names.recorded(object, index), object, index, k.CounterType); r != noRole && c[r] == 0 {
			c[r] = j + 1
		}
	}
	return c
}

func (c *identityCounters) any() bool { return c[isProcess] != 0 || c[isThread] != 0 }

func (c *identityCounters) of(in perfdata.Instance) identity {
	var id identity
	for r, at := range c {
		if at == 0 {
			continue
		}
		if v, ok := in.Uint64(at - 1); ok {
			id.set(role(r), v)
		}
	}
	return id
}

func (id *identity) appendKey(dst []byte) []byte {
	if !id.known() {
		return dst
	}
	dst = binary.LittleEndian.AppendUint64(append(dst, 0, 'p'), id.pid())
	return binary.LittleEndian.AppendUint64(dst, id.thread())
}
