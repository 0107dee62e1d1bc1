package pdhcsv

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/text-logs.md says what each
// means and which producers cause it.
const (
	// codeBlankLine: blank lines are before the header, as in what typeperf prints.
	codeBlankLine perfdump.Code = "blank-line"
	// codeHeaderCell: the first cell does not say what the file is.
	codeHeaderCell perfdump.Code = "header-cell"
	// codeNoBias: the header does not say how far the times are from UTC, or breaks off before.
	codeNoBias perfdump.Code = "no-bias"
	// CodeColumnPath: the name of a column is no counter path.
	CodeColumnPath perfdump.Code = "column-path"
	// CodeTimeFormat: times are written as a spreadsheet shows them.
	CodeTimeFormat perfdump.Code = "time-format"
	// codeDuplicateColumn: two columns have the same path, and different values.
	codeDuplicateColumn perfdump.Code = "duplicate-column"
	// codeQuote: text is between the quote that closes a cell of the header and the separator.
	codeQuote perfdump.Code = "quote"
	// codeCodePage: the header is neither UTF-8 nor valid in the code page.
	codeCodePage perfdump.Code = "code-page"
	// codeShortRow: a row has fewer cells than the header.
	codeShortRow perfdump.Code = "short-row"
	// codeLongRow: a row has more cells than the header.
	codeLongRow perfdump.Code = "long-row"
	// codeValueText: a cell is neither blank nor a number.
	codeValueText perfdump.Code = "value-text"
	// codeTimeOrder: a row is earlier than the one above, as where daylight time ends.
	codeTimeOrder perfdump.Code = "time-order"
	// codeTrailingText: a line does not begin with a time, such as a message of typeperf.
	codeTrailingText perfdump.Code = "trailing-text"
)

// levels are those of every path in this format.
var levels = perfdump.Levels{"row", "column"}

const (
	levelRow = iota
	levelColumn
)

func inHeader() perfdump.Path         { return levels.Root().Field("header") }
func inColumn(i int) perfdump.Path    { return levels.Root().At(levelColumn, i) }
func inRow(i int) perfdump.Path       { return levels.Root().At(levelRow, i) }
func inCell(row, i int) perfdump.Path { return inRow(row).At(levelColumn, i) }
