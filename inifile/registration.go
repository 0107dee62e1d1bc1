package inifile

import "iter"

// The names of the sections and of the keys of [info], in lower case.
const (
	nameInfo      = "info"
	nameLanguages = "languages"
	nameObjects   = "objects"
	nameText      = "text"

	keyDriverName = "drivername"
	keySymbolFile = "symbolfile"
	keyTrusted    = "trusted"
)

// DriverName returns the value of drivername in [info], the name of the service key, or "".
func (f *File) DriverName() string { return f.info(keyDriverName) }

// SymbolFile returns the value of symbolfile in [info], the name or path of the .h file, or
// "".
func (f *File) SymbolFile() string { return f.info(keySymbolFile) }

func (f *File) info(key string) string {
	l, _ := f.Get(nameInfo, key)
	return l.Value()
}

// Trusted reports whether [info] has the key trusted, with any value.
func (f *File) Trusted() bool {
	_, ok := f.Get(nameInfo, keyTrusted)
	return ok
}

// Language is a line of [languages].
type Language struct {
	ID   string // as spelled: "009", "00C"
	Name string // ignored by Windows
	Line int
}

// Languages yields the lines of [languages], including duplicates and invalid ids.
func (f *File) Languages() iter.Seq[Language] {
	return func(yield func(Language) bool) {
		for l := range f.Keys(nameLanguages) {
			if !yield(Language{l.Key(), l.Value(), l.Number}) {
				return
			}
		}
	}
}

// Object is a line of [objects].
type Object struct {
	Symbol   string // as spelled
	Language string // as spelled: "009"; the loader looks at the symbol only
	Line     int
}

// Objects yields the lines of [objects] whose keys have the form
// symbol_langid_NAME; the others are anomalies of code "key-form". One object
// may be listed for several languages.
func (f *File) Objects() iter.Seq[Object] {
	return func(yield func(Object) bool) {
		for l := range f.Keys(nameObjects) {
			symbol, language, kind, ok := splitKey(l.Key())
			if ok && kind == Name && !yield(Object{symbol, language, l.Number}) {
				return
			}
		}
	}
}

// HasObjects reports whether there is a section [objects]. Without it Windows
// calls the provider for every query.
func (f *File) HasObjects() bool { return f.hasSection(nameObjects) }

// Text is a line of [text]: a name or an explanation in a language.
type Text struct {
	Symbol   string // as spelled
	Language string // as spelled: "009"; may be no language
	Kind     Kind
	Text     string // without blanks and TABs around it, as the loader stores it
	Line     int
}

// Texts yields the lines of [text] whose keys have the form symbol_langid_NAME
// or symbol_langid_HELP; the others are anomalies of code "key-form".
// Duplicates are among them: the first counts.
func (f *File) Texts() iter.Seq[Text] {
	return func(yield func(Text) bool) {
		for l := range f.Keys(nameText) {
			symbol, language, kind, ok := splitKey(l.Key())
			if ok && !yield(Text{symbol, language, kind, l.Value(), l.Number}) {
				return
			}
		}
	}
}
