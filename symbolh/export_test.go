package symbolh

import "iter"

// What the tests look at besides the API.

func (f *File) Lines() iter.Seq[line] { return f.lines() }
func (f *File) CodePage() uint32      { return f.text.Encoding().CodePage() }
func (f *File) LineAt(off int64) int  { return f.text.LineAt(off) }

func (l line) Define() (Define, bool) { return l.define() }

// String returns the name of the kind: "define".
func (k lineKind) String() string {
	return [...]string{lineBlank: "blank", lineComment: "comment", lineDefine: "define", lineDirective: "directive", lineCtrlZ: "ctrl-z", lineOther: "other"}[k]
}
