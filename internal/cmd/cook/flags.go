package cook

import (
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
)

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
	return capture.Moment{}, &cmdutil.UsageError{
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
			return nil, &cmdutil.UsageError{Text: "--cook: " + err.Error()}
		}
	}
	return o, nil
}

// switchesHelp lists the switches of --cook.
func switchesHelp() string {
	var b strings.Builder
	for _, s := range countertypes.Switches() {
		b.WriteString("  " + s.Key + "=" + strings.Join(s.Values, "|") + strings.Repeat(" ", max(1, 34-len(s.Key)-len(strings.Join(s.Values, "|")))) + s.Doc + "\n")
	}
	return b.String()
}
