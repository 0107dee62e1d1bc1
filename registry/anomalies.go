package registry

import "github.com/perfdump/perfdump"

// The codes of the anomalies of hives. docs/registry.md says what each means.
const (
	codeDirty            perfdump.Code = "dirty"             // the last writes were not finished: they are in the .LOG files next to the hive, which are not read
	codeChecksum         perfdump.Code = "checksum"          // the words of the header give another checksum
	codeHiveVersion      perfdump.Code = "hive-version"      // the version is not 1.3 to 1.6
	codeBinsCut          perfdump.Code = "bins-cut"          // the file is shorter than its header says
	codeFreeCell         perfdump.Code = "free-cell"         // a cell that is in use is marked as free
	codeKeyParent        perfdump.Code = "key-parent"        // a key names another key as the one above
	codeSubkeyCount      perfdump.Code = "subkey-count"      // a key counts more or fewer keys than its list has
	codePredefinedHandle perfdump.Code = "predefined-handle" // a key is a handle that applications read elsewhere: Perflib\009 comes from perfc009.dat and perfh009.dat
)

// The codes of the anomalies of .reg files. docs/registry.md says what each means.
const (
	codeHeaderPlace  perfdump.Code = "header-place"  // there are blanks around the header, or lines before it
	codeCtrlZ        perfdump.Code = "ctrl-z"        // 0x1A, with which DOS ended its files
	codeLineUnknown  perfdump.Code = "line-unknown"  // the line is not a key, a value or a comment. regedit skips it
	codeKeyLine      perfdump.Code = "key-line"      // a key without a name or its ], which is skipped with its values; or text after the ]
	codeRootName     perfdump.Code = "root-name"     // a key without the full name of a root, such as HKLM. regedit skips it
	codeValueOutside perfdump.Code = "value-outside" // a value before the first key, or after the deletion of one
	codeValueData    perfdump.Code = "value-data"    // the data of a value are wrong
	codeEscape       perfdump.Code = "escape"        // a backslash before what is neither a backslash nor a quote
	codeTextLines    perfdump.Code = "text-lines"    // a text that goes over several lines, as regedit exports it
	codeEncoding     perfdump.Code = "encoding"      // a text is not valid in the code page of the file
)

// The codes of views of either file. docs/registry.md says what each means.
const (
	codeControlSets perfdump.Code = "control-sets" // Select\Current is missing or names no control set
)

// levels of the paths of anomalies: the line of a .reg file, from 0. In a hive
// the field of a path is the path of the key.
var levels = perfdump.Levels{"line"}
