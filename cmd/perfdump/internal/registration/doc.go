// Package registration does what lodctr and unlodctr do, without Windows, and
// finds out why counters are missing: the doctor. docs/registration.md and docs/doctor.md
// are its pages.
//
//	var files registration.Files
//	for in, err := range detect.Walk(os.Args[1:], detect.Options{}) {
//		if err == nil && registration.Reads(in.Format) {
//			err = files.Add(in, registration.Options{})
//		}
//		if err != nil {
//			return err
//		}
//	}
//	for _, f := range files.Examine() {
//		fmt.Println(f.ID, f.File, f.Line, f.Message, f.Advice)
//	}
//
// [Files] are the files of one machine: .ini and .h files, tables of names,
// backups of them, .reg files, hives, captures. Any mix will do; each rule checks
// what it needs and finds nothing where that is missing.
//
// No input makes this package panic or hang (FuzzDoctor), or take more than 64
// MiB plus 24 times the input (TestHostileFiles). The rules take time in
// proportion to the files, except for sorting; texts and offsets, which cost more than
// their bytes, are limited to 131,072, and languages to 64 a file.
package registration
