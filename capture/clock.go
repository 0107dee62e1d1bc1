package capture

import "time"

// Offset is the offset of local time from UTC. If it is not known, local times are treated
// as UTC.
type Offset struct {
	East  time.Duration // local time minus UTC
	Known bool
}

// Bias returns the minutes from local time to UTC.
func (o Offset) Bias() int { return -int(o.East / time.Minute) }

// String returns the offset as "+02:00", or "" if it is not known.
func (o Offset) String() string {
	if !o.Known {
		return ""
	}
	return o.In(time.Time{}, nil).Format("-07:00")
}

// zone returns the zone to show times in if zone is requested, nil for the recorder's.
// Times with an unknown offset are always shown in the recorder's.
func (o Offset) zone(zone *time.Location) *time.Location {
	if !o.Known {
		return nil
	}
	return zone
}

// In returns t in a time zone, nil for that of the recorder. If the offset is not known,
// the result is the recorder's local time, whatever the zone.
func (o Offset) In(t time.Time, zone *time.Location) time.Time {
	if zone = o.zone(zone); zone == nil {
		zone = time.FixedZone("", int(o.East/time.Second))
	}
	return t.In(zone)
}

// shown returns the local time of the zone at t, stored as if it was UTC.
func (o Offset) shown(t time.Time, zone *time.Location) time.Time {
	_, east := o.In(t, zone).Zone()
	return t.UTC().Add(time.Duration(east) * time.Second)
}

// Append appends t in a time zone, as returned by [Offset.In], followed by the offset from
// UTC if that is known.
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

// zoneText returns the offset of a time from UTC in the form that follows the time in
// output.
func zoneText(t time.Time) string {
	if _, east := t.Zone(); east == 0 {
		return "UTC"
	}
	return t.Format("-07:00")
}

// ZoneName returns the name of a time zone.
func ZoneName(zone *time.Location) string {
	if zone == time.Local {
		return "this system's time zone"
	}
	return zone.String()
}

// ClockName returns a phrase that says which time zone times are shown in: the given zone,
// or that of the recorder if zone is nil. name is the recorder's name of its zone.
func (o Offset) ClockName(zone *time.Location, name string) string {
	switch zone := o.zone(zone); {
	case zone != nil:
		return "in " + ZoneName(zone)
	case !o.Known:
		return "in the recorder's time zone, which is not known"
	case name == "UTC":
		return "in UTC"
	default:
		return "in the recorder's time zone"
	}
}
