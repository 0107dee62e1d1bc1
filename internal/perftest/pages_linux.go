package perftest

import (
	"syscall"
	"testing"
)

// madvHugepage asks the kernel for pages of 2 MB.
const madvHugepage = 14

// LargePages returns a copy of b in memory of large pages, where the kernel has
// them. In small ones, what is larger than the caches costs as much to find as
// to read.
func LargePages(t testing.TB, b []byte) []byte {
	t.Helper()
	m, err := syscall.Mmap(-1, 0, len(b), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(m) })
	if err := syscall.Madvise(m, madvHugepage); err != nil {
		t.Skip("no large pages: ", err)
	}
	copy(m, b)
	return m
}
