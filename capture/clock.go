package capture

import "time"

// Offset is the offset of a wall clock from UTC. Where it is not known, times of
// the wall clock are used for UTC.
type Offset struct {
	East  time.Duration // local time minus UTC
	Known bool
}

// Bias returns the minutes from local time to UTC.
func (o Offset) Bias() int { return -int(o.East / time.Minute) }

// String returns the offset as people write it: "+02:00"; "" where it is not
// known.
func (o Offset) String() string {
	if !o.Known {
		return ""
	}
	return o.In(time.Time{}, nil).Format("-07:00")
}

// zone returns the zone in which times are shown where zone is requested, nil
// for the recorder's own. Times of an unknown offset are always the recorder's.
func (o Offset) zone(zone *time.Location) *time.Location {
	if !o.Known {
		return nil
	}
	return zone
}

// In returns t in a time zone, nil for that of the recorder. Where the offset is
// not known that is what the recorder's clock shows, whatever the zone.
func (o Offset) In(t time.Time, zone *time.Location) time.Time {
	if zone = o.zone(zone); zone == nil {
		zone = time.FixedZone("", int(o.East/time.Second))
	}
	return t.In(zone)
}

// shown returns what a clock of the zone shows at t, as if that was UTC.
func (o Offset) shown(t time.Time, zone *time.Location) time.Time {
	_, east := o.In(t, zone).Zone()
	return t.UTC().Add(time.Duration(east) * time.Second)
}

// Append appends t in a time zone, as [Offset.In] gives it, and the offset from
// UTC after it, if that is known.
func (o Offset) Append(dst []byte, t time.Time, zone *time.Location, layout string) []byte {
	t = o.In(t, zone)
	dst = t.AppendFormat(dst, layout)
	if o.Known {
		dst = append(append(dst, ' '), zoneText(t)...)
	}
	return dst
}

// Format returns what [Offset.Append] appends.
func (o Offset) Format(t time.Time, zone *time.Location, layout string) string {
	return string(o.Append(nil, t, zone, layout))
}

// zoneText returns the offset of a time from UTC, as it is written after it.
func zoneText(t time.Time) string {
	if _, east := t.Zone(); east == 0 {
		return "UTC"
	}
	return t.Format("-07:00")
}

// ZoneName returns what a time zone is called.
func ZoneName(zone *time.Location) string {
	if zone == time.Local {
		return "this system's time zone"
	}
	return zone.String()
}

// ClockName says by which clock times are shown: that of a zone, or of the
// recorder where zone is nil. The name is the recorder's own of its zone.
func (o Offset) ClockName(zone *time.Location, name string) string {
	switch zone := o.zone(zone); {
	case zone != nil:
		return "in " + ZoneName(zone)
	case !o.Known:
		return "by the recorder's clock, whose time zone is not known"
	case name == "UTC":
		return "in UTC"
	default:
		return "by the recorder's clock"
	}
}
