package reference

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perfdump/perfdump/countertypes"
)

// Source says whose number or word it is.
type Source string

// The sources.
const (
	Win32    Source = "win32"    // error code of Windows
	PDH      Source = "pdh"      // status of the Performance Data Helper
	NTStatus Source = "ntstatus" // status or exception of the kernel
	LoadPerf Source = "loadperf" // event of the loader of counter texts
	Perflib  Source = "perflib"  // event of the caller of counter libraries
	Flags    Source = "flags"    // bit of Perflib's Configuration Flags
	Type     Source = "type"     // counter type
	Error    Source = "error"    // code of an error of this toolkit
	Anomaly  Source = "anomaly"  // code of an anomaly of this toolkit
	Status   Source = "status"   // status of a cooked value
	Counter  Source = "counter"  // performance counter
	Object   Source = "object"   // object that has counters
	Rule     Source = "rule"     // rule of perfdump doctor; package lodctr has them
)

var descriptions = map[Source]string{
	Win32:    "an error code of Windows",
	PDH:      "a status of PDH",
	NTStatus: "a status or exception of Windows",
	LoadPerf: "an event of LoadPerf",
	Perflib:  "an event of Perflib",
	Flags:    "a bit of Perflib's Configuration Flags",
	Type:     "a counter type",
	Error:    "an error of perfdump",
	Anomaly:  "an anomaly that perfdump reports",
	Status:   "a status of a cooked value",
	Counter:  "a counter",
	Object:   "an object with counters",
	Rule:     "a finding of perfdump doctor",
}

// Describe says in a few words whose it is: "an error code of Windows".
func (s Source) Describe() string { return descriptions[s] }

// Meaning is what a number or a word means.
type Meaning struct {
	Source Source
	Number uint32  // 0 for words
	Name   string  // "ERROR_CANTOPEN", "size-mismatch", "loadperf:3001"
	Text   string  // what it means
	Advice string  // what to do, "" for nothing
	Data   []Datum // of an event

	Objects []string // that have a counter of that name and meaning
	Beware  string   // how a counter misleads, "" for nothing

	// More on the counters that people meet most.
	Paths  []string            // that have the meaning, with * for instances
	Unit   string              // of what is shown: "percent"
	Types  []countertypes.Type // that compute it, none where they differ or are not certain
	Normal string              // which values are usual
	See    []string            // counters of the same object, or paths
}

// Datum is a DWORD of an event's data.
type Datum struct {
	Name     string // what it is: "index of the text"; "D2" where that is not known
	Number   uint32
	Meanings []Meaning // where it is an error code, or may be one
}

// As says how a word was read.
type As string

// The ways to read a word.
const (
	AsEventData As = "event-data" // the bytes of a DWORD as event logs show them
	AsNumber    As = "number"
	AsEvent     As = "event"
	AsFlags     As = "flags"
	AsWord      As = "word"
)

// Reading is one way to read a word.
type Reading struct {
	As       As
	Number   uint32    // 0 if it was read as a word
	Meanings []Meaning // none: not known
}

// Answer is what there is to say of a word.
type Answer struct {
	Word     string
	Readings []Reading
	See      []string // words to ask for that may have been meant
	Problem  string   // why it cannot be read, "" if it can
}

// Known reports whether any reading of the word has a meaning.
func (a *Answer) Known() bool {
	for _, r := range a.Readings {
		if len(r.Meanings) > 0 {
			return true
		}
	}
	return false
}

// isEvent reports whether a word names a provider of events.
func isEvent(word string) bool {
	provider, _, ok := strings.Cut(strings.ToLower(word), ":")
	return ok && (provider == string(LoadPerf) || provider == string(Perflib))
}

// withData returns the words of an event and its data that are one word, as
// where they are quoted; nil for any other. Where the event has its number and
// the data are none, problem says so.
func withData(word string) (parts []string, problem string) {
	parts = strings.Fields(word)
	if len(parts) < 2 || !isEvent(word) {
		return nil, ""
	}
	for _, data := range parts[1:] {
		if _, ok := dword(data); ok {
			continue
		}
		_, id, _ := strings.Cut(parts[0], ":")
		if _, ok, _ := number(id); ok {
			problem = fmt.Sprintf("%q is no DWORD of an event's data; expected its bytes or a number after the event, such as %s F3030000 or %[2]s 1011", data, parts[0])
		}
		return nil, problem
	}
	return parts, ""
}

// Words explains words. Each is its own question, with two exceptions: numbers
// after an event, in the same word or in the next ones, are its data, and four
// words of two hex digits, as an event log prints them, are one DWORD.
//
//	F3030000, F3 03 00 00   the bytes of a DWORD of event data; eight digits
//	                        also as the number that they are, if that is known
//	0x800007D5, 1011, -5    a number; a negative one as its 32 bits
//	loadperf:3001 D0 D1     an event and its data
//	perflib:1008 D0
//	flags:0x12              Configuration Flags
//	size-mismatch           a code or a status of this toolkit
//	ERROR_CANTOPEN          the name of a code, with or without what it begins with
//	Received Packets/sec    the English name of a counter or of an object; also
//	                        Object\Counter and whole paths
func Words(words ...string) []Answer {
	var answers []Answer
	for i := 0; i < len(words); {
		word := strings.TrimSpace(words[i])
		parts, problem := withData(word)
		if parts != nil {
			words = slices.Concat(words[:i], parts, words[i+1:])
			word = parts[0]
		}
		rest := words[i+1:]
		n := 0 // of rest that belong to word
		var a Answer
		switch provider, id, ok := strings.Cut(strings.ToLower(word), ":"); {
		case problem != "":
			a = Answer{Problem: problem}
		case isEvent(word):
			var data []uint32
			for _, w := range rest {
				d, ok := dword(w)
				if !ok {
					break
				}
				data = append(data, d)
				n++
			}
			a = event(Source(provider), id, data)
			word = strings.Join(words[i:i+1+n], " ")
		case ok && provider == string(Flags):
			a = flags(id)
		default:
			if joined, ok := byteWords(words[i:]); ok {
				n = 3
				word = strings.Join(words[i:i+4], " ")
				a = Answer{Readings: []Reading{eventData(joined)}}
			} else {
				a = one(word)
			}
		}
		a.Word = word
		answers = append(answers, a)
		i += 1 + n
	}
	return answers
}
