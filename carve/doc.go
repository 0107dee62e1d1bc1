// Package carve finds blocks of HKEY_PERFORMANCE_DATA in any bytes: dumps of
// memory, disk images, logs of a format that is not known.
//
//	for f, err := range carve.Scan(file, size) {
//		if err != nil {
//			return err
//		}
//		fmt.Printf("0x%x %d %s %s\n", f.Offset, f.Length, f.Host, f.Time)
//	}
//
// A block is accepted for its header and for the chain of its objects, which
// must end where the header says; docs/formats.md has the rules. Nothing else
// of it is decoded: package perfdata does that.
//
// A scan takes constant memory and time linear in the input, whatever the
// input holds (TestHostileInputIsLinear).
package carve
