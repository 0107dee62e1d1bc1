package pdhcsv

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/pdh-csv.md tells what each
// means and which producers cause it.
const (
	CodeBlankLine       perfdump.Code = "blank-line"
	CodeHeaderCell      perfdump.Code = "header-cell"
	CodeNoBias          perfdump.Code = "no-bias"
	CodeColumnPath      perfdump.Code = "column-path"
	CodeDuplicateColumn perfdump.Code = "duplicate-column"
	CodeQuote           perfdump.Code = "quote"
	CodeCodePage        perfdump.Code = "code-page"
	CodeShortRow        perfdump.Code = "short-row"
	CodeLongRow         perfdump.Code = "long-row"
	CodeValueText       perfdump.Code = "value-text"
	CodeTimeOrder       perfdump.Code = "time-order"
	CodeTrailingText    perfdump.Code = "trailing-text"
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
