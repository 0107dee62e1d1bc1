package info

import (
	"fmt"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/titles"
)

// titles tells of a table of names.
func (p *printer) titles(s *capture.Summary, fact func(name, value string)) {
	t := s.Titles
	if t == nil {
		return
	}
	kind, language := namesOf(s)
	holds := kind + " names"
	if language != "" {
		holds += " in the language " + language + ", as the file is named"
	}
	fact("holds", holds)
	fact("encoding", t.Encoding)
	fact("entries", grouped(int64(t.Entries)))
	if t.Entries > 0 {
		fact("indexes", fmt.Sprintf("%s to %s", grouped(int64(t.First)), grouped(int64(t.Last))))
	}
	if t.BaseIndex > 0 {
		fact("base index", grouped(int64(t.BaseIndex)))
	}
}

// namesOf returns the kind and the language of the names of a table, the
// latter "" where it is not known. The name of a file tells both.
func namesOf(s *capture.Summary) (kind, language string) {
	if language, kind, ok := titles.ParseDatName(s.File); ok {
		return kind.String(), language
	}
	return s.Titles.Kind, ""
}

type titlesKeys struct {
	Kind       string  `json:"kind"`
	Language   *string `json:"language"`
	Encoding   string  `json:"encoding"`
	Entries    int     `json:"entries"`
	FirstIndex *uint32 `json:"first_index"`
	LastIndex  *uint32 `json:"last_index"`
	BaseIndex  *uint32 `json:"base_index"`
}

func newTitlesKeys(s *capture.Summary) *titlesKeys {
	t := s.Titles
	kind, language := namesOf(s)
	k := &titlesKeys{Kind: kind, Language: orNull(language), Encoding: t.Encoding, Entries: t.Entries}
	if t.Entries > 0 {
		k.FirstIndex, k.LastIndex = &t.First, &t.Last
	}
	if t.BaseIndex > 0 {
		k.BaseIndex = &t.BaseIndex
	}
	return k
}
