// Package detect finds the format of an input by its content, never by its
// name, and opens it: a file, standard input, gzip or zstd data, or each file
// of a directory. docs/formats.md lists the formats and how each is recognised.
//
//	for in, err := range detect.Walk(os.Args[1:], detect.Options{}) {
//		if err != nil {
//			fmt.Fprintf(os.Stderr, "%s: %v\n", in.Name, err)
//			continue
//		}
//		fmt.Println(in.Name, in.Format, len(in.Data))
//	}
//
// All errors are a *perfdump.FormatError. Nothing is allocated because an
// input claims a size, and [Options].MaxUnpacked bounds packed inputs.
package detect
