package pdhcsv

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/pdh-csv.md tells what each
// means and which producers cause it.
const (
	// CodeBlankLine: blank lines stand in front of the header, as in what typeperf prints.
	CodeBlankLine perfdump.Code = "blank-line"
	// CodeHeaderCell: the first cell does not say what the file is.
	CodeHeaderCell perfdump.Code = "header-cell"
	// CodeNoBias: the header does not say how far the times are from UTC, or breaks off before.
	CodeNoBias perfdump.Code = "no-bias"
	// CodeColumnPath: the name of a column is no counter path.
	CodeColumnPath perfdump.Code = "column-path"
	// CodeTimeFormat: times are written as a spreadsheet shows them.
	CodeTimeFormat perfdump.Code = "time-format"
	// CodeDuplicateColumn: two columns have the same path, and different values.
	CodeDuplicateColumn perfdump.Code = "duplicate-column"
	// CodeQuote: text stands between the quote that closes a cell of the header and the separator.
	CodeQuote perfdump.Code = "quote"
	// CodeCodePage: the header is neither UTF-8 nor valid in the code page.
	CodeCodePage perfdump.Code = "code-page"
	// CodeShortRow: a row has fewer cells than the header.
	CodeShortRow perfdump.Code = "short-row"
	// CodeLongRow: a row has more cells than the header.
	CodeLongRow perfdump.Code = "long-row"
	// CodeValueText: a cell is neither blank nor a number.
	CodeValueText perfdump.Code = "value-text"
	// CodeTimeOrder: a row is earlier than the one above, as where daylight time ends.
	CodeTimeOrder perfdump.Code = "time-order"
	// CodeTrailingText: a line does not begin with a time, such as a message of typeperf.
	CodeTrailingText perfdump.Code = "trailing-text"
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
