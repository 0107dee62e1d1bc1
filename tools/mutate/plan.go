package main

import "regexp"

// target is a package whose decode path is broken.
type target struct {
	dir    string
	breaks int
	fuzz   string         // pattern of the targets in fuzz/ that walk it
	skip   *regexp.Regexp // files that are no decode path
}

// plan spreads 100 breaks over the formats and what they stand on, by how much
// of the reading each does. A package without a pattern of targets is reached
// by those of the formats.
var plan = []target{
	{"titles", 6, "^(FuzzNames|FuzzPerfStrings)$", files("append|repair|filename|statistics")},
	{"ipcblock", 10, "^FuzzIPC", files("append|build|cook")},
	{"inifile", 6, "^FuzzINIFile$", files("append|edit|ini")},
	{"symbolh", 4, "^FuzzSymbolH$", files("append|edit")},
	{"pdhcsv", 4, "^FuzzPDHCSV$", files("append")},
	{"checkmk", 2, "^FuzzCheckmk$", files("append")},
	{"manifest", 2, "^FuzzManifest$", files("")},
	{"countertypes", 5, "^FuzzCook$", files("explain|parse|names")},
	{"internal/wire", 5, "^(FuzzDecode|FuzzNames|FuzzLines|FuzzReg)$", files("pages")},
	{"registry", 8, "^(FuzzReg|FuzzHive)$", files("regeditor|regwrite")},
	{"minidump", 6, "^(FuzzMinidump|FuzzImage)$", files("")},
	{"blg", 12, "^FuzzBLG$", files("writer|join")},
	{"perfdata", 30, "^(FuzzDecode|FuzzRoundTrip|FuzzSpans|FuzzNames|FuzzCook|FuzzReuse|FuzzDocument)$", files("append|build|display")},
}

func files(names string) *regexp.Regexp {
	return regexp.MustCompile(`^(doc|` + names + `)\.go$`)
}

func find(dir string) (target, bool) {
	for _, t := range plan {
		if t.dir == dir {
			return t, true
		}
	}
	return target{}, false
}
