package hexview

import (
	"bytes"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/registry"
)

// hiveFile is a file of the registry and what it says of counters.
type hiveFile struct {
	*registry.Hive
	view *registry.View
}

// Hive returns the document of a file of the registry, cell by cell.
func Hive(b []byte, in Input) *Document {
	open := func(o perfdump.Options) (h hiveFile, err error) {
		if h.Hive, err = registry.OpenHive(bytes.NewReader(b), int64(len(b)), o); err == nil {
			h.view, err = h.View()
		}
		return h, err
	}
	_, first := open(in.Options)
	// What salvage mode skips is shown, with a remark.
	in.Mode = perfdump.Salvage
	h, err := open(in.Options)
	if err != nil {
		return unreadable(b, in, first, err)
	}
	d := newDocument(b, in, "bin", "cell")
	d.Spans, d.Err, d.Keeps = h.Spans(), first, [4]int{3, 12}
	d.remark(slices.Collect(h.view.Faults()), h.view.Anomalies().Kept()...)
	return d
}
