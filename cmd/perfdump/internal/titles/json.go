package titles

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/titles"
)

// document writes the document of a table; with look-ups a partial one, of the
// requested entries only.
func (l *lister) document(s source, entries iter.Seq[titles.Entry]) error {
	o := document.Options{Language: s.language, Kind: &s.kind}
	if !l.selective() {
		return document.WriteTitles(l.w, s.name, s.data, s.table, o)
	}
	wanted := map[uint32]bool{}
	for e := range entries {
		wanted[e.Index] = true
	}
	var whole bytes.Buffer
	if err := document.WriteTitles(&whole, s.name, s.data, s.table, o); err != nil {
		return err
	}
	var out []byte
	d := json.NewDecoder(&whole)
	_, err := d.Token() // {
	for err == nil && d.More() {
		var key json.Token
		if key, err = d.Token(); err != nil {
			break
		}
		var value json.RawMessage
		err = d.Decode(&value)
		switch key {
		case "gaps":
			continue
		case "entries":
			out = append(out, `,"partial":true`...)
			value = chosen(value, s.table, wanted)
		}
		out = fmt.Appendf(out, ",%q:%s", key, value)
	}
	if err != nil {
		return err
	}
	out[0] = '{'
	_, err = l.w.Write(append(out, "}\n"...))
	return err
}

// chosen returns those entries of a list, which has all of a table, that are
// wanted.
func chosen(list json.RawMessage, t *titles.Table, wanted map[uint32]bool) json.RawMessage {
	var all []json.RawMessage
	var kept [][]byte
	_ = json.Unmarshal(list, &all) // it has been decoded
	i := 0
	for e := range t.Entries() {
		if i < len(all) && wanted[e.Index] {
			kept = append(kept, all[i])
		}
		i++
	}
	return slices.Concat([]byte("["), bytes.Join(kept, []byte(",")), []byte("]"))
}
