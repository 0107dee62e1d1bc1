package titles

import (
	"fmt"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/titles"
)

// repair repairs a table and reports each change.
func (l *lister) repair(s *source) error {
	fixed, done := s.table.Repair(perfdump.Limits{})
	if done.Len() == 0 {
		return nil
	}
	l.repaired = true
	shown := done.Kept()
	shown = shown[:min(len(shown), maxDamage)]
	for _, a := range shown {
		place := ""
		if a.Off >= 0 && !s.part {
			place = fmt.Sprintf(" (offset 0x%x)", a.Off)
		}
		l.o.Note("%s: %s%s", s.title(), a.Message(), place)
	}
	if n := done.Len() - len(shown); n > 0 {
		l.o.Note("%s: %d more repairs are not listed", s.title(), n)
	}
	var err error
	if s.data, err = fixed.AppendBinary(nil); err != nil {
		return err
	}
	// It has a form of its own now, with offsets.
	s.table, err = titles.Parse(s.data, perfdump.Options{CodePage: fixed.Encoding().CodePage})
	return err
}

// title is what a table is called in messages.
func (s *source) title() string {
	switch {
	case s.name == "":
		return "built-in table"
	case s.part:
		return cell.Clean(cmdutil.FileName(s.name) + ", " + s.language + " " + s.kind.String())
	default:
		return cell.Clean(cmdutil.FileName(s.name))
	}
}
