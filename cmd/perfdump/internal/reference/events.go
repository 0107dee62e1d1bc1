package reference

import (
	"fmt"
	"strconv"
)

// eventText is what an event says, and what the DWORDs of its data are.
type eventText struct {
	text   string
	advice string
	data   []string // the names of D0, D1 …
	errors uint     // which of them are error codes: bit n is Dn
}

func (e eventText) meaning(source Source, id uint32) Meaning {
	text := e.text
	for i, name := range e.data {
		if i == 0 {
			text += " Its data:"
		} else {
			text += ","
		}
		text += fmt.Sprintf(" D%d the %s", i, name)
	}
	if len(e.data) > 0 {
		text += "."
	}
	return Meaning{Source: source, Number: id, Name: fmt.Sprintf("%s:%d", source, id), Text: text, Advice: e.advice}
}

// events has the tables of both sources.
var events = map[Source]map[uint32]eventText{LoadPerf: loadPerfEvents, Perflib: perflibEvents}

// event explains an event with its data.
func event(source Source, id string, data []uint32) Answer {
	n, problem := numberAfter(string(source)+":", id, "")
	if problem != "" {
		return Answer{Problem: problem}
	}
	// The upper half of an identifier is severity and facility.
	e, ok := events[source][n&0xFFFF]
	r := Reading{As: AsEvent, Number: n}
	if !ok || n > 0xFFFF && n>>16 != 0xC000 && n>>16 != 0x8000 && n>>16 != 0x4000 {
		return Answer{Readings: []Reading{r}}
	}
	m := e.meaning(source, n&0xFFFF)
	if len(data) > 0 {
		m.Text = e.text
	}
	for i, d := range data {
		datum := Datum{Name: "D" + strconv.Itoa(i), Number: d}
		maybe := d > 1
		if i < len(e.data) {
			datum.Name, maybe = e.data[i], e.errors&(1<<i) != 0
		}
		if maybe {
			datum.Meanings = Number(d)
		}
		m.Data = append(m.Data, datum)
	}
	r.Meanings = []Meaning{m}
	return Answer{Readings: []Reading{r}}
}

const (
	rebuildAdvice = "lodctr /R rebuilds the tables from the files of all drivers; run it in system32 and in syswow64"
	reloadAdvice  = "unload the driver and load its .ini again"
	updateAdvice  = "the fault is in the provider's library: update it; while it is broken, lodctr /D:NAME turns its counters off"
	enableAdvice  = "find the event that came before it, remove the cause, then lodctr /E:NAME"
)

// loadPerfEvents are those of the source LoadPerf: 1xxx inform, 2xxx warn,
// 3xxx are errors.
var loadPerfEvents = map[uint32]eventText{
	1000: {text: "The counters of a driver were loaded; the data hold its new indexes."},
	1001: {text: "The counters of a driver were removed.", data: []string{"Last Counter of the system", "Last Help of the system"}},
	1002: {text: "The counters of a driver are loaded already; nothing was done.", advice: "to load other texts, unload the driver first"},
	2001: {text: "The MOF file of a driver was not made."},
	2002: {text: "The MOF file of a driver was not loaded."},
	2003: {text: "The MOF file of a driver cannot be deleted."},
	2004: {text: "A string of the registry is damaged and was skipped.", advice: rebuildAdvice},
	2005: {text: "A language has no value Counter or Help.", advice: rebuildAdvice},
	2006: {
		text: "Last Counter or Last Help was wrong and has been repaired.",
		data: []string{"Last Counter as it was", "Last Help as it was", "Last Counter as it is now", "Last Help as it is now"},
	},
	2007: {text: "A service cannot be repaired.", advice: "install its counters again: lodctr with its .ini"},
	3000: {
		text: "The strings of the registry do not match the index values: texts are missing, or indexes without texts were given away.", advice: rebuildAdvice,
		data: []string{"last index of the key", "last index that has a string"},
	},
	3001: {
		text: "A string of a Counter value is malformed. In the texts of older systems the first of the data is the last valid index.", advice: rebuildAdvice,
		data: []string{"index of the malformed string", "last valid index", "last valid index"},
	},
	3002: {
		text: "A string of a Help value is malformed. In the texts of older systems the first of the data is the last valid index.", advice: rebuildAdvice,
		data: []string{"index of the malformed string", "last valid index", "last valid index"},
	},
	3003: {text: "A registry key cannot be opened.", advice: "with the error 2 (file not found) the Performance key of the driver is missing: install the driver first", data: []string{"error"}, errors: 1},
	3004: {text: "A registry value cannot be read."},
	3005: {text: "The key of a language cannot be opened."},
	3006: {text: "The Counter value of a language cannot be read.", advice: rebuildAdvice},
	3007: {text: "The Help value of a language cannot be read.", advice: rebuildAdvice},
	3008: {text: "Out of memory."},
	3009: {text: "The counters of a driver were not installed.", advice: "the error says why", data: []string{"error"}, errors: 1},
	3011: {text: "The counters of a driver were not removed.", advice: "the error says why; load its .ini once more, then unload it", data: []string{"error"}, errors: 1},
	3012: {
		text: "The values of the Perflib key are corrupt.", advice: rebuildAdvice,
		data: []string{"Base Index", "Last Counter", "Last Help"},
	},
	3013: {text: "The Counter value of a language cannot be updated."},
	3014: {text: "The Help value of a language cannot be updated."},
	3015: {text: "The index of a string is corrupt.", advice: rebuildAdvice, data: []string{"index"}},
	3016: {text: "A registry value cannot be updated.", advice: "run as administrator", data: []string{"error", "new value"}, errors: 1},
	3017: {text: "A registry value cannot be updated.", advice: "run as administrator", data: []string{"error"}, errors: 1},
	3018: {text: "The range of indexes of a service is corrupt.", advice: reloadAdvice, data: []string{"first index", "last index"}},
}

// perflibEvents are those of the source Perflib. The systems before Windows 10
// put an error code into the data where there is one, later ones into a field.
var perflibEvents = map[uint32]eventText{
	1000: {text: "Access to the counters was denied.", advice: "the user must be one of Performance Monitor Users"},
	1001: {text: "The Collect function of a library returned more than fits into its buffer.", advice: updateAdvice},
	1002: {text: "The Collect function of a library wrote past its buffer and hit the page that guards it.", advice: updateAdvice},
	1003: {text: "The lengths of the objects of a library do not add up to what it returned.", advice: updateAdvice},
	1004: {text: "The lengths of the instances of a library's object do not add up.", advice: updateAdvice},
	1005: {text: "The library has no function of the name that the value Open gives.", advice: procAdvice, data: []string{"error"}, errors: 1},
	1006: {text: "The library has no function of the name that the value Collect gives.", advice: procAdvice, data: []string{"error"}, errors: 1},
	1007: {text: "The library has no function of the name that the value Close gives.", advice: procAdvice, data: []string{"error"}, errors: 1},
	1008: {text: "The Open function of a library returned an error; its counters are not there.", advice: "the error says why; 1011 is a library with the texts of another version", data: []string{"error"}, errors: 1},
	1009: {text: "The Open function of a library crashed.", advice: updateAdvice, data: []string{"exception"}, errors: 1},
	1010: {text: "The Collect function of a library crashed, or returned a status that it may not return.", advice: updateAdvice, data: []string{"exception or status"}, errors: 1},
	1011: {text: "The Close function of a library crashed (Windows 10). On Windows NT 4: the library cannot be opened.", advice: updateAdvice, data: []string{"exception or error"}, errors: 1},
	1013: {text: "The Collect function of a library damaged the heap after its buffer.", advice: updateAdvice},
	1014: {text: "The Collect function of a library returned an error.", advice: "the error says why", data: []string{"error"}, errors: 1},
	1015: {text: "The Collect function of a library did not return in time.", advice: timeAdvice + "Collect Timeout"},
	1016: {text: "A library returned data that are not aligned to 8 bytes. They can be read; perfdump calls that misaligned.", advice: "harmless on x86 and x64; bit 0x1 of Configuration Flags turns the test off"},
	1017: {text: "The counters of a service were disabled for good after an error.", advice: enableAdvice},
	1018: {text: "The counters of a service were disabled for the program that is running; nothing was stored.", advice: "find the event that came before it; a restart of the program enables them again"},
	1019: {text: "The lengths of the definitions of a library's object do not add up.", advice: updateAdvice},
	1020: {text: "A library says that it wrote more than its buffer holds.", advice: updateAdvice},
	1021: {text: "A library of 32 bits cannot be loaded into a process of 64.", advice: widthAdvice, data: []string{"error"}, errors: 1},
	1022: {text: "A library of 64 bits cannot be loaded into a process of 32.", advice: widthAdvice, data: []string{"error"}, errors: 1},
	1023: {text: "A library cannot be loaded.", advice: "the error says why; 126 is a file that is missing, 193 one of the wrong width", data: []string{"error"}, errors: 1},
	2000: {text: "The length that a library returned was wrong and has been adjusted.", advice: updateAdvice},
	2001: {text: "A service has no Performance key that can be read.", advice: reloadAdvice, data: []string{"error"}, errors: 1},
	2002: {text: "The Open function of a library did not return in time.", advice: timeAdvice + "Open Timeout"},
	2003: {text: "A library is no longer the one that was signed as trusted: it was replaced without its counters being loaded again.", advice: "lodctr /T:NAME trusts the one that is there"},
	3002: {text: "A library returned more objects than it may."},
	3003: {text: "The registry does not name a function that the library must have.", advice: "install the provider again; lodctr does not write Open, Collect and Close"},
	3004: {text: "An error that Windows 7 alone knows; what it means is not established."},
}

const (
	procAdvice  = "the name must be an export as it is spelled; C++ decorates names unless they are extern \"C\""
	timeAdvice  = "see what the provider waits for; its Performance key may give it more time, in ms, by the value "
	widthAdvice = "install the library of the other width, or read with a program of the library's: mmc /32 perfmon.msc"
)
