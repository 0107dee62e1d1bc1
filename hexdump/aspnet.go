package hexdump

import (
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/ipcblock/aspnet"
)

// vector is the document of a vector of ASP.NET's counters.
type vector struct {
	plain
	vector *aspnet.Vector
	names  []string // in perfmon, by index
}

// ASPNet returns the document of a vector of ASP.NET's counters.
func ASPNet(b []byte, v aspnet.Version) Document {
	x, err := aspnet.Parse(b, v)
	if err != nil {
		return newRaw(b, err, err.Error())
	}
	d := &vector{plain: plain{bytes: b, levels: perfdump.Levels{"counter"}}, vector: x, names: make([]string, x.Len())}
	for c := range x.Values() {
		if d.names[c.Index] != "" && c.Name != "" {
			d.names[c.Index] += ", "
		}
		d.names[c.Index] += c.Name
	}
	return d
}

func (d *vector) Spans() iter.Seq[perfdump.Span] { return d.vector.Spans() }

func (d *vector) AppendComment(dst []byte, s *perfdump.Span, _ []byte) []byte {
	return append(dst, d.names[s.Off/4]...)
}
