package fuzz

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/document"
	"github.com/perfdump/perfdump/ipcblock"
)

// FuzzIPCDocument: the document of whatever tolerant mode accepts as IPC
// control blocks, bad chunks included, is JSON and encodes to the same bytes.
func FuzzIPCDocument(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > maxIPCInput {
			return
		}
		table, err := ipcblock.Parse(b, ipcblock.Options{})
		if err != nil {
			return
		}
		var doc bytes.Buffer
		if err := document.WriteIPCBlock(&doc, document.IPCBlock{Name: "x", Data: b, Table: table}, document.Options{}); err != nil {
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
		if len(b) > maxIPCInput {
			return
		}
		for _, format := range []detect.Format{detect.Minidump, detect.Memory} {
			in := &detect.Input{Name: "x", Format: format, Data: b}
			for _, mode := range modes {
				for finding := range capture.Check(in, capture.Options{Mode: mode}) {
					if finding.Code == "" || finding.Offset < -1 || finding.Offset > int64(len(b)) {
						t.Fatalf("%+v", finding)
					}
				}
				capture.Inspect(in, capture.Options{Mode: mode})
			}
			imageDocument(t, in)
		}
	})
}

func imageDocument(t *testing.T, in *detect.Input) {
	t.Helper()
	m, err := capture.OpenImage(in, capture.Options{})
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
