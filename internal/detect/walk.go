package detect

import (
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"github.com/perfdump/perfdump"
)

// Walk opens the named inputs in order and closes each after its turn. A directory
// means the files below it, by name; links to directories are not followed. A file
// that is empty or of unknown format is an error if it is named. In a directory it
// is skipped and given to [Options].Passed, as are pipes and the like.
//
// An error comes with an Input that has only a name. The sequence goes on after it.
func Walk(args []string, o Options) iter.Seq2[*Input, error] {
	pass := func(name string) {
		if o.Passed != nil {
			o.Passed(name)
		}
	}
	return func(yield func(*Input, error) bool) {
		one := func(name string, named bool) bool {
			in, err := Open(name, o)
			switch {
			case err == nil:
				more := yield(in, nil)
				_ = in.Close()
				return more
			case !named && (errors.Is(err, perfdump.ErrUnknownFormat) || errors.Is(err, perfdump.ErrEmpty)):
				pass(name)
				return true
			default:
				return yield(&Input{Name: name}, err)
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
					ended = !yield(&Input{Name: name}, ioError(err))
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
