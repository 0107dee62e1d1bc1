package info

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
)

type errorKeys struct {
	Code    perfdump.Code `json:"code"`
	Offset  *int64        `json:"offset"`
	Path    string        `json:"path"`
	Message string        `json:"message"`
}

// writeJSON writes the document of a summary.
func writeJSON(w io.Writer, s *formats.Summary) error {
	errs := []errorKeys{}
	for _, fe := range s.Errors {
		e := errorKeys{Code: fe.Code, Path: fe.Path, Message: fe.Message()}
		if fe.Off >= 0 {
			e.Offset = &fe.Off
		}
		errs = append(errs, e)
	}
	var packed any
	if s.Packed != "" {
		packed = s.Packed
	}
	keys := []formats.Key{{Name: "file", Value: s.File}, {Name: "format", Value: s.Format}, {Name: "size", Value: s.Size}, {Name: "packed", Value: packed}}
	keys = append(append(keys, s.Keys...), formats.Key{Name: "anomalies", Value: s.Anomalies}, formats.Key{Name: "errors", Value: errs})
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for i, k := range keys {
		_, _ = fmt.Fprintf(&b, "%c%q:", "{,"[min(i, 1)], k.Name)
		if err := e.Encode(k.Value); err != nil {
			return err
		}
		b.Truncate(b.Len() - 1) // the line end
	}
	_, err := w.Write(append(b.Bytes(), "}\n"...))
	return err
}
