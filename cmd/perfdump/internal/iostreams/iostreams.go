// Package iostreams holds the streams of a command and what is known of them:
// whether a person looks at them, how wide they are, whether they take colour.
package iostreams

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"

	"golang.org/x/term"
)

// defaultWidth is that of a pipe, and of a terminal of unknown width.
const defaultWidth = 80

// Color says when colour is used.
type Color string

// The values of --color.
const (
	ColorAuto   Color = "auto"
	ColorAlways Color = "always"
	ColorNever  Color = "never"
)

// IOStreams are the streams of one run of a command.
type IOStreams struct {
	In     io.Reader
	Out    io.Writer
	ErrOut io.Writer

	outTTY, errTTY bool

	color Color
	width func() int
	env   func(string) string
}

// System returns the streams of the process.
func System() *IOStreams {
	return &IOStreams{
		In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr,
		outTTY: isTTY(os.Stdout), errTTY: isTTY(os.Stderr),
		color: ColorAuto,
		env:   os.Getenv,
		// The terminal of a pager is found at standard error.
		width: func() int {
			for _, f := range []*os.File{os.Stdout, os.Stderr} {
				if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
					return w
				}
			}
			return defaultWidth
		},
	}
}

// New returns streams of which none is a terminal, whatever the environment says.
func New(in io.Reader, out, errOut io.Writer) *IOStreams {
	return &IOStreams{
		In: in, Out: out, ErrOut: errOut,
		color: ColorAuto,
		env:   func(string) string { return "" },
		width: func() int { return defaultWidth },
	}
}

// Test returns streams into buffers, of which none is a terminal.
func Test() (s *IOStreams, in, out, errOut *bytes.Buffer) {
	in, out, errOut = &bytes.Buffer{}, &bytes.Buffer{}, &bytes.Buffer{}
	return New(in, out, errOut), in, out, errOut
}

func isTTY(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// StdoutTTY reports whether standard output is a terminal.
func (s *IOStreams) StdoutTTY() bool { return s.outTTY }

// StderrTTY reports whether standard error is a terminal.
func (s *IOStreams) StderrTTY() bool { return s.errTTY }

// SetStdoutTTY overrides whether standard output is a terminal, for tests.
func (s *IOStreams) SetStdoutTTY(is bool) { s.outTTY = is }

// SetStderrTTY overrides whether standard error is a terminal, for tests.
func (s *IOStreams) SetStderrTTY(is bool) { s.errTTY = is }

// SetWidth overrides the width, for tests.
func (s *IOStreams) SetWidth(n int) { s.width = func() int { return n } }

// To returns the streams with standard output to w, which is no terminal.
func (s *IOStreams) To(w io.Writer) *IOStreams {
	to := *s
	to.Out, to.outTTY = w, false
	return &to
}

// SetColor takes the value of --color.
func (s *IOStreams) SetColor(c Color) error {
	switch c {
	case ColorAuto, ColorAlways, ColorNever:
		s.color = c
		return nil
	}
	return fmt.Errorf("%q is not auto, always or never", string(c))
}

// Color reports whether standard output takes colour: a terminal does, unless
// NO_COLOR is set or it is a dumb one; --color overrides all of that.
func (s *IOStreams) Color() bool { return s.colorOn(s.outTTY) }

// ErrColor is Color for standard error.
func (s *IOStreams) ErrColor() bool { return s.colorOn(s.errTTY) }

func (s *IOStreams) colorOn(tty bool) bool {
	switch s.color {
	case ColorAlways:
		return true
	case ColorNever:
		return false
	default:
		return tty && s.env("NO_COLOR") == "" && s.env("TERM") != "dumb"
	}
}

// Width returns the columns to lay tables out for: COLUMNS, else those of the
// terminal, else 80.
func (s *IOStreams) Width() int {
	if n, err := strconv.Atoi(s.env("COLUMNS")); err == nil && n > 0 {
		return n
	}
	return s.width()
}
