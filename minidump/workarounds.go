package minidump

// listPadding is what Breakpad's writers of 64 bits put behind the count of a
// list, so that the entries begin on 8 bytes. Nothing but the stream's size
// gives it away.
const listPadding = 4

func padded(size int64, n, entry uint64) bool {
	return n > 0 && uint64(size) == listHeaderSize+listPadding+n*entry
}
