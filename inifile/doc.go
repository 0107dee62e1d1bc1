// Package inifile reads, changes and writes the .ini files by which lodctr
// registers performance counters: the driver, its symbol file, the languages,
// the objects, and the names and explanations in each language.
// docs/inifile.md describes the format and every anomaly.
//
//	f, err := inifile.Parse(b, inifile.Options{})
//	if err != nil {
//		return err
//	}
//	for t := range f.Texts() {
//		fmt.Println(t.Line, t.Symbol, t.Language, t.Kind, t.Text)
//	}
//
// Every byte is kept: comments, blank lines, line ends, a Ctrl-Z at the end,
// duplicates, lines that mean nothing. [File.Lines] has them all with their
// places, the typed view ([File.DriverName], [File.Languages], [File.Objects],
// [File.Texts]) gives what the loader makes of them, [File.Edit] changes lines
// and leaves the others alone, and [Registration] writes new files.
// [File.INI] gives the keys to code that has a *ini.File of gopkg.in/ini.v1.
//
// No input makes this package panic (FuzzINIFile) or take more than 64 MiB plus
// four times the input (TestHostileFilesStayWithinMemory); time is linear. The
// one exception is File.INI, whose memory is ini.v1's. What Parse accepts,
// [File.AppendBinary] gives back byte by byte.
package inifile
