package inifile

import (
	"strings"

	"gopkg.in/ini.v1"

	"github.com/perfdump/perfdump"
)

// maxINI limits the number of keys and sections passed to ini.v1, which compares each new
// name with all before it.
const maxINI = 50_000

// INI returns the keys as the familiar *ini.File, for look-ups in code that
// has one. It is filled from f, not read again by ini.v1, so none of what
// ini.v1 would lose or refuse is lost: the values are those of [Line.Value],
// keys before the first section are in "DEFAULT". Names are in lower case; of a
// duplicate key [ini.Key.Value] is the first and [ini.Key.ValueWithShadows] has
// all that are not empty. It shares nothing with f; comments are not in it.
//
// Read values by Key.Value. Key.String and all that uses it, such as MustInt,
// expand %(name)s, and a value that leads back to itself overflows the stack,
// which ends the process. Do not write it back: ini.v1 keeps neither lines nor
// blanks nor encoding; [File.Edit] does.
//
// The error is ErrLimit for more than 50,000 keys and sections, since ini.v1's
// time grows with their square. The memory is ini.v1's, about 0.5 KB a key.
func (f *File) INI() (*ini.File, error) {
	if n := f.keys + len(f.sections) - 1; n > maxINI {
		return nil, perfdump.NewError(perfdump.CodeLimit, 0, perfdump.Path{}, "%d keys and sections; ini.v1 takes too long for more than %d", n, maxINI)
	}
	out := ini.Empty(ini.LoadOptions{Insensitive: true, AllowShadows: true, AllowDuplicateShadowValues: true, ChildSectionDelimiter: "\x00"})
	in := out.Section(ini.DefaultSection)
	for l := range f.Lines() {
		var err error
		switch {
		case l.Kind == Section && l.Section == "":
			in = out.Section(ini.DefaultSection)
		case l.Kind == Section:
			// In lower case, since ini.v1 keeps "DEFAULT" as it is, where its
			// own look-ups do not find it.
			in, err = out.NewSection(strings.ToLower(l.Section))
		case l.Kind == Key:
			_, err = in.NewKey(l.Key(), l.Value())
		}
		if err != nil { // of names that are empty, which are handled above
			return nil, perfdump.NewError(perfdump.CodeSyntax, int64(l.line.Off), l.line.Path(), "line %d: ini.v1: %v", l.Number, err)
		}
	}
	return out, nil
}
