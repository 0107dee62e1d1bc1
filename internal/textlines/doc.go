// Package textlines reads text files that must come back byte by byte: .ini
// and .h files, PerfStringBackup.INI, .reg files. It finds the encoding, tells
// the lines with their ends and places, and writes text in the encoding of the
// file for those who change a line.
//
//	t, err := textlines.New(data, textlines.Options{})
//	if err != nil {
//		return err
//	}
//	var buf []byte
//	for l := range t.All() {
//		text := l.Decode(&buf) // no allocation where the file is ASCII or UTF-8
//		...
//	}
//
// Nothing is copied and nothing is kept a line: a Text is the file and the
// offset of every 64th line, so its memory is the input plus a sixteenth of it
// at most. Bytes that no encoding explains stay as they are; [Line.Inverts]
// tells the lines whose text would not give them back.
package textlines
