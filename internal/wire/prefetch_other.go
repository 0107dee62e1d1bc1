//go:build !amd64 || purego

package wire

// Prefetch does nothing here: what is read is not asked for ahead.
func Prefetch([]byte) {}
