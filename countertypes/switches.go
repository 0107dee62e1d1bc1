package countertypes

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Switch describes a field of [Options] for help texts.
type Switch struct {
	Key    string
	Values []string // the default is first
	Doc    string
}

// Switches returns the switches that [Options.Set] takes.
func Switches() []Switch {
	return []Switch{
		{"multi-timer", []string{"f", "ticks"}, "PERF_COUNTER_MULTI_TIMER per second, or per tick"},
		{"multi-inv", []string{"plain", "divided"}, "inverse MULTI timers up to 100 times the count, or divided by it"},
		{"obj-clock", []string{"object", "system"}, "clock of timers and queues on the object clock"},
		{"rate-clock", []string{"perf", "100ns"}, "clock of per-second rates"},
		{"elapsed", []string{"formula", "net", "start-time"}, "PERF_ELAPSED_TIME in seconds, as .NET has it, or as the Unix time of the start"},
		{"truncate-rates", []string{"false", "true"}, "per-second rates without their fraction, as in a DWORD"},
		{"negative", []string{"none", "zero", "signed", "wrap32"}, "what becomes of a value that went back"},
		{"scale", []string{"none", "default", "N"}, "power of ten: none, the counter's own, or N from -10 to 10"},
		{"cap", []string{"none", "100", "0-100"}, "limits of percentages"},
	}
}

// Set sets the switch key to value, in the words of [Switches]. The value of
// truncate-rates may be empty, which turns it on. After an error o is as it
// was.
func (o *Options) Set(key, value string) error {
	switches := Switches()
	n := slices.IndexFunc(switches, func(s Switch) bool { return s.Key == key })
	if n < 0 {
		keys := make([]string, len(switches))
		for i, s := range switches {
			keys[i] = s.Key
		}
		return fmt.Errorf("unknown switch %q: want %s", key, strings.Join(keys, ", "))
	}
	i := slices.Index(switches[n].Values, value)
	switch {
	case key == "scale" && i != 0 && i != 1:
		v, err := strconv.ParseInt(value, 10, 8)
		if err != nil || v < -maxScale || v > maxScale {
			return fmt.Errorf("switch scale: %q is not none, default or a number from %d to %d", value, -maxScale, maxScale)
		}
		o.Scale = int8(v)
		return nil
	case key == "truncate-rates" && value == "":
		i = 1
	case i < 0:
		return fmt.Errorf("switch %s: unknown value %q: want %s", key, value, strings.Join(switches[n].Values, ", "))
	}
	o.set(key, uint8(i))
	return nil
}

func (o *Options) set(key string, i uint8) {
	switch key {
	case "multi-timer":
		o.MultiTimer = MultiTimer(i)
	case "multi-inv":
		o.MultiInv = MultiInv(i)
	case "obj-clock":
		o.ObjClock = ObjClock(i)
	case "rate-clock":
		o.RateClock = RateClock(i)
	case "elapsed":
		o.Elapsed = Elapsed(i)
	case "truncate-rates":
		o.TruncateRates = i == 1
	case "negative":
		o.Negative = Negative(i)
	case "scale":
		o.Scale = int8(i) * ScaleDefault
	case "cap":
		o.Cap = Cap(i)
	}
}

// String returns the switches that differ from the default, "" for none:
// "multi-timer=ticks,scale=2".
func (o Options) String() string {
	truncate := uint8(0)
	if o.TruncateRates {
		truncate = 1
	}
	scale := uint8(0)
	if o.Scale == ScaleDefault {
		scale = 1
	} else if o.Scale != 0 {
		scale = 2
	}
	chosen := [...]uint8{
		uint8(o.MultiTimer), uint8(o.MultiInv), uint8(o.ObjClock), uint8(o.RateClock),
		uint8(o.Elapsed), truncate, uint8(o.Negative), scale, uint8(o.Cap),
	}
	var words []string
	for n, s := range Switches() {
		i := int(chosen[n])
		switch {
		case i == 0 || i >= len(s.Values): // what is out of range acts as the default
		case s.Key == "scale" && i == 2:
			words = append(words, "scale="+strconv.Itoa(int(o.Scale)))
		default:
			words = append(words, s.Key+"="+s.Values[i])
		}
	}
	return strings.Join(words, ",")
}
