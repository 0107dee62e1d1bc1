package fuzz

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/opened"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/ipcblock"
)

// FuzzIPCDocument: the document of whatever tolerant mode accepts as IPC
// control blocks, bad chunks included, is JSON and encodes to the same bytes.
func FuzzIPCDocument(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > maxInput {
			return
		}
		table, err := ipcblock.Parse(b, ipcblock.Options{})
		if err != nil {
			return
		}
		var doc bytes.Buffer
		if err := document.WriteIPCBlock(&doc, "x", b, table, document.Options{}); err != nil {
			t.Fatal(err)
		}
		comesBack(t, doc.Bytes(), b)
	})
}

// FuzzImage: whatever is searched as a process dump or as raw memory has a
// document that is JSON, whose tables encode to the bytes that were found; what
// is checked and summed up there is so in each mode.
func FuzzImage(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > maxInput {
			return
		}
		for _, format := range []detect.Format{detect.Minidump, detect.Memory} {
			in := &detect.Input{Name: "x", Format: format, Data: b}
			for _, mode := range modes {
				for finding := range formats.Of(format).Findings(in, capture.Options{Options: perfdump.Options{Mode: mode}}) {
					if finding.Code == "" || finding.Offset < -1 || finding.Offset > int64(len(b)) {
						t.Fatalf("%+v", finding)
					}
				}
				formats.Inspect(in, capture.Options{Options: perfdump.Options{Mode: mode}}, formats.View{})
			}
			imageDocument(t, in)
		}
	})
}

func imageDocument(t *testing.T, in *detect.Input) {
	t.Helper()
	m, err := capture.OpenImage(opened.Input(in), perfdump.Options{})
	if err != nil {
		checkError(t, in.Data, err)
		return
	}
	var out bytes.Buffer
	if err := document.WriteImage(&out, m, document.Options{}, func(error) {}); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Tables []struct{ Document json.RawMessage }
	}
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatalf("%v\n%s", err, out.Bytes())
	}
	n := 0
	for found, err := range m.Tables() {
		if err != nil {
			continue
		}
		if n == len(doc.Tables) {
			t.Fatalf("%d tables, the document has fewer", n+1)
		}
		comesBack(t, doc.Tables[n].Document, found.Data)
		n++
	}
	if n != len(doc.Tables) {
		t.Fatalf("%d tables, the document has %d", n, len(doc.Tables))
	}
}
