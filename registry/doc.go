// Package registry reads what the Windows registry says about performance
// counters: from hives, the registry's own files SYSTEM and SOFTWARE, and from
// .reg files, the text of regedit, which it also writes and edits.
// docs/registry.md describes both formats.
//
//	h, err := registry.OpenHive(file, size, perfdump.Options{})
//	if err != nil {
//		return err
//	}
//	v, err := h.View()
//	…
//	for i := range v.Providers {
//		first, ok := v.Providers[i].Uint32(registry.FirstCounter)
//		…
//	}
//
// A [View] is the same for both formats: the services that register counters,
// each with the values of its keys and their positions, and Perflib, the key of
// the table of names.
//
// No input makes this package panic or hang. Each reference, length and count
// of a hive is checked before it is used, and a view reads no more bytes than
// the hive has. Memory stays below 64 MiB plus four times a hive, or 24 times a
// .reg file. Damage is an error with the path of its key, never a zero value;
// salvage mode returns the rest. AppendBinary returns what ParseReg accepts unchanged.
// Results are safe for concurrent readers if the io.ReaderAt is.
package registry
