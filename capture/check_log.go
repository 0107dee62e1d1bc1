package capture

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/checkmk"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/pdhcsv"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/perflib2"
)

// CodeLost is the code of the notes that sum up what of a log could not be read; the
// anomalies say where.
const CodeLost perfdump.Code = "lost"

// checkLog tells of a log what blg found in it, what was lost, and what is
// wrong or odd in its embedded blocks. Each of them is decoded once.
func checkLog(in *detect.Input, o Options, yield func(Finding) bool) {
	strict := o.Mode == perfdump.Strict
	if strict {
		o.Mode = perfdump.Tolerant
	}
	f, err := blg.NewFile(in.At, in.Size(), o.blg())
	if err != nil {
		yieldError(err, yield)
		return
	}
	if !yieldAnomalies(f.Anomalies(), strict, yield) {
		return
	}
	for reason, n := range f.Lost().All() {
		if !yield(lostFinding(reason, n)) {
			return
		}
	}
	c := embedded{o: o.perfdata(), limit: o.Limits.MaxAnomalies(), strict: strict, yield: yield}
	for rec, err := range f.Records() {
		if err != nil {
			yieldError(err, yield)
			return
		}
		if !c.record(rec) {
			return
		}
	}
	c.end()
}

func lostFinding(reason blg.Reason, n int64) Finding {
	return Finding{Code: CodeLost, Offset: -1, Path: "lost." + reason.String(), Message: fmt.Sprintf("%d in all", n), Severity: SeverityNote}
}

// embedded checks the blocks of the whole objects of a log.
type embedded struct {
	o        perfdata.Options
	decoders []*perfdata.Decoder // of each item
	sets     perflib2.Decoder
	limit    int
	strict   bool
	told     int
	more     map[perfdump.Code]int // what is beyond the limit
	failed   map[perfdump.Code]int
	yield    func(Finding) bool
}

func (c *embedded) record(rec *blg.Record) bool {
	for i, s := range rec.All() {
		if s.Kind == blg.CounterSet && !c.set(s) {
			return false
		}
		if s.Kind != blg.Object {
			continue
		}
		for i >= len(c.decoders) {
			c.decoders = append(c.decoders, &perfdata.Decoder{Options: c.o})
		}
		if !c.block(c.decoders[i], s) {
			return false
		}
	}
	return true
}

// placed tells of a finding in the block of a series, with offsets of the file.
func (c *embedded) placed(s *blg.Series) func(Finding) bool {
	return func(f Finding) bool {
		if c.told++; c.told > c.limit || f.Count > 0 {
			c.skip(f)
			return true
		}
		if f.Offset >= 0 {
			f.Offset = s.FileOffset(int(f.Offset))
		}
		f.Path = embeddedPath(s, f.Path)
		return c.yield(f)
	}
}

// block tells of one block.
func (c *embedded) block(d *perfdata.Decoder, s *blg.Series) bool {
	b, err := d.Decode(s.BlockBytes())
	if err != nil {
		return yieldError(err, c.placed(s))
	}
	return yieldBlock(b, c.strict, c.placed(s))
}

// set tells of one counter set.
func (c *embedded) set(s *blg.Series) bool {
	c.sets.Options = perflib2.Options{Mode: c.o.Mode, Limits: c.o.Limits}
	b, err := c.sets.Decode(s.BlockBytes())
	if err != nil {
		return yieldError(err, c.placed(s))
	}
	for _, fault := range b.Faults() {
		if !yieldError(fault, c.placed(s)) {
			return false
		}
	}
	return yieldAnomalies(b.Anomalies(), c.strict, c.placed(s))
}

func (c *embedded) skip(f Finding) {
	to := &c.more
	if f.Severity == SeverityError && !c.strict {
		to = &c.failed
	}
	if *to == nil {
		*to = map[perfdump.Code]int{}
	}
	(*to)[f.Code] += max(1, f.Count)
}

// end counts what was not told.
func (c *embedded) end() {
	severity := SeverityWarning
	if c.strict {
		severity = SeverityError
	}
	for _, of := range []struct {
		counts   map[perfdump.Code]int
		severity Severity
	}{{c.failed, SeverityError}, {c.more, severity}} {
		for _, code := range slices.Sorted(maps.Keys(of.counts)) {
			if !c.yield(Finding{Code: code, Offset: -1, Message: "more of the same kind, not kept", Severity: of.severity, Count: of.counts[code]}) {
				return
			}
		}
	}
}

func embeddedPath(s *blg.Series, path string) string {
	at := s.Path().String()
	if path == "" {
		return at
	}
	return at + "." + path
}

// placeEmbedded returns an error of a block with its path and its offset in the
// log.
func placeEmbedded(s *blg.Series, err error) error {
	var fe *perfdump.FormatError
	if !errors.As(err, &fe) {
		return err
	}
	at := *fe
	at.Path = embeddedPath(s, fe.Path)
	if fe.Off >= 0 {
		at.Off = s.FileOffset(int(fe.Off))
	}
	return &at
}

// checkRows tells of a PDH-CSV or PDH-TSV.
func checkRows(in *detect.Input, o Options, yield func(Finding) bool) {
	strict := o.Mode == perfdump.Strict
	if strict {
		o.Mode = perfdump.Tolerant
	}
	r, err := pdhcsv.NewReader(io.NewSectionReader(in.At, 0, in.Size()), o.pdhcsv())
	if err != nil {
		yieldError(err, yield)
		return
	}
	for _, err := range r.Rows() { // which keeps what is odd
		if err != nil && !yieldError(err, yield) {
			return
		}
	}
	yieldAnomalies(r.Anomalies(), strict, yield)
}

// checkSections tells of the output of agents.
func checkSections(b []byte, o Options, yield func(Finding) bool) {
	strict := o.Mode == perfdump.Strict
	if strict {
		o.Mode = perfdump.Tolerant
	}
	r := checkmk.NewReader(bytes.NewReader(b), o.checkmk())
	for _, err := range r.Sections() { // which keeps what is odd
		if err != nil && !yieldError(err, yield) {
			return
		}
	}
	yieldAnomalies(r.Anomalies(), strict, yield)
}
