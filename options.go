package perfdump

// Options says how an input is read. All formats share it; each uses the
// fields that mean something to it. The zero Options is the one to use unless
// there is a reason.
type Options struct {
	Mode   Mode
	Limits Limits

	// CodePage is that of text in bytes that do not say their own: names of a
	// block with UnicodeNames 0, text files without a byte order mark. 0 is
	// Windows-1252 in binary inputs; in text files it is found from the bytes.
	CodePage uint32
}
