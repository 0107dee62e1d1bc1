package cmdutil

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/budget"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/wire"
)

// Report writes an error of a file to standard error: a line for people, or a
// JSON object with --errors json.
func (f *Factory) Report(file string, err error) {
	var many *budget.TooManyError
	if errors.As(err, &many) {
		defer f.Note(`-c PATH chooses some, -c '\Process(*)\%% Processor Time' for example; perfdump info lists the objects`)
	}
	fe := wire.AsFormatError(err)
	if f.ErrorsJSON {
		f.reportJSON(file, fe)
		return
	}
	style := cell.Style{On: f.IO.ErrColor()}
	_, _ = fmt.Fprintf(f.IO.ErrOut, "%s %s: %s\n", style.Red("perfdump:"), cell.Clean(FileName(file)), cell.Clean(fe.Error()))
}

func (f *Factory) reportJSON(file string, fe *perfdump.FormatError) {
	line := export.AppendJSONString([]byte(`{"file":`), file)
	line = export.AppendJSONString(append(line, `,"code":`...), string(fe.Code))
	line = AppendOffset(append(line, `,"offset":`...), fe.Off)
	line = export.AppendJSONString(append(line, `,"path":`...), fe.Path)
	line = export.AppendJSONString(append(line, `,"message":`...), fe.Message())
	_, _ = f.IO.ErrOut.Write(append(line, '}', '\n'))
}

// AppendOffset appends an offset in JSON: null if there is none.
func AppendOffset(dst []byte, off int64) []byte {
	if off < 0 {
		return append(dst, "null"...)
	}
	return strconv.AppendInt(dst, off, 10)
}

// Empty returns the error of an input without bytes.
func Empty() error {
	return perfdump.NewError(perfdump.CodeEmpty, -1, perfdump.Path{}, "there are no bytes")
}

// FileName returns what an input is called in messages.
func FileName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// Paint returns the colour of a severity.
func Paint(severity string) cell.Paint {
	switch severity {
	case "error":
		return cell.Red
	case "warning":
		return cell.Amber
	default:
		return cell.Dim
	}
}
