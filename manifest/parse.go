package manifest

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/textlines"
)

// What a manifest may have. Those of Windows itself are a tenth of it.
const (
	maxSize     = 2 << 20
	maxElements = 1 << 16
	maxDepth    = 64
)

// Parse reads a manifest. It copies what it keeps of b.
//
// The errors are ErrEmpty, ErrBigEndian, ErrLimit for what is above the limits
// of the package, ErrSyntax for XML that is none or has a document type,
// ErrSignature where the root is neither an instrumentationManifest nor an assembly,
// which Windows' own components have around it, and in strict mode
// the first anomaly. Salvage mode is as tolerant.
func Parse(b []byte, o perfdump.Options) (*Manifest, error) {
	switch {
	case len(b) == 0:
		return nil, perfdump.NewError(perfdump.CodeEmpty, 0, perfdump.Path{}, "no bytes")
	case len(b) > maxSize:
		return nil, perfdump.NewError(perfdump.CodeLimit, -1, perfdump.Path{}, "the manifest has 0x%x bytes; the limit is 0x%x", len(b), maxSize)
	}
	enc, err := textlines.Sniff(b, 0)
	if err != nil {
		return nil, err
	}
	if enc.ASCII(b) {
		enc = textlines.UTF8(false) // the default of XML
	}
	var buf []byte
	text := enc.Decode(&buf, b[len(enc.BOM()):])
	m := &Manifest{encoding: enc.Name()}
	m.anomalies.Reset(o.Limits.MaxAnomalies())
	p := &parser{m: m, enc: enc, text: text, off: int64(len(enc.BOM())), line: 1}
	if err := p.run(); err != nil {
		return nil, err
	}
	p.resolve()
	p.check()
	if o.Mode == perfdump.Strict && m.anomalies.Len() > 0 {
		return nil, m.anomalies.Kept()[0].Err()
	}
	return m, nil
}

// parser takes the elements of a manifest.
type parser struct {
	m     *Manifest
	enc   textlines.Encoding
	text  []byte // in UTF-8
	d     *xml.Decoder
	path  []string // of the elements that are open
	count int

	// How far the place of what is at hand was found: in the text, in the
	// file, and the number of its line.
	at   int
	off  int64
	line int

	places []int64 // of all providers, sets and counters, in their order

	culture string            // of the string table that is open
	strings map[string]string // of English if it has one, else of the first culture
	table   string            // whose culture that is
	english bool              // it is English
}

func (p *parser) run() error {
	p.d = xml.NewDecoder(bytes.NewReader(p.text))
	// The text is UTF-8 already, no matter what its first line says.
	p.d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	for {
		p.move(p.d.InputOffset())
		token, err := p.d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return p.failed(err)
		}
		switch t := token.(type) {
		case xml.Directive:
			return perfdump.NewError(perfdump.CodeSyntax, p.off, perfdump.Path{}, "line %d: a document type, which a manifest must not have", p.line)
		case xml.StartElement:
			if err := p.start(&t); err != nil {
				return err
			}
		case xml.EndElement:
			p.path = p.path[:len(p.path)-1]
		default:
		}
	}
	if p.count == 0 {
		return perfdump.NewError(perfdump.CodeSignature, 0, perfdump.Path{}, "no element; an instrumentationManifest is expected")
	}
	return nil
}

// move finds the place in the file of an offset in the text, which follows the
// last one.
func (p *parser) move(to int64) {
	part := p.text[p.at:min(max(int(to), p.at), len(p.text))]
	p.at += len(part)
	p.line += bytes.Count(part, []byte("\n"))
	switch {
	case p.enc.IsUTF8():
		p.off += int64(len(part))
	case p.enc.IsUTF16():
		p.off += int64(2 * len(utf16.Encode([]rune(string(part)))))
	default: // windows-1252, a byte a character
		p.off += int64(utf8.RuneCount(part))
	}
}

func (p *parser) failed(err error) error {
	text := err.Error()
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		text = syntax.Msg
	}
	p.move(p.d.InputOffset())
	return perfdump.NewError(perfdump.CodeSyntax, p.off, perfdump.Path{}, "line %d: %s", p.line, text)
}

func (p *parser) start(t *xml.StartElement) error {
	name := t.Name.Local
	switch p.count++; {
	case p.count == 1 && name != "instrumentationManifest" && name != "assembly":
		return perfdump.NewError(perfdump.CodeSignature, p.off, perfdump.Path{}, "the root element is %q; instrumentationManifest or assembly is expected", name[:min(len(name), 60)])
	case p.count > maxElements:
		return perfdump.NewError(perfdump.CodeLimit, p.off, perfdump.Path{}, "more than %d elements", maxElements)
	case len(p.path) >= maxDepth:
		return perfdump.NewError(perfdump.CodeLimit, p.off, perfdump.Path{}, "elements are nested more than %d deep", maxDepth)
	}
	above := ""
	if len(p.path) > 0 {
		above = p.path[len(p.path)-1]
	}
	p.path = append(p.path, name)
	a := attributes(t.Attr)
	providers := p.m.Providers
	switch {
	case name == "counters" && above == "instrumentation":
		p.m.SchemaVersion = a.get("schemaVersion")
	case name == "provider" && above == "counters":
		p.m.Providers = append(providers, Provider{
			Name: a.or("providerName", "Counters"), GUID: a.get("providerGuid"), Application: a.get("applicationIdentity"),
			Type: a.get("providerType"), Symbol: a.get("symbol"), Callback: a.get("callback"), Line: p.line,
		})
		p.places = append(p.places, p.off)
	case name == "counterSet" && above == "provider" && len(providers) > 0:
		last := &providers[len(providers)-1]
		last.CounterSets = append(last.CounterSets, CounterSet{
			GUID: a.get("guid"), URI: a.get("uri"), Name: a.get("name"), Description: a.get("description"), Symbol: a.get("symbol"),
			Instances: a.get("instances"), Line: p.line,
		})
		p.places = append(p.places, p.off)
	case name == "counter" && above == "counterSet":
		if s := p.set(); s != nil {
			s.Counters = append(s.Counters, counter(a, p.line))
			p.places = append(p.places, p.off)
		}
	case name == "resources":
		p.culture = a.get("culture")
	case name == "string" && above == "stringTable":
		p.localized(a)
	case name == "counterAttribute" && above == "counterAttributes":
		if s := p.set(); s != nil && len(s.Counters) > 0 {
			last := &s.Counters[len(s.Counters)-1]
			last.Attributes = append(last.Attributes, a.get("name"))
		}
	}
	return nil
}

// localized adds a string of a string table. The English strings are used, or those of the
// first culture.
func (p *parser) localized(a attributes) {
	english := strings.HasPrefix(strings.ToLower(p.culture), "en")
	if p.strings == nil || english && !p.english {
		p.strings, p.english, p.table = map[string]string{}, english, p.culture
	}
	if p.culture == p.table {
		p.strings[a.get("id")] = a.get("value")
	}
}

// resolve replaces names and descriptions of the form $(string.ID) by the strings. A string
// that is in no table is kept as it is: its table may be in another file.
func (p *parser) resolve() {
	put := func(texts ...*string) {
		for _, text := range texts {
			id, isString := strings.CutPrefix(*text, "$(string.")
			id, closed := strings.CutSuffix(id, ")")
			if value, ok := p.strings[id]; ok && isString && closed {
				*text = value
			}
		}
	}
	for i := range p.m.Providers {
		v := &p.m.Providers[i]
		put(&v.Name)
		for j := range v.CounterSets {
			s := &v.CounterSets[j]
			put(&s.Name, &s.Description)
			for k := range s.Counters {
				put(&s.Counters[k].Name, &s.Counters[k].Description)
			}
		}
	}
}

// set returns the counter set that is open, or was last.
func (p *parser) set() *CounterSet {
	if n := len(p.m.Providers); n > 0 {
		if sets := p.m.Providers[n-1].CounterSets; len(sets) > 0 {
			return &sets[len(sets)-1]
		}
	}
	return nil
}

func counter(a attributes, line int) Counter {
	c := Counter{
		URI: a.get("uri"), Name: a.get("name"), Description: a.get("description"), Symbol: a.get("symbol"),
		TypeName: a.get("type"), DetailLevel: a.get("detailLevel"), Aggregate: a.get("aggregate"), Scale: a.get("defaultScale"),
		Struct: a.get("struct"), Field: a.get("field"), Line: line,
		Base: a.reference("baseID"), PerfTime: a.reference("perfTimeID"), PerfFreq: a.reference("perfFreqID"), MultiCounter: a.reference("multiCounterID"),
	}
	c.ID = a.reference("id").ID
	if strings.HasPrefix(strings.ToLower(c.TypeName), "perf_") {
		t, err := countertypes.Parse(c.TypeName)
		c.Type, c.Known = t, err == nil
	}
	return c
}

type attributes []xml.Attr

func (a attributes) get(name string) string { return a.or(name, "") }

func (a attributes) or(name, otherwise string) string {
	for i := range a {
		if a[i].Name.Local == name && a[i].Name.Space == "" {
			return strings.TrimSpace(a[i].Value)
		}
	}
	return otherwise
}

func (a attributes) reference(name string) Reference {
	s := a.get(name)
	n, err := strconv.ParseUint(s, 0, 32)
	if err != nil {
		return Reference{Given: s != ""}
	}
	return Reference{uint32(n), true}
}
