package formats

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/ipcblock/aspnet"
	"github.com/perfdump/perfdump/pdhpath"
)

var (
	aspNet2 = aspNetFormat(detect.ASPNet2, aspnet.V20)
	aspNet4 = aspNetFormat(detect.ASPNet4, aspnet.V4x)
)

func aspNetFormat(name detect.Format, v aspnet.Version) Format {
	return Format{Name: name, Bytes: hexview.ASPNet(v), Facts: aspNetFacts, Check: checkASPNet, Values: true, ValueTable: vectorTable, Document: vectorDocument, Look: lookVector(v)}
}

// CodeAllZero is the code of the finding that a vector has no counter but zeros.
const CodeAllZero perfdump.Code = "all-zero"

func aspNetFacts(s *Summary, in *detect.Input, _ capture.Options) {
	x, err := parseVector(in)
	if err != nil {
		s.fail(err)
		return
	}
	zeros := 0
	for i := range x.Len() {
		if x.Uint32(i) == 0 {
			zeros++
		}
	}
	s.key("vector", struct {
		Version  string `json:"version"`
		Counters int    `json:"counters"`
		Zeros    int    `json:"zeros"`
	}{x.Version().String(), x.Len(), zeros})
	s.line("version", x.Version().String())
	text := fmt.Sprintf("%d, %d of them 0", x.Len(), zeros)
	if zeros == x.Len() {
		text += ": this is also what a collector writes for a worker that it could not read"
	}
	s.line("counters", text)
}

func checkASPNet(c *checker, in *detect.Input, _ capture.Options) {
	x, err := parseVector(in)
	switch {
	case err != nil:
		c.fail(err)
	case x.Zero():
		c.find(Finding{
			Code: CodeAllZero, Severity: SeverityNote,
			Message: "all counters are 0: this is also what a collector writes for a worker that it could not read, or of another version",
		})
	}
}

func parseVector(in *detect.Input) (*aspnet.Vector, error) {
	_, name, _ := strings.Cut(string(in.Format), ":")
	version, err := aspnet.ParseVersion(name)
	if err != nil {
		return nil, err
	}
	return aspnet.Parse(in.Data, version)
}

// chosen returns what the paths choose of the counters of ASP.NET, nil for all.
func (o *Dump) chosen() func(*aspnet.Counter) bool {
	patterns := o.Patterns()
	if len(patterns) == 0 {
		return nil
	}
	return func(c *aspnet.Counter) bool {
		object, counter := c.Scope.Object(), c.Label()
		return slices.ContainsFunc(patterns, func(p *pdhpath.Pattern) bool { return p.MatchObject(object) && p.MatchCounter(counter) })
	}
}

// vectorTable writes a vector of ASP.NET's counters for people.
func vectorTable(w *export.Table, in *detect.Input, o *Dump) error {
	x, err := parseVector(in)
	if err != nil {
		return err
	}
	s := newBlockSheet(w, o)
	s.vector(x, in.Name, o.chosen())
	o.Shown(o.shows(x))
	return s.Flush()
}

// shows reports whether the paths choose a counter of a vector.
func (o *Dump) shows(x *aspnet.Vector) bool {
	show := o.chosen()
	for c := range x.Values() {
		if show == nil || show(c) {
			return true
		}
	}
	return false
}

// lookVector returns the Look of vectors of a version, whose counters are those of the
// version.
func lookVector(v aspnet.Version) func(Choices, []string) {
	return func(c Choices, paths []string) {
		all := aspnet.Counters(v)
		for i := range all {
			c.LookItem(all[i].Scope.Object(), all[i].Label(), paths)
		}
	}
}

func vectorDocument(out io.Writer, in *detect.Input, o *Documents) error {
	x, err := parseVector(in)
	if err != nil {
		return err
	}
	o.look(func() bool { return o.shows(x) }, lookVector(x.Version()))
	return document.WriteASPNet(out, in.Name, x, o.Document)
}
