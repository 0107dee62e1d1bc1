// Package formats defines for each format what the verbs do with its files.
//
// The table has an entry for each format, in a file of its own. A verb looks up
// the entry of an input by [Of] and calls the function that it needs; nil means
// that the verb does not read the format. The packages of the formats know
// nothing of verbs, and the verbs know no format.
package formats

import (
	"io"
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/compare"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/detect"
)

// Format is what the verbs do with files of one format.
type Format struct {
	Name detect.Format

	// Facts adds what info says of a file to a summary.
	Facts func(*Summary, *detect.Input, capture.Options)
	// Check finds the errors and anomalies of a file. The mode is not strict: the
	// checker turns anomalies into errors.
	Check func(*checker, *detect.Input, capture.Options)
	// Document writes a file as JSON for dump.
	Document func(io.Writer, *detect.Input, *Documents) error
	// Reader reads such a document for encode, nil if it does not hold every
	// byte of the file.
	Reader *document.Reader

	// Contents returns what diff compares of a file with one state.
	Contents func(*detect.Input, capture.Options) (*compare.Contents, error)
	// Captures says that diff compares the snapshots of captures.
	Captures bool

	// Names returns the tables of counter names in a file.
	Names func(*detect.Input, capture.Options) (*Names, error)
	// Bytes returns what the bytes of a file mean, for hexdump. It never fails:
	// what cannot be read is a gap with the reason.
	Bytes func([]byte, hexview.Input) *hexview.Document
	// InPlace says that Bytes reads only the parts of a file that are shown.
	InPlace bool

	// Table writes a file without values for people.
	Table func(io.Writer, *detect.Input, *Dump) error
	// ValueTable writes values for people, if rows are not enough.
	ValueTable func(*export.Table, *detect.Input, *Dump) error

	// Look adds to c the counters that all files of a format have. -c then chooses
	// by these, and the filter counts for nothing.
	Look func(c Choices, paths []string)

	Values       bool // package capture reads the raw values
	Query        bool // the values are answers of the registry, which --query chooses from
	Timed        bool // dump puts the values of several files in the order of time
	Sections     bool // the values have title indexes, as sections of an agent do
	Whole        bool // and no counters can be left out of them
	Search       bool // files are searched for parts of other formats, which are the inputs
	Registration bool // the file has no values: it registers or names counters

	Database bool              // Windows keeps registrations in such files, and lodctr loads into them
	Salvage  bool              // salvage mode reads the rest of a damaged file
	hint     string            // the verb that shows what a file holds
	instead  map[string]string // of a verb that does not read the format, what to do
}

// all has all formats.
var all = [...]*Format{
	&perfData, &binaryLog, &ipcBlock, &dump, &memory, &titleTable, &perfStrings,
	&iniFile, &symbolH, &regFile, &hive, &pdhCSV, &pdhTSV, &agentOutput, &manifests,
	&perfLib2, &aspNet2, &aspNet4, &carved,
}

// Of returns the entry of a format. For a format that is not read it has only
// the name.
func Of(name detect.Format) *Format {
	for _, f := range all {
		if f.Name == name {
			return f
		}
	}
	return &Format{Name: name}
}

// Findings yields the errors and anomalies of a file: for each snapshot its errors,
// then its anomalies in the order of the file. It continues after an error as
// far as salvage mode does, so that one error does not hide the others. In
// strict mode every anomaly is an error.
func (f *Format) Findings(in *detect.Input, o capture.Options) iter.Seq[Finding] {
	return func(yield func(Finding) bool) {
		if f.Check == nil {
			return
		}
		c := &checker{yield: yield, strict: o.Mode == perfdump.Strict}
		if c.strict {
			o.Mode = perfdump.Tolerant
		}
		f.Check(c, in, o)
	}
}

// Show returns what the bytes of a file mean. Bytes of a format without fields
// are one gap.
func (f *Format) Show(b []byte, in hexview.Input) *hexview.Document {
	if f.Bytes == nil {
		return hexview.Raw(b, in, string(f.Name)+": no fields are looked for; perfdump info --format carve says where blocks are")
	}
	return f.Bytes(b, in)
}
