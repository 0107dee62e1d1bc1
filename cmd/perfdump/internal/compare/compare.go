// Package compare finds what differs between two inputs, and writes it as a
// table, a JSON document, or lines of JSON.
//
// A file with one state is given as [Contents]: pairs of a key and a value.
// [Entries] compares two lists of them, [Chunks] the chunks of tables of IPC
// control blocks. Captures are compared object by object by [Captures]. The
// caller passes each difference to a [Printer] and to a [Total] when it is
// found.
package compare

import (
	"errors"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/ipcblock"
)

// Change says how something differs between an older and a newer input.
type Change string

// The changes.
const (
	Gone    Change = "gone"    // only the older has it
	New     Change = "new"     // only the newer has it
	Changed Change = "changed" // both have it, with a difference
	Same    Change = "same"
)

// Pair is a value of an input and its key. The value is a string, an
// int64, a uint64, a [countertypes.Type], or a [time.Time].
type Pair struct {
	Key   string
	Value any
}

// Field is a field that differs. The name is that of dump -o json, the values
// are those of a [Pair].
type Field struct {
	Name         string
	Older, Newer any
}

// fields compares two lists of pairs with their keys in the same order. Keys
// that only one of them has do not count.
func fields(older, newer []Pair) (differ []Field) {
	from := 0
	for _, was := range older {
		for i := from; i < len(newer); i++ {
			is := newer[i]
			if is.Key != was.Key {
				continue
			}
			if from = i + 1; is.Value != was.Value {
				differ = append(differ, Field{was.Key, was.Value, is.Value})
			}
			break
		}
	}
	return differ
}

// Contents is the content of a file with one state. It has Entries or Tables.
type Contents struct {
	Header []Pair // facts about the whole file

	Entries  []Pair // what the file says; each key once, in any case
	Numbered bool   // the keys are numbers, and the differences come in their order

	Tables []*ipcblock.Table // of IPC control blocks
	Dump   bool              // the tables were found in a dump: several may be of one layout

	Part   string                  // what is compared, where the file holds more
	Faults []*perfdump.FormatError // what salvage mode skipped
	Err    error                   // the first error of what could not be read
	Note   string                  // what the user should know
}

// List returns what the contents are a list of: "entries" or "chunks".
func (c *Contents) List() string {
	if c.Dump || c.Tables != nil {
		return "chunks"
	}
	return "entries"
}

// Header compares the facts about whole files.
func Header(older, newer *Contents) []Field { return fields(older.Header, newer.Header) }

// InputError says which of the two inputs has an error.
type InputError struct {
	Newer bool
	Err   error
}

// Error returns the text of the error itself.
func (e *InputError) Error() string { return e.Err.Error() }

// Unwrap returns the error itself.
func (e *InputError) Unwrap() error { return e.Err }

// Errors joins the errors of two inputs, each as an *[InputError]. It returns
// nil if there are none.
func Errors(older, newer error) error {
	var errs []error
	if older != nil {
		errs = append(errs, &InputError{Err: older})
	}
	if newer != nil {
		errs = append(errs, &InputError{Newer: true, Err: newer})
	}
	return errors.Join(errs...)
}
