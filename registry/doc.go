// Package registry reads what the registry of Windows says of performance
// counters: from its own files, the hives SYSTEM and SOFTWARE, and from the text
// that regedit writes, .reg files, which it writes and edits too. The formats'
// pages are docs/hive.md and docs/reg.md.
//
//	h, err := registry.NewHive(file, size, registry.Options{})
//	if err != nil {
//		return err
//	}
//	v, err := h.View()
//	if err != nil {
//		return err
//	}
//	for i := range v.Providers {
//		p := &v.Providers[i]
//		first, ok := p.Uint32(registry.FirstCounter)
//		…
//	}
//
// A [View] is the same whichever file it is made of: the services that
// register counters, each with all values of its keys and their places, and
// Perflib, the key of the table of names.
//
// # Promise
//
// No input makes this package panic or hang. Each reference, length and count
// of a hive is checked against the cell that it stands in before it is used,
// nothing is followed in circles, and a view reads no more bytes than the hive
// has, however its cells refer to each other; memory stays below 64 MiB plus
// four times the input. What is damaged is an error with the path of its key,
// never a value of zero; salvage mode gives the rest. Whatever ParseReg accepts
// comes back byte by byte. Results are safe for concurrent readers as far as
// the io.ReaderAt is. The tests named Traps, Truncation, Mutation, Tile,
// SharedCells and Hostile and the targets FuzzHive and FuzzReg hold this.
package registry
