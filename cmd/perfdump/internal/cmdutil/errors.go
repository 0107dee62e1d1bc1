// Package cmdutil holds what all verbs share: how they fail, report, find
// their inputs and write their output.
package cmdutil

import (
	"errors"
	"fmt"
)

// The exit codes, as `perfdump help exit-codes` explains them.
const (
	ExitOK          = 0
	ExitFindings    = 1
	ExitInput       = 2
	ExitUsage       = 3
	ExitInterrupted = 130 // by Ctrl-C; of other signals 128 and their number
)

// Errors of verbs that have already reported everything.
var (
	ErrFindings = errors.New("findings")         // exit code 1
	ErrInput    = errors.New("unreadable input") // exit code 2
	ErrNoVerb   = errors.New("no such verb")     // exit code 3
)

// UsageError says that the command line is wrong, or asks for something that
// the format does not have.
type UsageError struct {
	Text string
	Hint string // what to try, "" for nothing
}

func (e *UsageError) Error() string { return e.Text }

// Usagef returns a UsageError without a hint.
func Usagef(format string, args ...any) *UsageError {
	return &UsageError{Text: fmt.Sprintf(format, args...)}
}
