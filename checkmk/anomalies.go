package checkmk

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/text-logs.md says what each
// means.
const (
	// codeSectionHead: a section of counters does not begin with a time and the title index of its
	// object.
	codeSectionHead perfdump.Code = "section-head"
	// codeInstanceCount: a section says another number of instances than it names.
	codeInstanceCount perfdump.Code = "instance-count"
	// codeCounterLine: a line is none of a counter, or a value is no number.
	codeCounterLine perfdump.Code = "counter-line"
	// codeValueCount: a counter has more or fewer values than there are instances.
	codeValueCount perfdump.Code = "value-count"
	// codeTypeWord: the word for a counter's type is none that is known.
	codeTypeWord perfdump.Code = "type-word"
	// codeTypeNumber: the number of a counter's type is a type in hexadecimal and in decimal, or in
	// neither.
	codeTypeNumber perfdump.Code = "type-number"
)

// levels are those of every path in this format.
var levels = perfdump.Levels{"section", "counter"}

const (
	levelSection = iota
	levelCounter
)

func inSection(i int) perfdump.Path { return levels.Root().At(levelSection, i) }

func inCounter(i, c int) perfdump.Path { return inSection(i).At(levelCounter, c) }
