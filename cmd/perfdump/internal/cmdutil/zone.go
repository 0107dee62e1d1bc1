package cmdutil

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/packed"
	"github.com/perfdump/perfdump/internal/once"
)

// Zone is the flag of the time zone in which times are shown and read.
type Zone struct {
	Location *time.Location // nil for the recorder's
	text     string
}

// AddFlags registers the flag.
func (z *Zone) AddFlags(cmd *cobra.Command) {
	z.text = "recorder"
	cmd.Flags().Var(z, "tz", "show and read times in the time zone `ZONE`: recorder, utc, system, an offset such as +02:00, or a name such as Europe/Berlin")
	words := cobra.FixedCompletions([]string{"recorder", "utc", "system"}, cobra.ShellCompDirectiveNoFileComp)
	completes(cmd, "tz", words)
}

func (z *Zone) String() string { return z.text }

// Type returns what the flag takes.
func (z *Zone) Type() string { return "ZONE" }

// Set reads a zone.
func (z *Zone) Set(s string) error {
	var err error
	switch strings.ToLower(s) {
	case "recorder":
		z.Location = nil
	case "utc", "z":
		z.Location = time.UTC
	case "system":
		z.Location = time.Local
		if tz := os.Getenv("TZ"); tz != "" && time.Local.String() == "UTC" { // as where the system does not know it
			if zone, err := load(strings.TrimPrefix(tz, ":")); err == nil {
				z.Location = zone
			}
		}
	default:
		z.Location, err = parseZone(s)
	}
	z.text = s
	return err
}

var offsetForm = once.Regexp(`^(?i:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$`)

// parseZone reads an offset from UTC, or the name of a zone.
func parseZone(s string) (*time.Location, error) {
	if m := offsetForm().FindStringSubmatch(s); m != nil {
		hours, _ := strconv.Atoi(m[2])
		minutes, _ := strconv.Atoi("0" + m[3])
		east := 60 * (60*hours + minutes)
		if hours > 14 || minutes > 59 || east > 14*3600 {
			return nil, errors.New("no time zone is so far from UTC: expected -14:00 to +14:00")
		}
		if m[1] == "-" {
			east = -east
		}
		return time.FixedZone(fmt.Sprintf("UTC%s%02d:%02d", m[1], hours, minutes), east), nil
	}
	if zone, err := load(s); err == nil && s != "" && s != "Local" {
		return zone, nil
	}
	return nil, errors.New("expected recorder, utc, system, an offset such as +02:00, or the name of a time zone such as Europe/Berlin")
}

// load returns the zone of a name, as the system has it, or else as Go does.
func load(name string) (*time.Location, error) {
	zone, err := time.LoadLocation(name)
	if err != nil {
		zone, err = time.LoadLocationFromTZData(name, packed.Zone(name))
	}
	return zone, err
}
