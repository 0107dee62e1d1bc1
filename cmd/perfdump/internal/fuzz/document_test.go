package fuzz

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/perflib2"
	"github.com/perfdump/perfdump/titles"
)

// FuzzDocument: the document of whatever tolerant mode accepts is JSON and
// encodes to the same bytes.
func FuzzDocument(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > maxInput {
			return
		}
		if blocks, ok := accepted(b); ok {
			var doc bytes.Buffer
			if err := document.WritePerfData(&doc, "x", b, slices.Values(blocks), document.Options{}); err != nil {
				t.Fatal(err)
			}
			comesBack(t, doc.Bytes(), b)
		}
		if block, err := perflib2.Parse(b, perfdump.Options{}); err == nil {
			var doc bytes.Buffer
			if err := document.WritePerfLib2(&doc, "x", b, block, document.Options{}); err != nil {
				t.Fatal(err)
			}
			comesBack(t, doc.Bytes(), b)
		}
		for _, page := range []uint32{0, 1200, 932} {
			table, err := titles.Parse(b, perfdump.Options{CodePage: page})
			if err != nil {
				continue
			}
			var doc bytes.Buffer
			if err := document.WriteTitles(&doc, "x", b, table, document.Options{}); err != nil {
				t.Fatal(err)
			}
			comesBack(t, doc.Bytes(), b)
		}
	})
}

func accepted(b []byte) ([]*perfdata.Block, bool) {
	var blocks []*perfdata.Block
	for blk, err := range perfdata.Blocks(b, perfdump.Options{}) {
		if err != nil {
			return nil, false
		}
		blocks = append(blocks, blk)
	}
	return blocks, true
}

func comesBack(t *testing.T, doc, want []byte) {
	t.Helper()
	if !json.Valid(doc) {
		t.Fatalf("no JSON: %q", doc)
	}
	var got bytes.Buffer
	if err := formats.Encode(&got, bytes.NewReader(doc)); err != nil {
		t.Fatalf("the document is refused: %v\n%s", err, doc)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Fatalf("it encodes to % x\nnot to % x\n%s", got.Bytes(), want, doc)
	}
}

// FuzzEncode: any text is refused, with the place, or encoded, never both;
// what is encoded was JSON, and what decodes of it comes back.
func FuzzEncode(f *testing.F) {
	f.Fuzz(func(t *testing.T, doc []byte) {
		if len(doc) > maxInput {
			return
		}
		var out limited
		err := formats.Encode(&out, bytes.NewReader(doc))
		if errors.Is(err, errLong) {
			return
		}
		if err != nil {
			var fe *perfdump.FormatError
			if !errors.As(err, &fe) || fe.Code == "" || fe.Off < -1 || fe.Error() == "" {
				t.Fatalf("error without a place: %#v", err)
			}
			if out.Len() > 0 {
				t.Fatalf("%v, after %d bytes were written", err, out.Len())
			}
			return
		}
		if !json.Valid(bytes.TrimPrefix(doc, []byte("\xEF\xBB\xBF"))) {
			t.Fatal("it is encoded, but no JSON")
		}
		if blocks, ok := accepted(out.Bytes()); ok {
			var again bytes.Buffer
			if err := document.WritePerfData(&again, "", out.Bytes(), slices.Values(blocks), document.Options{}); err != nil {
				t.Fatal(err)
			}
			comesBack(t, again.Bytes(), out.Bytes())
		}
	})
}

var errLong = errors.New("long enough")

// limited takes a megabyte: a gap may account for far more.
type limited struct{ bytes.Buffer }

func (l *limited) Write(b []byte) (int, error) {
	if l.Len()+len(b) > 1<<20 {
		return 0, errLong
	}
	return l.Buffer.Write(b)
}
