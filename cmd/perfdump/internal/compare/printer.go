package compare

import "github.com/perfdump/perfdump/internal/detect"

// Printer writes differences when they are found: Begin, what differs, End. For
// captures that is for each pair of blocks Block, its objects, EndBlock; for
// other files each entry or chunk.
//
// Output may be buffered until Flush. An error of the underlying writer stays,
// and nothing is written after it.
type Printer interface {
	// Begin begins the output. The total has its List.
	Begin(older, newer *detect.Input, header []Field, t *Total)

	// Block begins a pair of blocks, or one that has no pair.
	Block(b *Block)
	// Object writes an object of the block with all that differs in it.
	Object(o *Object)
	// EndBlock ends the block.
	EndBlock()

	Entry(e *Entry)
	Chunk(c *Chunk)

	// End ends the output with the total.
	End()

	// Err returns the error of the underlying writer.
	Err() error
	// Flush writes what is buffered.
	Flush() error
}
