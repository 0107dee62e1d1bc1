package info

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
)

type printer struct {
	w     io.Writer
	width int
	color bool
	tty   bool
	zone  *time.Location // of times, nil for the recorder's
	err   error
}

func (p *printer) line(s string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.w, strings.TrimRight(s, " ")+"\n")
	}
}

const clock = "2006-01-02 15:04:05.000"

// inUTC is the offset of what has its times in UTC alone.
var inUTC = capture.Offset{Known: true}

// list tells of one file, a fact a line.
func (p *printer) list(s *capture.Summary) {
	style := cell.Style{On: p.color}
	fact := func(name, value string) {
		p.line("  " + style.Dim(fmt.Sprintf("%-10s", name)) + "  " + value)
	}
	p.line(style.Bold(cell.Clean(cmdutil.FileName(s.File))))
	format := string(s.Format)
	if s.Packed != "" {
		format += ", packed by " + s.Packed
	}
	fact("format", format)
	fact("size", bytesText(s.Size))
	if c := s.Capture; c != nil && (c.Version > 0 || s.Format == detect.PerfLib2) {
		fact("machine", orUnknown(cell.Clean(c.Host)))
		fact("time", p.span(c.Start, inUTC, c.End, inUTC))
		if c.Version > 0 {
			fact("version", fmt.Sprintf("%d.%d", c.Version, c.Revision))
		}
		fact("clock", fmt.Sprintf("%s ticks a second", grouped(c.Frequency)))
	}
	if c := s.Capture; c != nil && c.Snapshots > 0 {
		if c.Snapshots > 1 {
			fact("blocks", grouped(int64(c.Snapshots)))
		}
		fact("objects", p.objects(c))
		fact("instances", grouped(int64(c.Instances)))
		fact("counters", fmt.Sprintf("%s, %s in all", grouped(int64(c.Counters)), count(c.Values, "value")))
	}
	p.titles(s, fact)
	p.blocks(s.Blocks, fact)
	p.image(s.Image, fact)
	p.vector(s.Vector, fact)
	p.backup(s.Backup, fact)
	p.facts(s.Facts, fact)
	p.log(s, fact)
	if text := s.Format.Foreign(); text != "" {
		fact("holds", text)
		return
	}
	if n := len(s.Errors); n > 0 {
		fact("errors", style.Red(fmt.Sprintf("%d, the first: %s", n, cell.Clean(s.Errors[0].Error()))))
	}
	if len(s.Errors) == 0 || len(s.Anomalies) > 0 {
		fact("anomalies", p.anomalies(s, style))
	}
}

func (p *printer) objects(c *capture.CaptureSummary) string {
	text := grouped(int64(c.Objects))
	if len(c.ObjectNames) == 0 || c.Snapshots > 1 {
		return text
	}
	const indent = 14
	var names []string
	for _, name := range c.ObjectNames {
		names = append(names, strings.ReplaceAll(cell.Cut(cell.Clean(name), 60), " ", "\u00a0"))
	}
	lines := cell.Wrap(text+": "+strings.Join(names, ", "), max(p.width-indent, 40))
	const maxLines = 8
	if len(lines) > maxLines {
		lines = append(lines[:maxLines], "…")
	}
	return strings.Join(lines, "\n"+strings.Repeat(" ", indent))
}

func (p *printer) anomalies(s *capture.Summary, style cell.Style) string {
	total := 0
	var parts []string
	for _, a := range s.Anomalies {
		total += a.Count
		parts = append(parts, fmt.Sprintf("%s %d", a.Code, a.Count))
	}
	if total == 0 {
		return style.Green("none")
	}
	return style.Amber(grouped(int64(total))) + ": " + strings.Join(parts, ", ")
}

// span writes from when to when something goes, and the offsets of its clock
// then.
func (p *printer) span(start time.Time, at capture.Offset, end time.Time, then capture.Offset) string {
	switch {
	case start.IsZero():
		return "unknown"
	case start.Equal(end):
		return at.Format(start, p.zone, clock)
	default:
		far := "more than 292 years"
		if d, ok := capture.Between(start, end); ok {
			far = d.String()
		}
		return at.Format(start, p.zone, clock) + " to " + then.Format(end, p.zone, clock) + " (" + far + ")"
	}
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return grouped(int64(n)) + " " + what + "s"
}

func bytesText(n int64) string {
	text := grouped(n) + " bytes"
	switch {
	case n >= 10<<20:
		text += fmt.Sprintf(" (%d MiB)", n>>20)
	case n >= 10<<10:
		text += fmt.Sprintf(" (%d KiB)", n>>10)
	}
	return text
}

// grouped writes n with a comma between groups of three digits.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// table tells of several files, a line each.
func (p *printer) table(all []*capture.Summary) {
	style := cell.Style{On: p.color}
	head := []string{"file", "format", "bytes", "machine", "time", "objects", "instances", "counters", "anomalies"}
	right := []bool{false, false, true, false, false, true, true, true, true}
	rows := make([][]string, 0, len(all))
	for _, s := range all {
		rows = append(rows, p.row(s))
	}
	widths := make([]int, len(head))
	for i, h := range head {
		widths[i] = len(h)
		for _, r := range rows {
			widths[i] = max(widths[i], cell.Width(r[i]))
		}
	}
	p.fit(widths)
	p.line(p.cells(head, widths, right, style.Bold))
	for i, r := range rows {
		paint := func(s string) string { return s }
		if len(all[i].Errors) > 0 {
			paint = style.Red
		}
		p.line(p.cells(r, widths, right, paint))
	}
}

func (p *printer) row(s *capture.Summary) []string {
	r := []string{cell.Clean(cmdutil.FileName(s.File)), string(s.Format), "", "", "", "", "", "", ""}
	n := 0
	for _, a := range s.Anomalies {
		n += a.Count
	}
	r[2], r[8] = strconv.FormatInt(s.Size, 10), strconv.Itoa(n)
	if s.Format.Foreign() != "" {
		r[3], r[8] = "(not read)", ""
	}
	if len(s.Errors) > 0 {
		r[8] = "broken"
	}
	if c := s.Capture; c != nil {
		r[3] = cell.Clean(c.Host)
		if !c.Start.IsZero() {
			r[4] = inUTC.Format(c.Start, p.zone, time.DateTime)
		}
	}
	if c := s.Capture; c != nil && c.Snapshots > 0 {
		r[5], r[6], r[7] = strconv.Itoa(c.Objects), strconv.Itoa(c.Instances), strconv.Itoa(c.Counters)
	}
	if t := s.Titles; t != nil {
		r[3] = fmt.Sprintf("(%d %s names)", t.Entries, t.Kind)
	}
	if b := s.Backup; b != nil {
		r[3] = fmt.Sprintf("(%s, %s)", count(b.Providers, "provider"), count(len(b.Languages), "language"))
	}
	if s.Facts != nil {
		r[3] = briefly(s)
	}
	if b := s.Blocks; b != nil {
		r[3] = fmt.Sprintf("(%s, %d live)", b.Layout, b.Live())
	}
	if l := s.Log; l != nil {
		r[3] = cell.Clean(strings.Join(l.Machines[:min(len(l.Machines), 2)], ", "))
		if !l.Start.IsZero() {
			r[4] = l.Offset.Format(l.Start, p.zone, time.DateTime)
		}
	}
	if m := s.Image; m != nil {
		r[3] = "(" + count(len(m.Tables), "table") + ")"
		if !m.Time.IsZero() {
			r[4] = inUTC.Format(m.Time, p.zone, time.DateTime)
		}
	}
	return r
}

// fit makes a table of the given widths fit a terminal: it leaves out columns,
// whose widths become 0, then makes the machines and the names narrower. A
// pipe gets everything.
func (p *printer) fit(widths []int) {
	if !p.tty {
		return
	}
	total := -2
	for _, w := range widths {
		total += w + 2
	}
	for _, i := range []int{7, 2, 6, 1} {
		if total-max(0, widths[3]-16)-max(0, widths[0]-24) > p.width {
			total -= widths[i] + 2
			widths[i] = 0
		}
	}
	for _, i := range []int{3, 0} {
		less := max(0, min(total-p.width, widths[i]-8))
		widths[i] -= less
		total -= less
	}
}

func (p *printer) cells(r []string, widths []int, right []bool, paint func(string) string) string {
	var line []byte
	for i, text := range r {
		if widths[i] == 0 {
			continue
		}
		if i > 0 {
			line = append(line, "  "...)
		}
		if p.tty {
			text = cell.Cut(text, widths[i])
		}
		w := cell.Width(text)
		if right[i] {
			line = cell.PadRight(line, w, widths[i])
		}
		line = append(line, paint(text)...)
		if !right[i] {
			line = cell.PadRight(line, w, widths[i])
		}
	}
	return string(line)
}

// document is a summary in JSON.
type document struct {
	File   string  `json:"file"`
	Format string  `json:"format"`
	Size   int64   `json:"size"`
	Packed *string `json:"packed"`

	*captureKeys
	*titlesKeys
	*blockKeys
	*imageKeys
	Vector *vectorKeys `json:"vector,omitempty"`

	Anomalies map[string]int `json:"anomalies"`
}

type captureKeys struct {
	Blocks      int      `json:"blocks"`
	Host        *string  `json:"host"`
	Start       *string  `json:"start"`
	End         *string  `json:"end"`
	Version     uint32   `json:"version"`
	Revision    uint32   `json:"revision"`
	PerfFreq    int64    `json:"perf_freq"`
	Objects     int      `json:"objects"`
	Instances   int      `json:"instances"`
	Counters    int      `json:"counters"`
	Values      int      `json:"values"`
	ObjectNames []string `json:"object_names"`
}

type errorKeys struct {
	Code    perfdump.Code `json:"code"`
	Offset  *int64        `json:"offset"`
	Path    string        `json:"path"`
	Message string        `json:"message"`
}

// writeJSON writes the document of a summary. Its errors come last, one at a
// time: there may be very many.
func writeJSON(w io.Writer, s *capture.Summary) error {
	head, err := marshalSummary(s)
	if err != nil {
		return err
	}
	b := append([]byte(strings.TrimSuffix(head, "}")), `,"errors":[`...)
	for i, fe := range s.Errors {
		e := errorKeys{Code: fe.Code, Path: fe.Path, Message: fe.Message()}
		if fe.Off >= 0 {
			e.Offset = &fe.Off
		}
		text, err := marshal(e)
		if err != nil {
			return err
		}
		if i > 0 {
			b = append(b, ',')
		}
		if b = append(b, text...); len(b) < 32<<10 {
			continue
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
		b = b[:0]
	}
	_, err = w.Write(append(b, "]}\n"...))
	return err
}

// marshalSummary returns the document of a summary but for its errors.
func marshalSummary(s *capture.Summary) (string, error) {
	d := document{File: s.File, Format: string(s.Format), Size: s.Size, Packed: orNull(s.Packed), Anomalies: map[string]int{}}
	if c := s.Capture; c != nil {
		d.captureKeys = &captureKeys{
			Blocks: c.Snapshots, Host: orNull(c.Host), Start: timeOrNull(c.Start), End: timeOrNull(c.End),
			Version: c.Version, Revision: c.Revision, PerfFreq: c.Frequency,
			Objects: c.Objects, Instances: c.Instances, Counters: c.Counters, Values: c.Values,
			ObjectNames: append([]string{}, c.ObjectNames...),
		}
	}
	if s.Titles != nil {
		d.titlesKeys = newTitlesKeys(s)
	}
	if s.Blocks != nil {
		d.blockKeys = newBlockKeys(s.Blocks)
	}
	if s.Image != nil {
		d.imageKeys = newImageKeys(s.Image)
	}
	if v := s.Vector; v != nil {
		d.Vector = &vectorKeys{v.Version.String(), v.Counters, v.Zeros}
	}
	for _, a := range s.Anomalies {
		d.Anomalies[string(a.Code)] = a.Count
	}
	if s.Backup != nil {
		return marshal(newBackupDocument(&d, s.Backup))
	}
	if s.Facts != nil {
		return marshalFacts(&d, s.Facts)
	}
	if s.Log != nil {
		return marshal(newLogDocument(&d, s.Log))
	}
	return marshal(d)
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func timeOrNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := t.UTC().Format("2006-01-02T15:04:05.000Z07:00")
	return &s
}
