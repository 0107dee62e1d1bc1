package perfdump

// Options says how an input is read. It is shared by all formats; each uses the fields that
// apply to it. The zero Options is the usual choice.
type Options struct {
	Mode   Mode
	Limits Limits

	// CodePage is the code page of text that does not declare one: names of a block with
	// UnicodeNames 0, text files without a byte order mark. If 0, it is Windows-1252 in
	// binary inputs and detected in text files.
	CodePage uint32
}
