package textlines

import "github.com/perfdump/perfdump"

// AppendLine appends a line and its end to dst in e. The errors have code
// "syntax": text that e cannot write, and an eol other than "\r\n", "\n" and "".
// Off is -1, since there is no file yet. Line ends in the text are written as
// they are: whether they may stand there is the format's to say.
//
// The first line of a file stands behind its [Encoding.BOM].
func (e Encoding) AppendLine(dst []byte, text, eol string) ([]byte, error) {
	switch eol {
	case "\r\n", "\n", "":
	default:
		return dst, misfit("a line end of %q; want CR LF, LF or nothing", eol)
	}
	out, ok := e.Encode(dst, text)
	if !ok {
		return dst, misfit("the text %.40q cannot be written in %s", text, e.Name())
	}
	out, _ = e.Encode(out, eol)
	return out, nil
}

func misfit(format string, args ...any) error {
	return perfdump.NewError(perfdump.CodeSyntax, -1, perfdump.Path{}, format, args...)
}
