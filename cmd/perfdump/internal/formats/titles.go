package formats

import (
	"fmt"
	"io"
	"strconv"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/compare"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/titles"
)

var titleTable = Format{
	Name:   detect.Titles,
	Bytes:  hexview.Titles,
	Facts:  factsOf(parseTitles, titleFacts),
	Check:  checkOf(parseTitles, nil),
	Names:  titleNames,
	Reader: document.TitlesReader,
	Document: documentOf(parseTitles, func(out io.Writer, in *detect.Input, t *titles.Table, o document.Options) error {
		return document.WriteTitles(out, in.Name, in.Data, t, o)
	}),
	Contents:     titleContents,
	Database:     true,
	Registration: true,
	hint:         "`perfdump titles` lists its names",
	instead:      map[string]string{"dump": "this is a table of names; name it with --titles, next to a capture (`perfdump titles` lists it)"},
}

func parseTitles(in *detect.Input, o capture.Options) (*titles.Table, error) {
	return titles.ParseAny(in.Data, o.Options)
}

func titleFacts(s *Summary, t *titles.Table) {
	// The name of a file says what it holds better than its text does.
	language, kind, ok := titles.ParseDatName(s.File)
	if !ok {
		language, kind = "", t.Kind()
	}
	var first, last uint32
	for i := range t.All() {
		if last == 0 { // they come in order
			first = i
		}
		last = i
	}
	var low, high, base any
	if t.Len() > 0 {
		low, high = first, last
	}
	if i, _ := t.BaseIndex(); i > 0 {
		base = i
	}
	s.key("kind", kind.String())
	s.key("language", orNil(language))
	holds := kind.String() + " names"
	if language != "" {
		holds += " in the language " + language + ", as the file is named"
	}
	s.line("holds", holds)
	s.fact("encoding", "encoding", t.Encoding().String())
	s.fact("entries", "entries", t.Len())
	s.key("first_index", low)
	s.key("last_index", high)
	if t.Len() > 0 {
		s.line("indexes", table.Grouped(int64(first))+" to "+table.Grouped(int64(last)))
	}
	s.fact("base_index", "base index", base)
	s.about(fmt.Sprintf("%d %s names", t.Len(), t.Kind()))
}

func titleContents(in *detect.Input, o capture.Options) (*compare.Contents, error) {
	t, err := parseTitles(in, o)
	if err != nil {
		return nil, err
	}
	base, _ := t.BaseIndex()
	c := &compare.Contents{Numbered: true, Header: []compare.Pair{
		{Key: "kind", Value: t.Kind().String()},
		{Key: "encoding", Value: t.Encoding().String()},
		{Key: "base_index", Value: uint64(base)},
	}}
	for i, text := range t.All() {
		c.Entries = append(c.Entries, compare.Pair{Key: strconv.FormatUint(uint64(i), 10), Value: text})
	}
	return c, nil
}
