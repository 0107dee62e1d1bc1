package cmdutil

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
)

// Cooking are the flags that say which values are cooked, and how.
type Cooking struct {
	From     string
	To       string
	Every    int
	Interval time.Duration
	Cook     []string
}

// AddFlags registers the flags.
func (c *Cooking) AddFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&c.From, "from", "", "leave out what comes before `TIME`: RFC 3339, or a duration after the first snapshot")
	flags.StringVar(&c.To, "to", "", "leave out what comes after `TIME`")
	flags.IntVar(&c.Every, "every", 1, "only every `N`th snapshot, as if the others had not been recorded")
	flags.DurationVar(&c.Interval, "interval", 0, "the time between two files that hold no clock, as IPC control blocks do: `10s`")
	flags.StringArrayVar(&c.Cook, "cook", nil, "answer a disputed question by `KEY=VALUE`; may be repeated")
}

// Options returns how values are cooked.
func (c *Cooking) Options() (o capture.CookOptions, err error) {
	if c.Every < 1 {
		return o, Usagef("--every %d: want 1 or more", c.Every)
	}
	o = capture.CookOptions{Every: c.Every, Interval: c.Interval}
	if o.Types, err = switches(c.Cook); err != nil {
		return o, err
	}
	if o.From, err = moment("from", c.From); err != nil {
		return o, err
	}
	o.To, err = moment("to", c.To)
	return o, err
}

// moment reads the value of --from or --to: a time, or how long after the
// first snapshot.
func moment(flag, s string) (capture.Moment, error) {
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

// switches reads the values of --cook.
func switches(values []string) (*countertypes.Options, error) {
	o := &countertypes.Options{}
	for _, v := range values {
		key, value, _ := strings.Cut(v, "=")
		if err := o.Set(key, value); err != nil {
			return nil, &UsageError{Text: "--cook: " + err.Error()}
		}
	}
	return o, nil
}

// SwitchesHelp lists the switches of --cook for the help of a verb.
func SwitchesHelp() string {
	var b strings.Builder
	for _, s := range countertypes.Switches() {
		b.WriteString("  " + s.Key + "=" + strings.Join(s.Values, "|") + strings.Repeat(" ", max(1, 34-len(s.Key)-len(strings.Join(s.Values, "|")))) + s.Doc + "\n")
	}
	return b.String()
}
