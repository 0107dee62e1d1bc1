package titles

import (
	"encoding/json"
	"io"
	"iter"

	"github.com/perfdump/perfdump/document"
	"github.com/perfdump/perfdump/titles"
)

// document writes the document of a table; with look-ups a partial one, of the
// entries alone that were asked for.
func (l *lister) document(s source, entries iter.Seq[titles.Entry]) error {
	t := s.table
	in := document.Titles{Name: s.name, Data: s.data, Table: t}
	o := document.Options{Language: s.language, Kind: &s.kind}
	if !l.selective() {
		return document.WriteTitles(l.w, in, o)
	}
	wanted := map[uint32]bool{}
	for e := range entries {
		wanted[e.Index] = true
	}
	r, w := io.Pipe()
	go func() { w.CloseWithError(document.WriteTitles(w, in, o)) }()
	defer func() { _ = r.Close() }()
	return choose(l.w, r, t.Entries(), wanted)
}

// choose copies the document of a table with those of its entries that are
// wanted. Without the others it is partial.
func choose(to io.Writer, from io.Reader, entries iter.Seq[titles.Entry], wanted map[uint32]bool) error {
	d := json.NewDecoder(from)
	w := &chunks{w: to}
	comma := byte('{')
	if _, err := d.Token(); err != nil { // {
		return err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		switch key {
		case "gaps":
			if err := d.Decode(&value); err != nil {
				return err
			}
			continue
		case "entries":
			w.b = append(append(w.b, comma), `"partial":true,"entries":[`...)
			if err := chooseEntries(w, d, entries, wanted); err != nil {
				return err
			}
			w.b = append(w.b, ']')
		default:
			if err := d.Decode(&value); err != nil {
				return err
			}
			name, _ := key.(string) // as all keys of an object
			w.b = append(append(w.b, comma, '"'), name...)
			w.b = append(append(w.b, '"', ':'), value...)
		}
		comma = ','
	}
	w.b = append(w.b, "}\n"...)
	return w.flush(0)
}

// chooseEntries copies the entries of a document, which are those of the table
// in their order.
func chooseEntries(w *chunks, d *json.Decoder, entries iter.Seq[titles.Entry], wanted map[uint32]bool) error {
	if _, err := d.Token(); err != nil { // [
		return err
	}
	next, stop := iter.Pull(entries)
	defer stop()
	n := 0
	var value json.RawMessage
	for d.More() {
		if err := d.Decode(&value); err != nil {
			return err
		}
		if e, ok := next(); !ok || !wanted[e.Index] {
			continue
		}
		if n++; n > 1 {
			w.b = append(w.b, ',')
		}
		w.b = append(w.b, value...)
		if err := w.flush(chunk); err != nil {
			return err
		}
	}
	_, err := d.Token() // ]
	return err
}
