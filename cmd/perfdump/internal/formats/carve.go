package formats

import (
	"io"
	"iter"

	"github.com/perfdump/perfdump/internal/carve"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/ipcblock"
)

// carved is the search for blocks in any bytes; what it finds is of other formats.
var carved = Format{
	Name:   detect.Carve,
	Search: true,
	hint:   "`perfdump info --format carve` lists what is found, `perfdump dump --format carve` shows it",
}

// Found is a block or a table of IPC control blocks that is in another file.
type Found struct {
	Offset, Size int64
	Format       detect.Format
	Partial      bool   // the end of the file cuts it
	Host         string // of a block of perfdata
}

// Carve yields what is in a file, in order of offset.
func Carve(r io.ReaderAt, size int64) iter.Seq2[Found, error] {
	return inOrder(carvedBlocks(r, size), carvedTables(r, size))
}

func carvedBlocks(r io.ReaderAt, size int64) iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		for b, err := range carve.Scan(r, size) {
			if !yield(Found{Offset: b.Offset, Size: b.Length, Format: detect.PerfData, Partial: b.Partial, Host: b.Host}, err) {
				return
			}
		}
	}
}

func carvedTables(r io.ReaderAt, size int64) iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		for c, err := range ipcblock.Scan(r, size, ipcblock.FindOptions{Anywhere: true}) {
			if !yield(Found{Offset: c.Offset, Size: int64(c.Size), Format: detect.IPCBlock}, err) {
				return
			}
		}
	}
}

// inOrder merges two sequences by offset, errors included.
func inOrder(a, b iter.Seq2[Found, error]) iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		nextA, stopA := iter.Pull2(a)
		defer stopA()
		nextB, stopB := iter.Pull2(b)
		defer stopB()
		x, errX, okX := nextA()
		y, errY, okY := nextB()
		for okX || okY {
			if okX && (!okY || errX != nil || errY == nil && x.Offset <= y.Offset) {
				if !yield(x, errX) {
					return
				}
				x, errX, okX = nextA()
				continue
			}
			if !yield(y, errY) {
				return
			}
			y, errY, okY = nextB()
		}
	}
}
