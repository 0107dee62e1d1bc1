package checkmk

import "github.com/perfdump/perfdump"

// The codes of the anomalies of this format. docs/checkmk.md tells what each
// means.
const (
	CodeSectionHead   perfdump.Code = "section-head"
	CodeInstanceCount perfdump.Code = "instance-count"
	CodeCounterLine   perfdump.Code = "counter-line"
	CodeValueCount    perfdump.Code = "value-count"
	CodeTypeWord      perfdump.Code = "type-word"
)

// levels are those of every path in this format.
var levels = perfdump.Levels{"section", "counter"}

const (
	levelSection = iota
	levelCounter
)

func inSection(i int) perfdump.Path { return levels.Root().At(levelSection, i) }

func inCounter(i, c int) perfdump.Path { return inSection(i).At(levelCounter, c) }
