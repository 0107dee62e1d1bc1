package cook

import (
	"strings"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
)

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
