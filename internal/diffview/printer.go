package diffview

import (
	"bufio"
	"io"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/ipcblock"
)

// Printer writes differences as they are found: what Begin, then what differs,
// then End is told. Of captures that is, for each pair of blocks, Block, its
// objects, EndBlock; of tables of names and of files of text Tables, then each
// entry; of IPC control blocks Blocks, then each chunk; of process dumps Dumps,
// then for each pair of tables Pair and its chunks.
//
// What is written may stand in memory until Flush. An error of the writer below
// stays, and nothing is written after it.
type Printer interface {
	// Begin names the inputs.
	Begin(older, newer *detect.Input)

	// Block begins a pair of blocks, or one that has no pair.
	Block(s *capture.SnapshotDiff)
	// Object writes an object of the block with all that differs in it.
	Object(o *capture.ObjectDiff)
	// EndBlock ends the block.
	EndBlock()

	// Tables begins tables of names, with what is no entry of theirs, or files
	// of text, which have no such header.
	Tables(header []capture.FieldChange)
	// Entry writes an entry of tables of names.
	Entry(e capture.TitleDiff)
	// Said writes an entry of files of text.
	Said(e *capture.TextDiff)

	// Blocks begins tables of IPC control blocks, of which the newer one is of
	// this layout.
	Blocks(layout ipcblock.Layout, header []capture.FieldChange)
	// Dumps begins process dumps.
	Dumps(header []capture.FieldChange)
	// Pair begins a pair of tables that two dumps hold, of this layout.
	Pair(layout ipcblock.Layout)
	// Chunk writes a chunk of the tables.
	Chunk(c *capture.ChunkDiff)

	// End ends the output with what all of it comes to.
	End(t *Total)

	// Err returns the error of the writer below.
	Err() error
	// Flush writes what stands in memory.
	Flush() error
}

// writer is what all printers write to. An error stays with it.
type writer struct{ w *bufio.Writer }

func newWriter(w io.Writer) writer { return writer{bufio.NewWriterSize(w, 64<<10)} }

func (w writer) text(s string)  { _, _ = w.w.WriteString(s) }
func (w writer) bytes(b []byte) { _, _ = w.w.Write(b) }
func (w writer) Flush() error   { return w.w.Flush() }

func (w writer) Err() error {
	_, err := w.w.Write(nil)
	return err
}
