package perfdump

import (
	"errors"
	"fmt"
)

// The causes of a [FormatError], for errors.Is. An error caused by the end of a truncated
// file Is ErrTruncated as well as its own cause.
var (
	ErrEmpty         = errors.New("empty input")
	ErrTruncated     = errors.New("input is cut short")
	ErrSignature     = errors.New("wrong signature")
	ErrBigEndian     = errors.New("big-endian data is not supported")
	ErrLength        = errors.New("bad length")
	ErrCount         = errors.New("bad count")
	ErrLimit         = errors.New("limit exceeded")
	ErrSyntax        = errors.New("syntax error")
	ErrReadOnly      = errors.New("format is read only")
	ErrUnknownFormat = errors.New("unknown format")
	ErrIO            = errors.New("input/output error")
	ErrAnomaly       = errors.New("anomaly in strict mode")
)

// Code is the short name of an error or an anomaly, as in the JSON output and the
// documentation: "length", "size-mismatch".
type Code string

// The codes of errors. Codes of anomalies belong to each format's package.
const (
	// CodeEmpty: the input is empty.
	CodeEmpty Code = "empty"
	// CodeTruncated: the input ends within the first header, or a compressed file is incomplete.
	CodeTruncated Code = "truncated"
	// CodeSignature: the input does not begin with the signature of its format.
	CodeSignature Code = "signature"
	// CodeBigEndian: the input is big-endian.
	CodeBigEndian Code = "big-endian"
	// CodeLength: a length or an offset is out of range.
	CodeLength Code = "length"
	// CodeCount: there are fewer bytes than the number of parts needs.
	CodeCount Code = "count"
	// CodeLimit: a limit was exceeded that protects memory from malicious files.
	CodeLimit Code = "limit"
	// CodeSyntax: the text does not follow the format.
	CodeSyntax Code = "syntax"
	// CodeReadOnly: the format can be read but not written.
	CodeReadOnly Code = "read-only"
	// CodeUnknownFormat: the content is of no format that perfdump knows, or of one that the verb
	// does not read.
	CodeUnknownFormat Code = "unknown-format"
	// CodeIO: the system cannot open, read or write the file.
	CodeIO Code = "io"
)

var causes = map[Code]error{
	CodeEmpty:         ErrEmpty,
	CodeTruncated:     ErrTruncated,
	CodeSignature:     ErrSignature,
	CodeBigEndian:     ErrBigEndian,
	CodeLength:        ErrLength,
	CodeCount:         ErrCount,
	CodeLimit:         ErrLimit,
	CodeSyntax:        ErrSyntax,
	CodeReadOnly:      ErrReadOnly,
	CodeUnknownFormat: ErrUnknownFormat,
	CodeIO:            ErrIO,
}

// FormatError is an error in a file: what is wrong, where, and by how much.
type FormatError struct {
	Code Code   // the cause in a word
	Off  int64  // the byte offset in the input, -1 where there is none
	Path string // the place in the words of the format: object[12].instance[3]
	Err  error  // what is wrong there; wraps a cause such as ErrLength
}

// NewError returns a FormatError whose Err has the formatted text and Is the cause of code,
// or ErrAnomaly if code is not that of an error.
func NewError(code Code, off int64, path Path, format string, args ...any) *FormatError {
	cause, ok := causes[code]
	if !ok {
		cause = ErrAnomaly
	}
	return &FormatError{Code: code, Off: off, Path: path.String(), Err: &detail{fmt.Sprintf(format, args...), cause}}
}

// Truncated returns a copy of e that Is also ErrTruncated, for input that ends before its
// declared end.
func (e *FormatError) Truncated() *FormatError {
	t := *e
	t.Err = &cut{e.Err}
	return &t
}

func (e *FormatError) Error() string {
	var place, off string
	if e.Path != "" {
		place = e.Path + ": "
	}
	if e.Off >= 0 {
		off = fmt.Sprintf(" (offset 0x%x)", e.Off)
	}
	return place + e.Message() + off
}

// Message returns what is wrong, without the position.
func (e *FormatError) Message() string {
	if e.Err == nil {
		return string(e.Code)
	}
	return e.Err.Error()
}

func (e *FormatError) Unwrap() error { return e.Err }

// detail is a text with a cause.
type detail struct {
	text  string
	cause error
}

func (d *detail) Error() string { return d.text }
func (d *detail) Unwrap() error { return d.cause }

// cut adds ErrTruncated to an error.
type cut struct{ err error }

func (c *cut) Error() string   { return c.err.Error() + "; the input is cut short" }
func (c *cut) Unwrap() []error { return []error{c.err, ErrTruncated} }
