package inifile

import (
	"strings"

	"gopkg.in/ini.v1"

	"github.com/perfdump/perfdump"
)

// maxINI bounds what is handed to ini.v1, which looks for each new name among
// all before it.
const maxINI = 50_000

// INIOptions returns the options under which ini.v1 reads decoded .ini files
// with the least harm. [File.INI] has them; docs/inifile.md tells what is
// still wrong where ini.v1 reads a file itself.
func INIOptions() ini.LoadOptions {
	return ini.LoadOptions{
		KeyValueDelimiters:         "=",
		IgnoreInlineComment:        true,
		IgnoreContinuation:         true,
		PreserveSurroundedQuote:    true,
		SkipUnrecognizableLines:    true,
		ChildSectionDelimiter:      "\x00",
		Insensitive:                true,
		AllowShadows:               true,
		AllowDuplicateShadowValues: true,
	}
}

// INI returns the keys as the familiar *ini.File, for look-ups in code that
// has one. It is filled from f, not read again by ini.v1, so that none of
// what ini.v1 would lose or refuse is lost: the values are those of
// [Line.Value], keys before the first section are in "DEFAULT". Names are in
// lower case; of a duplicate key [ini.Key.Value] is the first and
// [ini.Key.ValueWithShadows] has all that are not empty. It shares nothing
// with f; comments are not in it.
//
// Read values by Key.Value. Key.String expands %(name)s by look-ups, and a value
// that leads back to itself overflows the stack, which ends the process and
// cannot be recovered from; so do MustInt, Bool and whatever else goes by
// Key.String. What such calls do with the values of a file is the caller's
// concern. Do not write it back: ini.v1 keeps neither lines nor blanks nor
// encoding; [File.Edit] does.
//
// The error is ErrLimit for more than 50,000 keys and sections, since ini.v1's
// time grows with the square of them. The memory is ini.v1's, about 0.5 KB a
// key.
func (f *File) INI() (*ini.File, error) {
	if n := f.keys + len(f.sections) - 1; n > maxINI {
		return nil, perfdump.NewError(perfdump.CodeLimit, 0, perfdump.Path{}, "%d keys and sections; ini.v1 takes too long for more than %d", n, maxINI)
	}
	out := ini.Empty(INIOptions())
	in := out.Section(ini.DefaultSection)
	for l := range f.Lines() {
		var err error
		switch l.Kind {
		case Section:
			in = out.Section(ini.DefaultSection)
			if l.Section != "" {
				// In lower case, since ini.v1 keeps "DEFAULT" as it is, where its
				// own look-ups do not find it.
				in, err = out.NewSection(strings.ToLower(l.Section))
			}
		case Key:
			_, err = in.NewKey(l.Key(), l.Value())
		case Blank, Comment, CtrlZ, Other:
		}
		if err != nil { // of names that are empty, which are dealt with above
			return nil, perfdump.NewError(perfdump.CodeSyntax, l.Off, l.path(), "line %d: ini.v1: %v", l.Number, err)
		}
	}
	return out, nil
}
