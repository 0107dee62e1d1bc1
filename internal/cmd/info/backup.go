package info

import (
	"fmt"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

// maxLanguages is how many languages a line names.
const maxLanguages = 24

// backup tells of a backup of counter names.
func (p *printer) backup(b *capture.BackupSummary, fact func(name, value string)) {
	if b == nil {
		return
	}
	fact("encoding", b.Encoding)
	fact("lines", grouped(int64(b.Lines)))
	fact("base index", numberText(b.Perflib.BaseIndex))
	fact("last", "counter "+numberText(b.Perflib.LastCounter)+", help "+numberText(b.Perflib.LastHelp))
	fact("providers", grouped(int64(b.Providers)))
	var names []string
	for _, l := range b.Languages[:min(len(b.Languages), maxLanguages)] {
		names = append(names, fmt.Sprintf("%s (%s)", cell.Clean(l.ID), count(l.Count, "string")))
	}
	if n := len(b.Languages) - maxLanguages; n > 0 {
		names = append(names, fmt.Sprintf("and %d more", n))
	}
	if len(names) == 0 {
		names = []string{"none"}
	}
	fact("languages", strings.Join(names, ", "))
}

func numberText(n perfstrings.Number) string {
	if !n.Given {
		return "not given"
	}
	return grouped(int64(n.Value))
}

// backupDocument is a document of a backup. Two of its keys are those of other
// formats too, which a document of all formats could have only once.
type backupDocument struct {
	File   string  `json:"file"`
	Format string  `json:"format"`
	Size   int64   `json:"size"`
	Packed *string `json:"packed"`

	Encoding    string         `json:"encoding"`
	Lines       int            `json:"lines"`
	BaseIndex   *uint32        `json:"base_index"`
	LastCounter *uint32        `json:"last_counter"`
	LastHelp    *uint32        `json:"last_help"`
	Providers   int            `json:"providers"`
	Strings     map[string]int `json:"strings"`

	Anomalies map[string]int `json:"anomalies"`
}

func newBackupDocument(d *document, b *capture.BackupSummary) *backupDocument {
	k := &backupDocument{
		File: d.File, Format: d.Format, Size: d.Size, Packed: d.Packed, Anomalies: d.Anomalies,
		Encoding: b.Encoding, Lines: b.Lines, Providers: b.Providers, Strings: map[string]int{},
		BaseIndex: given(b.Perflib.BaseIndex), LastCounter: given(b.Perflib.LastCounter), LastHelp: given(b.Perflib.LastHelp),
	}
	for _, l := range b.Languages {
		k.Strings[l.ID] = l.Count
	}
	return k
}

func given(n perfstrings.Number) *uint32 {
	if !n.Given {
		return nil
	}
	return &n.Value
}
