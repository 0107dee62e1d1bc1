package registry

import "github.com/perfdump/perfdump"

// The codes of the anomalies of hives. docs/hive.md tells what each means.
const (
	Dirty            perfdump.Code = "dirty"
	Checksum         perfdump.Code = "checksum"
	HiveVersion      perfdump.Code = "hive-version"
	BinsCut          perfdump.Code = "bins-cut"
	FreeCell         perfdump.Code = "free-cell"
	KeyParent        perfdump.Code = "key-parent"
	SubkeyCount      perfdump.Code = "subkey-count"
	PredefinedHandle perfdump.Code = "predefined-handle"
)

// The codes of the anomalies of .reg files. docs/reg.md tells what each means.
const (
	HeaderPlace  perfdump.Code = "header-place"
	CtrlZ        perfdump.Code = "ctrl-z"
	LineUnknown  perfdump.Code = "line-unknown"
	KeyLine      perfdump.Code = "key-line"
	RootName     perfdump.Code = "root-name"
	ValueOutside perfdump.Code = "value-outside"
	ValueData    perfdump.Code = "value-data"
	Escape       perfdump.Code = "escape"
	TextLines    perfdump.Code = "text-lines"
	Encoding     perfdump.Code = "encoding"
)

// The codes of views of either file. docs/hive.md tells what each means.
const (
	ControlSets perfdump.Code = "control-sets"
)

// levels of the paths of anomalies: the line of a .reg file, from 0. In a hive
// the field of a path is the path of the key.
var levels = perfdump.Levels{"line"}
