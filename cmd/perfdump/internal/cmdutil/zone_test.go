package cmdutil

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSystemZoneWithoutTimeZones(t *testing.T) {
	defer func(was *time.Location) { time.Local = was }(time.Local)
	time.Local = time.UTC // as Go has it for a TZ that the system does not know
	t.Setenv("TZ", ":Europe/Berlin")
	var z Zone
	require.NoError(t, z.Set("system"))
	require.Equal(t, "Europe/Berlin", z.Location.String())
}
