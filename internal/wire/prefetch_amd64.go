//go:build !purego

package wire

// Prefetch asks memory for the bytes of b in whole cache lines of 64, without
// waiting for them. Go has no way to say so outside its runtime. It is worth
// its while where much is read in order and little is done with each byte:
// processors ask ahead by themselves, but not far enough to hide that memory
// is further away than their caches.
//
//go:noescape
func Prefetch(b []byte)
