// Package cooked gives the cooked values of the recordings of package story,
// which itself imports no reader of them.
package cooked

import (
	"bytes"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/testkit/story"
)

// Recording opens a log.
func Recording(r *story.Recording, o capture.Options, c capture.CookOptions) (*capture.Recording, error) {
	rec := capture.NewRecording(o, c)
	return rec, rec.Add(&capture.Input{Name: r.File, At: bytes.NewReader(r.Log), Size: int64(len(r.Log))})
}

// CSV returns a log as PDH-CSV, as perfdump cook -o pdh-csv writes it.
func CSV(r *story.Recording) ([]byte, error) {
	rec, err := Recording(r, capture.Options{}, capture.CookOptions{ByName: true})
	if err != nil {
		return nil, err
	}
	series, err := rec.Columns()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w, err := export.NewCooked(&b, "pdh-csv", export.Options{Series: series})
	if err != nil {
		return nil, err
	}
	for f, err := range rec.Frames() {
		if err != nil {
			return nil, err
		}
		if err := w.WriteFrame(f); err != nil {
			return nil, err
		}
	}
	err = w.Close()
	return b.Bytes(), err
}
