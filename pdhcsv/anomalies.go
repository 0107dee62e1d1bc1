package pdhcsv

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/pdh-csv.md tells what each
// means and which producers cause it.
const (
	BlankLine       perfdump.Code = "blank-line"
	HeaderCell      perfdump.Code = "header-cell"
	NoBias          perfdump.Code = "no-bias"
	ColumnPath      perfdump.Code = "column-path"
	DuplicateColumn perfdump.Code = "duplicate-column"
	Quote           perfdump.Code = "quote"
	CodePageText    perfdump.Code = "code-page"
	ShortRow        perfdump.Code = "short-row"
	LongRow         perfdump.Code = "long-row"
	ValueText       perfdump.Code = "value-text"
	TimeOrder       perfdump.Code = "time-order"
	TrailingText    perfdump.Code = "trailing-text"
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
