package page

import (
	"cmp"
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/reference"
)

// Input is a file of the page.
type Input struct {
	Name   string
	Format string
	Packed string // gzip or zstd, "" for neither
	Size   int64  // unpacked
}

type input struct {
	Input
	Errors, Anomalies, Notes int
}

// AddInput adds a file.
func (p *Page) AddInput(in Input) { p.inputs = append(p.inputs, &input{Input: in}) }

// maxPlaces is how many findings of a code have their places listed.
const maxPlaces = 200

// codeFindings are the findings of one code and severity.
type codeFindings struct {
	Code     perfdump.Code
	Severity formats.Severity
	Text     string // what the code means
	Advice   string
	Count    int
	Places   []place
	More     int // findings that have no place in the list
}

type place struct {
	File string
	formats.Finding
}

// AddFinding adds the errors and anomalies of a file.
func (p *Page) AddFinding(file string, f formats.Finding) {
	n, format := max(1, f.Count), ""
	if in := p.input(file); in != nil {
		format = in.Format
		switch f.Severity {
		case formats.SeverityError:
			in.Errors += n
		case formats.SeverityWarning:
			in.Anomalies += n
		case formats.SeverityNote:
			in.Notes += n
		}
	}
	p.find(file, format, f)
}

// AddRemark adds an anomaly between two snapshots.
func (p *Page) AddRemark(r capture.Remark) {
	if in := p.input(r.Source); in != nil {
		in.Notes++
	}
	p.find(r.Source, "cook", formats.Finding{Code: r.Code, Offset: -1, Message: r.Text, Severity: formats.SeverityNote})
}

func (p *Page) input(name string) *input {
	if i := slices.IndexFunc(p.inputs, func(in *input) bool { return in.Name == name }); i >= 0 {
		return p.inputs[i]
	}
	return nil
}

func (p *Page) find(file, format string, f formats.Finding) {
	i := slices.IndexFunc(p.codes, func(c *codeFindings) bool { return c.Code == f.Code && c.Severity == f.Severity })
	if i < 0 {
		c := &codeFindings{Code: f.Code, Severity: f.Severity}
		c.Text, c.Advice = meaning(f, format)
		i, p.codes = len(p.codes), append(p.codes, c)
	}
	c := p.codes[i]
	c.Count += max(1, f.Count)
	if len(c.Places) < maxPlaces && f.Count == 0 {
		c.Places = append(c.Places, place{file, f})
	}
	c.More = c.Count - len(c.Places)
}

// meaning returns what explain says of a code of this toolkit, that of the
// format where several have it.
func meaning(f formats.Finding, format string) (text, advice string) {
	for _, reading := range reference.Words(string(f.Code))[0].Readings {
		for _, m := range reading.Meanings {
			if m.Name != string(f.Code) || m.Source != reference.Anomaly && m.Source != reference.Error {
				continue
			}
			of, rest, cut := strings.Cut(m.Text, ": ")
			if cut && of == format {
				return rest, m.Advice
			}
			if text == "" {
				text, advice = m.Text, m.Advice
			}
		}
	}
	return text, advice
}

var ranks = map[formats.Severity]int{formats.SeverityError: 0, formats.SeverityWarning: 1, formats.SeverityNote: 2}

// findings returns the findings by code, the worst first.
func (p *Page) findings() []*codeFindings {
	all := slices.Clone(p.codes)
	slices.SortStableFunc(all, func(a, b *codeFindings) int { return cmp.Compare(ranks[a.Severity], ranks[b.Severity]) })
	return all
}
