package main

import "regexp"

// target is a package whose decode path is broken.
type target struct {
	dir    string
	breaks int
	fuzz   string         // pattern of the targets in fuzz/ that walk it
	in     []string       // files of fuzz/ that these targets take; none are all
	skip   *regexp.Regexp // files that are no decode path
}

// plan spreads 100 breaks over the formats and what they stand on, by how much
// of the reading each does. A package without a pattern of targets is reached
// by those of the formats.
var plan = []target{
	{"titles", 6, "^FuzzNames$", fuzzing(), files("append|repair|filename|statistics")},
	{"ipcblock", 10, "^FuzzIPC", fuzzing("ipcblock"), files("append|build|cook")},
	{"inifile", 6, "^FuzzINIFile$", fuzzing("inifile"), files("append|edit|ini")},
	{"symbolh", 4, "^FuzzSymbolH$", fuzzing("symbolh"), files("append|edit")},
	{"pdhcsv", 4, "^FuzzPDHCSV$", fuzzing("pdhcsv"), files("append")},
	{"checkmk", 2, "^FuzzCheckmk$", fuzzing("checkmk"), files("append")},
	{"perflib2", 4, "^FuzzPerflib2", fuzzing("perflib2"), files("tree|regtree")},
	{"manifest", 2, "^FuzzManifest$", nil, files("")},
	{"countertypes", 5, "^FuzzCook$", fuzzing(), files("explain|parse|names")},
	{"internal/wire", 5, "^(FuzzDecode|FuzzNames|FuzzReg|FuzzHive)$", fuzzing("registry"), files("pages")},
	{"registry", 8, "^(FuzzReg|FuzzHive)$", fuzzing("registry"), files("regeditor|regwrite")},
	{"minidump", 6, "^FuzzMinidump$", fuzzing("minidump"), files("")},
	{"blg", 12, "^FuzzBLG$", fuzzing("blg"), files("writer|join")},
	{"perfdata", 26, "^(FuzzDecode|FuzzRoundTrip|FuzzSpans|FuzzNames|FuzzCook|FuzzReuse)$", fuzzing(), files("append|build|display")},
}

func files(names string) *regexp.Regexp {
	return regexp.MustCompile(`^(doc|` + names + `)\.go$`)
}

// fuzzing names the files of some targets, and those that hold what all share.
// Without the rest of fuzz/, nothing above the formats is built.
func fuzzing(names ...string) []string {
	list := []string{"perfdata_test.go", "walk_test.go"}
	for _, name := range names {
		list = append(list, name+"_test.go")
	}
	return list
}

func find(dir string) (target, bool) {
	for _, t := range plan {
		if t.dir == dir {
			return t, true
		}
	}
	return target{}, false
}
