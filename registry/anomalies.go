package registry

import "github.com/perfdump/perfdump"

// The codes of the anomalies of hives. docs/hive.md tells what each means.
const (
	CodeDirty            perfdump.Code = "dirty"
	CodeChecksum         perfdump.Code = "checksum"
	CodeHiveVersion      perfdump.Code = "hive-version"
	CodeBinsCut          perfdump.Code = "bins-cut"
	CodeFreeCell         perfdump.Code = "free-cell"
	CodeKeyParent        perfdump.Code = "key-parent"
	CodeSubkeyCount      perfdump.Code = "subkey-count"
	CodePredefinedHandle perfdump.Code = "predefined-handle"
)

// The codes of the anomalies of .reg files. docs/reg.md tells what each means.
const (
	CodeHeaderPlace  perfdump.Code = "header-place"
	CodeCtrlZ        perfdump.Code = "ctrl-z"
	CodeLineUnknown  perfdump.Code = "line-unknown"
	CodeKeyLine      perfdump.Code = "key-line"
	CodeRootName     perfdump.Code = "root-name"
	CodeValueOutside perfdump.Code = "value-outside"
	CodeValueData    perfdump.Code = "value-data"
	CodeEscape       perfdump.Code = "escape"
	CodeTextLines    perfdump.Code = "text-lines"
	CodeEncoding     perfdump.Code = "encoding"
)

// The codes of views of either file. docs/hive.md tells what each means.
const (
	CodeControlSets perfdump.Code = "control-sets"
)

// levels of the paths of anomalies: the line of a .reg file, from 0. In a hive
// the field of a path is the path of the key.
var levels = perfdump.Levels{"line"}
