package document

import (
	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/titles"
)

// Names finds the name of a title index: a [titles.Names] does.
type Names interface {
	Lookup(index uint32) (name string, ok bool)
}

// Options says what a document has in addition to the content of the bytes. The zero
// Options names by the built-in table and leaves nothing out.
type Options struct {
	// Names names objects and counters; nil is the built-in table.
	Names Names
	// Mode is how the input was read. Documents of salvage mode are partial.
	Mode perfdump.Mode
	// Limits bounds the anomalies of a document.
	Limits perfdump.Limits
	// Counters chooses what is written: the counters and instances that one
	// of the patterns is for, and the objects that have any. nil is all. A
	// document made with patterns is partial and has no gaps.
	Counters []*pdhpath.Pattern
	// Query chooses objects as [perfdata.Query] does; a nil Query all. A
	// document made with one is partial and has no gaps.
	Query *perfdata.Query
	// Language is that of a table of names: "009". The default is that of a
	// file name such as perfc007.dat, else [DefaultLanguage].
	Language string
	// Kind is what the names of a table are for; nil is by the file name, else
	// by the parity of the indexes.
	Kind *titles.Kind
}

// named is the names of an object and of a counter of it.
type named struct{ object, counter string }

// translator is what Names may also implement.
type translator interface {
	English(object string, objectIndex uint32, counter string, counterIndex uint32) (string, string)
}

// both returns the names by which the patterns may ask for a counter: those of the
// document, and the English ones where Names knows others.
func (o *Options) both(object string, objectIndex uint32, counter string, counterIndex uint32) []named {
	all := []named{{object, counter}}
	if t, ok := o.Names.(translator); ok {
		object, counter = t.English(object, objectIndex, counter, counterIndex)
		if other := (named{object, counter}); other != all[0] {
			all = append(all, other)
		}
	}
	return all
}

func (o *Options) partial() bool {
	return o.Mode == perfdump.Salvage || o.Counters != nil || o.Query != nil
}

func (o *Options) names() Names {
	if o.Names == nil {
		return titles.NewNames()
	}
	return o.Names
}
