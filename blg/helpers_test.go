package blg_test

import (
	"fmt"
	"io"
	"iter"
	"strings"
	"testing"

	"github.com/perfdump/perfdump/blg"
)

// dump writes all that records hold as text.
func dump(t testing.TB, records iter.Seq2[*blg.Record, error]) string {
	t.Helper()
	var b strings.Builder
	for rec, err := range records {
		if err != nil {
			fmt.Fprintf(&b, "error %v\n", err)
			continue
		}
		fmt.Fprintf(&b, "record %s %s %s\n", rec.LocalTime().Format("2006-01-02 15:04:05.000"), rec.Offset, rec.Source)
		for i, s := range rec.All() {
			path := "-"
			if s.Item != nil {
				path = s.Item.Path.String()
			}
			fmt.Fprintf(&b, "  %d %s %s 0x%x %d\n", i, s.Kind, path, s.Status, s.Local)
			for k, v := range s.Values() {
				fmt.Fprintf(&b, "    %d %q#%d %+v\n", k, v.Name(), v.Occurrence, v.Sample)
			}
			if s.Kind == blg.Object {
				blk, err := s.Block()
				if err != nil {
					fmt.Fprintf(&b, "    error %v\n", err)
					continue
				}
				for _, o := range blk.Objects() {
					fmt.Fprintf(&b, "    object %d, %v\n", o.ObjectNameTitleIndex, o.AppendUint64s(nil))
				}
			}
		}
	}
	return b.String()
}

// next returns the next record of a reader, or io.EOF behind the last one.
func next(r *blg.Reader) (*blg.Record, error) {
	for rec, err := range r.Records() {
		return rec, err
	}
	return nil, io.EOF
}
