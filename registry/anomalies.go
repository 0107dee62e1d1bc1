package registry

import "github.com/perfdump/perfdump"

// The codes of the anomalies of hives. docs/hive.md tells what each means.
const (
	// CodeDirty: the last writes were not finished: they are in the .LOG files beside the hive,
	// which are not read.
	CodeDirty perfdump.Code = "dirty"
	// CodeChecksum: the words of the header give another checksum.
	CodeChecksum perfdump.Code = "checksum"
	// CodeHiveVersion: the version is not 1.3 to 1.6.
	CodeHiveVersion perfdump.Code = "hive-version"
	// CodeBinsCut: the file is shorter than its header says.
	CodeBinsCut perfdump.Code = "bins-cut"
	// CodeFreeCell: a cell that is in use is marked as free.
	CodeFreeCell perfdump.Code = "free-cell"
	// CodeKeyParent: a key names another key as the one above.
	CodeKeyParent perfdump.Code = "key-parent"
	// CodeSubkeyCount: a key counts more or fewer keys than its list has.
	CodeSubkeyCount perfdump.Code = "subkey-count"
	// CodePredefinedHandle: a key stands for a handle that applications read elsewhere: Perflib\009
	// comes from perfc009.dat and perfh009.dat.
	CodePredefinedHandle perfdump.Code = "predefined-handle"
)

// The codes of the anomalies of .reg files. docs/reg.md tells what each means.
const (
	// CodeHeaderPlace: there are blanks around the header, or lines before it.
	CodeHeaderPlace perfdump.Code = "header-place"
	// CodeCtrlZ: 0x1A, with which DOS ended its files.
	CodeCtrlZ perfdump.Code = "ctrl-z"
	// CodeLineUnknown: a line that is no key, value or comment. regedit passes it over.
	CodeLineUnknown perfdump.Code = "line-unknown"
	// CodeKeyLine: a key without a name or its ], which is passed over with its values; or text
	// behind the ].
	CodeKeyLine perfdump.Code = "key-line"
	// CodeRootName: a key without the full name of a root, such as HKLM. regedit passes it over.
	CodeRootName perfdump.Code = "root-name"
	// CodeValueOutside: a value before the first key, or behind the deletion of one.
	CodeValueOutside perfdump.Code = "value-outside"
	// CodeValueData: the data of a value are not right.
	CodeValueData perfdump.Code = "value-data"
	// CodeEscape: a backslash before what is neither a backslash nor a quote.
	CodeEscape perfdump.Code = "escape"
	// CodeTextLines: a text that goes over several lines, as regedit exports it.
	CodeTextLines perfdump.Code = "text-lines"
	// CodeEncoding: a text is not valid in the code page of the file.
	CodeEncoding perfdump.Code = "encoding"
)

// The codes of views of either file. docs/hive.md tells what each means.
const (
	// CodeControlSets: Select\Current is missing or names no control set.
	CodeControlSets perfdump.Code = "control-sets"
)

// levels of the paths of anomalies: the line of a .reg file, from 0. In a hive
// the field of a path is the path of the key.
var levels = perfdump.Levels{"line"}
