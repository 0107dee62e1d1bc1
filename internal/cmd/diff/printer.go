package diff

import (
	"bufio"
	"io"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/titles"
)

// printer writes differences as they are found.
type printer interface {
	begin(older, newer *detect.Input)
	block(s *capture.SnapshotDiff)
	object(o *capture.ObjectDiff)
	endBlock()
	tables(older, newer *titles.Table, header []capture.FieldChange)
	entry(e capture.TitleDiff)
	said(e *capture.TextDiff)
	blocks(older, newer *ipcblock.Table, header []capture.FieldChange)
	dumps(header []capture.FieldChange)
	pair(layout ipcblock.Layout) // of two dumps: the chunks of these tables follow
	chunk(c *capture.ChunkDiff)
	end(t *total)
	err() error
	flush() error
}

// writer is what all printers write to. An error stays with it.
type writer struct{ w *bufio.Writer }

func newWriter(w io.Writer) writer { return writer{bufio.NewWriterSize(w, 64<<10)} }

func (w writer) text(s string)  { _, _ = w.w.WriteString(s) }
func (w writer) bytes(b []byte) { _, _ = w.w.Write(b) }
func (w writer) flush() error   { return w.w.Flush() }

func (w writer) err() error {
	_, err := w.w.Write(nil)
	return err
}
