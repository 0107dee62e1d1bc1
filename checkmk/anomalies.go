package checkmk

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/checkmk.md tells what each
// means.
const (
	// CodeSectionHead: a section of counters does not begin with a time and the title index of its
	// object.
	CodeSectionHead perfdump.Code = "section-head"
	// CodeInstanceCount: a section says another number of instances than it names.
	CodeInstanceCount perfdump.Code = "instance-count"
	// CodeCounterLine: a line is none of a counter, or a value is no number.
	CodeCounterLine perfdump.Code = "counter-line"
	// CodeValueCount: a counter has more or fewer values than there are instances.
	CodeValueCount perfdump.Code = "value-count"
	// CodeTypeWord: the word for a counter's type is none that is known.
	CodeTypeWord perfdump.Code = "type-word"
	// CodeTypeNumber: the number of a counter's type is a type in hexadecimal and in decimal, or in
	// neither.
	CodeTypeNumber perfdump.Code = "type-number"
)

// levels are those of every path in this format.
var levels = perfdump.Levels{"section", "counter"}

const (
	levelSection = iota
	levelCounter
)

func inSection(i int) perfdump.Path { return levels.Root().At(levelSection, i) }

func inCounter(i, c int) perfdump.Path { return inSection(i).At(levelCounter, c) }
