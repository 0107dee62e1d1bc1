package inifile

// What the tests look at besides the API.

func (f *File) CodePage() uint32            { return f.text.Encoding().CodePage() }
func (f *File) HasSection(name string) bool { return f.hasSection(name) }
func (f *File) LineAt(off int64) int        { return f.text.LineAt(off) }

func (l Line) Raw() []byte   { return l.line.Raw }
func (l Line) EOL() string   { return l.line.EOL() }
func (l Line) Inverts() bool { return l.line.Inverts() }

// Places returns where the line, its key and its value begin in the file.
func (l Line) Places() [3]int { return [...]int{l.line.Off, l.line.Off + l.a, l.line.Off + l.c} }

// String returns the name of the kind: "key".
func (k LineKind) String() string {
	return [...]string{blank: "blank", comment: "comment", Section: "section", Key: "key", ctrlZ: "ctrl-z", Other: "other"}[k]
}
