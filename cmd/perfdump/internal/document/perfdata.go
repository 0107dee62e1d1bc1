package document

import (
	"fmt"
	"strconv"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/perfdata"
)

// The parts of a document of blocks, for both directions: what each key means.

// blockDoc is a block.
type blockDoc struct {
	tree perfdata.Tree

	offset, version, revision, total, header, number opt
	flag, nameLength, nameOffset, freq, time100      opt
	little                                           bool
	time                                             timeDoc
	name                                             bytesOrText
	list                                             part // of objects
}

func (b *blockDoc) fields(objects any) object {
	t := &b.tree
	return object{
		{"offset", place(&b.offset)},
		{"little_endian", &b.little},
		{"version", &b.version},
		{"revision", &b.revision},
		{"total_byte_length", &b.total},
		{"header_length", &b.header},
		{"num_object_types", &b.number},
		{"\n  default_object", &t.DefaultObject},
		b.time.field(),
		{"perf_time", &t.PerfTime},
		{"perf_freq", signed{&b.freq, 64}},
		{"perf_time_100ns", signed{&b.time100, 64}},
		{"system_name", &b.name},
		{"\n  wire", object{
			{"flag", &b.flag}, b.time.exactly(), {"system_name_length", &b.nameLength}, {"system_name_offset", &b.nameOffset},
		}},
		{"\n  objects", objects},
	}
}

// objectDoc is an object.
type objectDoc struct {
	tree perfdata.TreeObject

	offset, index, help, detail, numInstances                opt
	totalLength, definitionLength, headerLength, numCounters opt
	name                                                     nullable
	counters, instances                                      part
}

func (o *objectDoc) fields(counters, instances any) object {
	t := &o.tree
	return object{
		{"offset", place(&o.offset)},
		{"index", &o.index},
		{"name", &o.name},
		{"help_index", &o.help},
		{"detail_level", &o.detail},
		{"default_counter", &t.DefaultCounter},
		{"num_instances", signed{&o.numInstances, 32}},
		{"code_page", &t.CodePage},
		{"\n    perf_time", &t.PerfTime},
		{"perf_freq", &t.PerfFreq},
		{"wire", object{
			{"total_byte_length", &o.totalLength},
			{"definition_length", &o.definitionLength},
			{"header_length", &o.headerLength},
			{"num_counters", &o.numCounters},
			{"name_title", &t.ObjectNameTitle},
			{"help_title", &t.ObjectHelpTitle},
		}},
		{"\n    counters", counters},
		{"\n    instances", instances},
	}
}

// counterDoc is the definition of a counter.
type counterDoc struct {
	perfdata.CounterDefinition

	index, help, detail, size, offset, length opt
	name, typeName                            nullable
	typed                                     bool
}

func (c *counterDoc) fields() object {
	return object{
		{"index", &c.index},
		{"name", &c.name},
		{"help_index", &c.help},
		{"type", &c.typeName},
		{"type_hex", c.typeHex()},
		{"size", &c.size},
		{"offset", &c.offset},
		{"scale", &c.DefaultScale},
		{"detail_level", &c.detail},
		{"wire", object{{"byte_length", &c.length}, {"name_title", &c.CounterNameTitle}, {"help_title", &c.CounterHelpTitle}}},
	}
}

// instanceDoc is an instance.
type instanceDoc struct {
	tree                                        perfdata.TreeInstance
	name                                        bytesOrText
	display                                     nullable
	length, nameOffset, nameLength, blockLength opt
	values                                      []valueDoc // that are read
	counts                                      []opt
	counted                                     bool
}

func (in *instanceDoc) fields(values, multi any) object {
	t := &in.tree
	return object{
		{"name", &in.name},
		{"unique_id", &t.UniqueID},
		{"parent_object", &t.ParentObjectTitleIndex},
		{"parent_instance", &t.ParentObjectInstance},
		{"display", &in.display},
		{"values", values},
		{"multi", multi},
		{"wire", object{
			{"byte_length", &in.length}, {"name_offset", &in.nameOffset}, {"name_length", &in.nameLength}, {"block_length", &in.blockLength},
		}},
	}
}

// typeHex returns a counter type in hexadecimal.
func (c *counterDoc) typeHex() pair {
	return pair{fmt.Sprintf("0x%08x", uint32(c.CounterType)), func(r *reader) error {
		off := r.offset()
		s, err := r.string()
		if err != nil {
			return err
		}
		v, parseErr := strconv.ParseUint(s[min(2, len(s)):], 16, 32)
		if parseErr != nil || len(s) > 10 || s[0] != '0' || s[1]|0x20 != 'x' {
			return r.errorAt(syntax, off, "%s is no type such as 0x21510500", quote(s))
		}
		c.CounterType, c.typed = countertypes.Type(v), true
		return nil
	}}
}

// timeDoc is a time, and the words of the SYSTEMTIME that it is of. It is null
// where these are no time that RFC 3339 has.
type timeDoc struct {
	time      time.Time // zero if it is null
	words     perfdata.SystemTime
	ok, exact bool // the time and the words are given
}

func timeOf(words [8]uint16) timeDoc {
	t := timeDoc{words: words}
	if at, ok := t.words.Time(); ok && at.Year() <= 9999 {
		t.time = at
	}
	return t
}

func (t *timeDoc) field() field {
	return field{"system_time", pair{given(t.time.Format("2006-01-02T15:04:05.999Z07:00"), !t.time.IsZero()), t.read}}
}

func (t *timeDoc) exactly() field { return field{"system_time", pair{t.words[:], t.readWords}} }

func (t *timeDoc) read(r *reader) error {
	t.ok = true
	if null, err := r.null(); err != nil || null {
		return err
	}
	off := r.offset()
	s, err := r.string()
	if err != nil {
		return err
	}
	t.time, err = time.Parse(time.RFC3339Nano, s)
	t.time = t.time.UTC()
	switch {
	case err != nil:
		return r.errorAt(syntax, off, "%s is no time such as 2020-03-18T19:05:41.123Z", quote(s))
	case t.time.Nanosecond()%1e6 != 0:
		return r.errorAt(syntax, off, "%s is finer than a millisecond", quote(s))
	case t.time.Year() < 1601:
		return r.errorAt(syntax, off, "%s is before 1601, the earliest SYSTEMTIME", quote(s))
	}
	return nil
}

func (t *timeDoc) readWords(r *reader) error {
	n, off := 0, r.offset()
	t.exact = true
	err := r.array(func(int) error {
		if n++; n > len(t.words) {
			return r.syntaxError("a SYSTEMTIME has 8 words")
		}
		return r.value(&t.words[n-1])
	})
	if err == nil && n < len(t.words) {
		err = r.errorAt(syntax, off, "%d words; a SYSTEMTIME has 8", n)
	}
	return err
}

// resolve returns the words, and the ticks of 100 ns. Where one of the two forms of
// the time is left out it is made from the other.
func (t *timeDoc) resolve(r *reader, ticks opt) (perfdata.SystemTime, int64, error) {
	if t.exact && t.ok && !t.time.Equal(timeOf(t.words).time) {
		return t.words, 0, r.errorAt(perfdump.CodeLength, -1, "system_time is not the time of wire.system_time; change both, or leave the latter out")
	}
	if !ticks.ok && !t.time.IsZero() {
		ticks.v = wire.Filetime1970 + t.time.Unix()*1e7 + int64(t.time.Nanosecond()/100)
	}
	switch {
	case t.exact:
		return t.words, ticks.v, nil
	case !t.time.IsZero():
		return perfdata.NewSystemTime(t.time), ticks.v, nil
	default:
		return perfdata.NewSystemTime(perfdata.Filetime(ticks.v)), ticks.v, nil
	}
}
