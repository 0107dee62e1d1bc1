package cmdutil

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// WriteFile replaces the named file by what write writes. If write fails, an
// existing file stays as it was. A replaced file keeps its mode, and its owner if
// the system allows that; of a link the target is replaced. A device or a pipe is
// written to directly.
func WriteFile(name string, write func(io.Writer) error) error {
	mode := fs.FileMode(0o666)
	old, err := os.Stat(name)
	if err == nil {
		if mode = old.Mode().Perm(); !old.Mode().IsRegular() {
			return writeThrough(name, write)
		}
	}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	} else if _, err := os.Readlink(name); err == nil {
		return outputError(name, errors.New("it is a link to a file that is not there; name that file"))
	}
	t, err := temporary(name, mode)
	if err != nil {
		return outputError(name, err)
	}
	if old != nil {
		keepOwner(t, old)
		_ = t.Chmod(mode) // which the umask has narrowed
	}
	err = write(&file{t, name})
	if syncErr := t.Sync(); err == nil && syncErr != nil {
		err = outputError(name, syncErr)
	}
	if closeErr := t.Close(); err == nil && closeErr != nil {
		err = outputError(name, closeErr)
	}
	if err == nil {
		if renameErr := unfinished.rename(t.Name(), name); renameErr != nil {
			err = outputError(name, renameErr)
		}
	}
	if err != nil {
		unfinished.remove(t.Name())
	}
	return err
}

// ToFile runs a verb with its output into a file, which must not be one of its
// inputs. Inputs that cannot be read are reported, and the file has the rest. If
// nothing is left, or after any other error, no file is made, and an existing one
// stays.
func (f *Factory) ToFile(name string, inputs []string, failFast bool, run func(*Factory) error) error {
	if err := f.Apart(name, inputs...); err != nil {
		return err
	}
	var reported error
	err := WriteFile(name, func(w io.Writer) error {
		to, rest := *f, &counted{w: w}
		to.IO, to.Target = f.IO.To(f.Budget.Writer(rest)), name
		reported = run(&to)
		whole := errors.Is(reported, ErrFindings) || errors.Is(reported, ErrInput) && !failFast
		if whole && rest.n > 0 {
			return nil
		}
		return reported
	})
	if err != nil {
		return err
	}
	return reported
}

// counted counts what is written.
type counted struct {
	w io.Writer
	n int64
}

func (c *counted) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// temporary makes an empty file next to the named one, with the mode of that
// file, or the one that the umask gives.
func temporary(name string, mode fs.FileMode) (*os.File, error) {
	for n := os.Getpid(); ; n++ {
		path := temporaryName(name, n)
		var t *os.File
		err := unfinished.make(path, func() (err error) {
			t, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
			return err
		})
		if !errors.Is(err, fs.ErrExist) {
			return t, err
		}
	}
}

// temporaryName returns a name next to the named file, within the length limit of names.
func temporaryName(name string, n int) string {
	dir, base := filepath.Split(name)
	if len(base) > maxBase {
		base = strings.ToValidUTF8(base[:maxBase], "")
	}
	return filepath.Join(dir, fmt.Sprintf(".%s.%d%s", base, n, temporaryEnd))
}

// maxBase limits how much of a file's name its temporary name repeats.
const maxBase = 200

// temporaryEnd is the suffix of temporary files.
const temporaryEnd = ".tmp"

// isTemporary reports whether a file may be one that is being written.
func isTemporary(name string) bool {
	base := filepath.Base(name)
	return strings.HasPrefix(base, ".") && strings.HasSuffix(base, temporaryEnd)
}

func writeThrough(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return outputError(name, err)
	}
	err = write(&file{f, name})
	if closeErr := f.Close(); err == nil && closeErr != nil {
		err = outputError(name, closeErr)
	}
	return err
}

// file is a file that is being written. Its errors are of the output.
type file struct {
	f    *os.File
	name string // that it will have
}

func (f *file) Write(b []byte) (int, error) {
	n, err := f.f.Write(b)
	if err != nil {
		err = outputError(f.name, err)
	}
	return n, err
}

// outputError marks an error as one of the output. It leaves out the name of a
// temporary file.
func outputError(name string, err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		err = pe.Err
	case errors.As(err, &le):
		err = le.Err
	}
	return fmt.Errorf("%w to %s: %w", ErrOutput, name, err)
}
