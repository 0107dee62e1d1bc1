package detect

import (
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"github.com/perfdump/perfdump"
)

// Walk opens the named inputs in their order by [OpenAny] and closes each at
// the end of its turn. A directory stands for
// the files below it in the order of their names. Files of unknown format, or
// with nothing in them, are an error where they are named and passed over in a
// directory, which [Options].Passed is told; so is what is no file there, such
// as a pipe. Links to directories are not followed.
//
// An error comes with an Input that has only a name. The sequence goes on
// after it.
func Walk(args []string, o Options) iter.Seq2[*Input, error] {
	return func(yield func(*Input, error) bool) {
		for in, err := range walk(args, o, OpenAny, func(name string) *Input { return &Input{Name: name} }) {
			more := yield(in, err)
			_ = in.Close()
			if !more {
				return
			}
		}
	}
}

// WalkAt is [Walk] by [OpenAt]. The files yielded are the caller's to close; a
// File that comes with an error has only a name.
func WalkAt(args []string, o Options) iter.Seq2[*File, error] {
	return walk(args, o, OpenAt, func(name string) *File { return &File{Name: name} })
}

func walk[T any](args []string, o Options, open func(string, Options) (T, error), none func(string) T) iter.Seq2[T, error] {
	pass := func(name string) {
		if o.Passed != nil {
			o.Passed(name)
		}
	}
	return func(yield func(T, error) bool) {
		one := func(name string, named bool) bool {
			in, err := open(name, o)
			switch {
			case err == nil:
				return yield(in, nil)
			case !named && (errors.Is(err, perfdump.ErrUnknownFormat) || errors.Is(err, perfdump.ErrEmpty)):
				pass(name)
				return true
			default:
				return yield(none(name), err)
			}
		}
		for _, arg := range args {
			if info, err := os.Stat(arg); arg == "-" || err != nil || !info.IsDir() {
				if !one(arg, true) {
					return
				}
				continue
			}
			ended := false
			// The function below returns no error but SkipAll and SkipDir.
			_ = filepath.WalkDir(arg, func(name string, d fs.DirEntry, err error) error {
				if name == "-" { // a file of that name, found in "."
					name = "." + string(filepath.Separator) + name
				}
				switch {
				case err != nil:
					ended = !yield(none(name), ioError(err))
				case d.IsDir():
				case isFile(name):
					ended = !one(name, false)
				default:
					pass(name)
				}
				if ended {
					return fs.SkipAll
				}
				return nil
			})
			if ended {
				return
			}
		}
	}
}

// isFile reports whether name is a regular file, or a link to one: opening a
// pipe would wait for its other end.
func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
