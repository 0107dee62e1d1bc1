package capture

import (
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

// BackupSummary is what a backup of counter names holds.
type BackupSummary struct {
	Encoding  string
	Lines     int
	Perflib   perfstrings.Perflib
	Providers int
	Languages []perfstrings.Language
}

// ParsePerfStrings reads a backup of counter names, with the errors of
// [perfstrings.Parse].
func ParsePerfStrings(b []byte, o Options) (*perfstrings.File, error) {
	return perfstrings.Parse(b, perfstrings.Options{Mode: o.Mode, Limits: o.Limits, CodePage: o.CodePage})
}

func (s *Summary) perfstrings(b []byte, o Options, counts map[perfdump.Code]int) {
	f, err := ParsePerfStrings(b, o)
	if err != nil {
		s.fail(err)
		return
	}
	s.Backup = &BackupSummary{Encoding: f.Encoding(), Lines: f.NumLines(), Perflib: f.Perflib(), Providers: f.NumProviders(), Languages: slices.Clone(f.Languages())}
	count(counts, f.Anomalies())
}

func checkBackup(b []byte, o Options, yield func(Finding) bool) {
	strict := o.Mode == perfdump.Strict
	o.Mode = perfdump.Tolerant
	f, err := ParsePerfStrings(b, o)
	if err != nil {
		yieldError(err, yield)
		return
	}
	yieldAnomalies(f.Anomalies(), strict, yield)
}
