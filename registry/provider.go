package registry

import (
	"strconv"
	"strings"
	"time"
)

// Provider is a service that registers counters: Services\<name>\Performance. A
// value that is missing is nil; the Type of one says whether it is as expected.
type Provider struct {
	Service     string // the name of its key
	Performance *Key
	Linkage     *Key // nil where there is none
	Names       *Key // of ASP.NET: a value for each worker that runs; nil where there is none
}

// Value returns a value of the Performance key, or nil.
func (p *Provider) Value(name string) *Value { return p.Performance.Value(name) }

// Uint32 returns a number of the Performance key; ok is false if it is missing or not a
// DWORD.
func (p *Provider) Uint32(name string) (n uint32, ok bool) { return p.Value(name).Uint32() }

// Text returns a text of the Performance key, "" if it is missing or not a text.
func (p *Provider) Text(name string) string {
	s, _ := p.Value(name).Text()
	return s
}

// Disabled returns for whom the counters are disabled: 0 for nobody, 1 for all, 2 for
// 32-bit consumers, 4 for 64-bit consumers.
func (p *Provider) Disabled() uint32 {
	n, _ := p.Uint32(DisableCounters)
	return n
}

// ObjectListValue returns the list of objects in either spelling, nil if there
// is none.
func (p *Provider) ObjectListValue() *Value {
	if v := p.Value(ObjectList); v != nil {
		return v
	}
	return p.Value(objectListJoined)
}

// ObjectList returns the title indexes of the objects, and the words of the list that are
// not indexes.
func (p *Provider) ObjectList() (indexes []uint32, others []string) {
	text, _ := p.ObjectListValue().Text()
	for word := range strings.FieldsSeq(text) {
		if n, err := strconv.ParseUint(word, 10, 32); err == nil {
			indexes = append(indexes, uint32(n))
		} else {
			others = append(others, word)
		}
	}
	return indexes, others
}

// Export returns the value that is passed to Open: a REG_MULTI_SZ, or a REG_SZ as one
// member. A value of another type is not passed to Open and not returned.
func (p *Provider) Export() []string {
	v := p.Linkage.Value(Export)
	if all, ok := v.Strings(); ok {
		return all
	}
	if s, ok := v.Text(); ok {
		return []string{s}
	}
	return nil
}

// List returns a list of a .NET category, Counter Names or Counter Types, as
// [Value.List] does. The types are decimal numbers as text.
func (p *Provider) List(name string) []string {
	all, _ := p.Value(name).List()
	return all
}

// Stamp is the time of the last error of a kind that the loader of counters
// found in a provider.
type Stamp struct {
	Event uint32 // of the source Perflib: 1008, 1014 …
	Time  time.Time
	Value *Value
}

// Stamps returns the values of the Performance key whose names are numbers of
// events, in their order.
func (p *Provider) Stamps() []Stamp {
	var all []Stamp
	for i := range p.Performance.Values {
		v := &p.Performance.Values[i]
		n, err := strconv.ParseUint(v.Name, 10, 16)
		if t, ok := v.Time(); ok && err == nil {
			all = append(all, Stamp{Event: uint32(n), Time: t, Value: v})
		}
	}
	return all
}

// Perflib is the key of the table of names.
type Perflib struct {
	*Key
	Languages []Language
}

// Language is a language of the table of names. Its values Counter and Help have the bytes
// that titles.Parse reads. A hive has at most the key, marked as Predefined.
type Language struct {
	ID string // 009, 00C, 0804
	*Key
}

// NewLanguage returns a language whose key, still without values, has the path used by
// Windows, for [AppendReg].
func NewLanguage(id string) Language {
	id = strings.ToUpper(id)
	key := NewKey(`HKEY_LOCAL_MACHINE\SOFTWARE\` + perflibKey + `\` + id)
	return Language{ID: id, Key: &key}
}

func isLanguage(name string) bool {
	if len(name) != 3 && len(name) != 4 {
		return false
	}
	_, err := strconv.ParseUint(name, 16, 16)
	return err == nil
}

// The names of the known values of a Performance key.
const (
	FirstCounter         = "First Counter"
	LastCounter          = "Last Counter"
	FirstHelp            = "First Help"
	LastHelp             = "Last Help"
	ObjectList           = "Object List"
	objectListJoined     = "ObjectList" // as some services spell it
	Library              = "Library"
	Open                 = "Open"
	Collect              = "Collect"
	Close                = "Close"
	ValidationCode       = "Library Validation Code"
	OpenTimeout          = "Open Timeout"
	CollectTimeout       = "Collect Timeout"
	OpenTimeoutJoined    = "OpenTimeout" // a mistake that has no effect
	CollectTimeoutJoined = "CollectTimeout"
	DisableCounters      = "Disable Performance Counters" // in Perflib too
	PerfIniFile          = "PerfIniFile"
	CounterNames         = "Counter Names"
	CounterTypes         = "Counter Types"
)

// The names of the values of Perflib.
const (
	BaseIndex             = "Base Index" // in addition to LastCounter and LastHelp
	OpenProcedureWaitTime = "OpenProcedureWaitTime"
)

// Export is the value of a Linkage key that is passed to Open.
const Export = "Export"
