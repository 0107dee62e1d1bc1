package story

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/perfdump/perfdump/blg"
	ct "github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
)

// object declares an object of the log.
type object struct {
	title    uint32
	name     string
	single   bool // it has no instances
	clock    bool // its header has the clock of elapsed times
	counters []counter
}

type counter struct {
	title uint32
	typ   ct.Type
	scale int32
	name  string
}

// size is that of a value: the disks have 8 bytes for a type of 4.
func (c *counter) size() uint32 {
	if c.typ == ct.PERF_AVERAGE_TIMER {
		return 8
	}
	return uint32(c.typ.ValueWidth())
}

// row is an instance with a value for each counter of its object.
type row struct {
	name   string
	values []uint64
}

//go:embed objects.txt
var objectsText string

// objects are those of objects.txt.
var objects = sync.OnceValue(func() []*object {
	var all []*object
	for line := range strings.Lines(objectsText) {
		line = strings.TrimSuffix(line, "\n")
		name, rest, isObject := strings.Cut(line, " = ")
		words := strings.SplitN(line, " ", 4)
		switch {
		case line == "" || line[0] == '#':
		case isObject:
			words = strings.Fields(rest)
			all = append(all, &object{title: number(words[0]), name: name, single: slices.Contains(words, "single"), clock: slices.Contains(words, "clock")})
		default:
			c := counter{title: number(words[0]), typ: must(ct.Parse(words[1])), scale: int32(number(words[2]))}
			if len(words) > 3 {
				c.name = words[3]
			}
			o := all[len(all)-1]
			o.counters = append(o.counters, c)
		}
	}
	return all
})

func number(s string) uint32 { return uint32(must(strconv.Atoi(s))) }

// names returns the pairs of the log's table of titles.
func names(objects []*object) []string {
	pairs := []string{"1", "1847"}
	for _, o := range objects {
		pairs = append(pairs, strconv.Itoa(int(o.title)), o.name)
		for _, c := range o.counters {
			if c.name != "" {
				pairs = append(pairs, strconv.Itoa(int(c.title)), c.name)
			}
		}
	}
	return pairs
}

func (o *object) item(machine string) blgwriter.Item {
	p := pdhpath.Path{Machine: machine, Object: o.name, Counter: "*"}
	if !o.single {
		p.Instance, p.HasInstance = "*", true
	}
	return blgwriter.Item{Path: p, Type: 0x10}
}

// series returns the object as it stands in a record.
func (o *object) series(m *machine, rows []row) blgwriter.Series {
	tree := perfdata.Tree{SystemName: m.name}
	tree.SystemTime = perfdata.NewSystemTime(perfdata.Filetime(m.local()))
	tree.PerfTime, tree.PerfFreq, tree.PerfTime100nSec, tree.DefaultObject = m.now-m.boot, second, m.now, int32(o.title)
	t := perfdata.TreeObject{}
	t.ObjectNameTitleIndex, t.ObjectHelpTitleIndex, t.DetailLevel = o.title, o.title+1, 100
	if o.clock {
		t.PerfTime, t.PerfFreq = m.now, second
	}
	if o.single {
		t.NumInstances = perfdata.NoInstances
	}
	for _, c := range o.counters {
		t.Counters = append(t.Counters, perfdata.CounterDefinition{
			CounterNameTitleIndex: c.title, CounterHelpTitleIndex: c.title + 1, DefaultScale: c.scale, DetailLevel: 100,
			CounterType: c.typ, CounterSize: c.size(),
		})
	}
	for _, r := range rows {
		in := perfdata.TreeInstance{Name: r.name}
		in.UniqueID = -1
		for i, v := range r.values {
			kind := perfdata.Uint64
			if o.counters[i].size() == 4 {
				kind = perfdata.Uint32
			}
			in.Values = append(in.Values, perfdata.TreeValue{Kind: kind, Uint: v})
		}
		t.Instances = append(t.Instances, in)
	}
	tree.Objects = []perfdata.TreeObject{t}
	if err := tree.Layout(); err != nil {
		panic(err)
	}
	return blgwriter.Series{Kind: blg.Object, Body: must(tree.AppendBinary(nil))}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
