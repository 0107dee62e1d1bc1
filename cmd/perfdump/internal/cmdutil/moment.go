package cmdutil

import (
	"cmp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/capture"
)

// Period holds the flags that say which moments are shown, and in which time zone.
type Period struct {
	Zone  Zone
	From  string
	To    string
	Every int

	// At is a moment whose last samples are asked for, instead of To; its reading is told
	// without the name of a flag.
	At string
}

// PeriodHelp says what --from, --to and --tz take.
const PeriodHelp = `--from and --to take a time of day (15:45), a date and time (2013-02-19 18:50),
RFC 3339 (2013-02-20T02:50:17Z), or a duration after the first snapshot (5m).
Without a zone they are local times of the recorded machine; a time of day is
the first such moment in its recording. A note says how they were read. --tz
chooses another time zone for the times that are shown and given: recorder, utc,
system, +02:00, Europe/Berlin. Rows for programs (csv, jsonl, parquet,
openmetrics, influx, sql) are always in UTC.`

// AddFlags registers the flags.
func (p *Period) AddFlags(cmd *cobra.Command) {
	group(cmd, groupChoice, func() {
		p.Zone.AddFlags(cmd)
		flags := cmd.Flags()
		flags.StringVar(&p.From, "from", "", "leave out what comes before `TIME`: 15:45, 2013-02-19 18:50, RFC 3339, or a duration after the first snapshot such as 5m")
		flags.StringVar(&p.To, "to", "", "leave out what comes after `TIME`")
		flags.IntVar(&p.Every, "every", 1, "only every `N`th snapshot, as if the others had not been recorded")
	})
}

// Any reports whether only some moments are requested.
func (p *Period) Any() bool { return p.From != "" || p.To != "" || p.Every != 1 }

// Apply makes o look at these moments alone.
func (p *Period) Apply(o *capture.CookOptions) error {
	if p.Every < 1 {
		return Usagef("--every %d: expected 1 or more", p.Every)
	}
	o.Every, o.Zone = p.Every, p.Zone.Location
	var err error
	if o.From, err = Moment("from", p.From); err != nil {
		return err
	}
	if o.To, err = Moment("to", p.To); err != nil {
		return err
	}
	if p.At != "" {
		if o.To, err = Moment("", p.At); err != nil {
			return err
		}
	}
	daily := o.From.At.Year() == 0 || o.To.At.Year() == 0 // 23:50 to 00:10
	comparable := o.From.Set && o.To.Set && o.From.Wall == o.To.Wall && o.From.At.IsZero() == o.To.At.IsZero()
	if comparable && !daily && (o.To.After < o.From.After || o.To.At.Before(o.From.At)) {
		return Usagef("--to %s is before --from %s", p.To, p.From)
	}
	return nil
}

// NoteReadings says how moments without a zone are read, by a Recording or a
// Timeline.
func (p *Period) NoteReadings(f *Factory, of interface {
	Readings(from, to string) []string
},
) {
	for _, text := range of.Readings(p.From, cmp.Or(p.At, p.To)) {
		if p.At != "" {
			text = strings.Replace(text, "--to ", "", 1)
		}
		f.Note("%s", text)
	}
}

// NoteMissed says that there is no snapshot between the moments, and when the recording is.
func (p *Period) NoteMissed(f *Factory, where string) {
	if where != "" {
		where = ": " + where
	}
	if p.At != "" {
		f.Note("no snapshot is at or before %s%s", p.At, where)
		return
	}
	f.Note("no snapshot is between --from and --to%s; perfdump info shows when the files begin and end", where)
}

// The forms of a moment: those with a zone, and those that say what a clock shows.
var (
	instants = []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04Z07:00", "2006-01-02 15:04:05 Z07:00"}
	walls    = []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02", "15:04:05", "15:04"}
)

// Moment reads the value of a flag, "" for none, such as from or to: a time of day, a date and time, an
// instant, or how long after the first snapshot.
func Moment(flag, s string) (capture.Moment, error) {
	if s == "" {
		return capture.Moment{}, nil
	}
	if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return capture.Moment{After: d, Set: true}, nil
	}
	for _, layout := range instants {
		if t, err := time.Parse(layout, strings.Replace(s, " UTC", "Z", 1)); err == nil {
			return capture.Moment{At: t, Set: true}, nil
		}
	}
	for _, layout := range walls {
		if t, err := time.Parse(layout, s); err == nil {
			return capture.Moment{At: t, Set: true, Wall: true}, nil
		}
	}
	if flag != "" {
		s = "--" + flag + " " + s
	}
	return capture.Moment{}, &UsageError{
		Text: s + ": neither a time nor a duration",
		Hint: "15:45 is a time of day, 2013-02-19 18:50 a date and time, 2013-02-20T02:50:17Z a time in UTC, 5m five minutes after the first snapshot",
	}
}
