package cmdutil

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/capture"
)

// Period are the flags that say which moments are looked at.
type Period struct {
	From  string
	To    string
	Every int
}

// AddFlags registers the flags.
func (p *Period) AddFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&p.From, "from", "", "leave out what comes before `TIME`: RFC 3339, or a duration after the first snapshot")
	flags.StringVar(&p.To, "to", "", "leave out what comes after `TIME`")
	flags.IntVar(&p.Every, "every", 1, "only every `N`th snapshot, as if the others had not been recorded")
}

// Any reports whether only some moments are asked for.
func (p *Period) Any() bool { return p.From != "" || p.To != "" || p.Every != 1 }

// Apply makes o look at these moments alone.
func (p *Period) Apply(o *capture.CookOptions) error {
	if p.Every < 1 {
		return Usagef("--every %d: want 1 or more", p.Every)
	}
	o.Every = p.Every
	var err error
	if o.From, err = Moment("from", p.From); err != nil {
		return err
	}
	if o.To, err = Moment("to", p.To); err != nil {
		return err
	}
	alike := o.From.Set && o.To.Set && o.From.At.IsZero() == o.To.At.IsZero()
	if alike && (o.To.After < o.From.After || o.To.At.Before(o.From.At)) {
		return Usagef("--to %s is before --from %s", p.To, p.From)
	}
	return nil
}

// Moment reads the value of --from or --to: a time, or how long after the
// first snapshot.
func Moment(flag, s string) (capture.Moment, error) {
	if s == "" {
		return capture.Moment{}, nil
	}
	if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return capture.Moment{After: d, Set: true}, nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02"} {
		if t, err := time.Parse(layout, s); err == nil {
			return capture.Moment{At: t, Set: true}, nil
		}
	}
	return capture.Moment{}, &UsageError{
		Text: "--" + flag + " " + s + ": neither a time nor a duration",
		Hint: "2013-02-20T02:50:17Z is a time in UTC, 5m is five minutes after the first snapshot",
	}
}
