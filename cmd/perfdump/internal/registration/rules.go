package registration

import "github.com/perfdump/perfdump/inifile"

// Rule is a check of the doctor.
type Rule struct {
	ID        string
	Severity  Severity
	Condition string // when it finds something
	Advice    string // what to do then; SERVICE stands for the service that a finding is about
}

// Rules returns all rules in the order in which they run.
func Rules() []Rule {
	var all []Rule
	for _, r := range rules {
		all = append(all, r.Rule)
	}
	return all
}

// rule is a rule and its check.
type rule struct {
	Rule
	check func(x *exam)
}

const rebuild = "restore the table from a backup, or lodctr /R"

var rules = []rule{
	// An .ini file as a file.
	{Rule{"E01", Error, "the .ini has no [info], no drivername or no symbolfile", "add it; lodctr needs all three"}, pairs(checkInfo)},
	{Rule{"E02", Error, "the symbol file is not there; case does not count, and of a path only the last part does", "put the .h next to the .ini"}, pairs(checkSymbolFile)},
	{Rule{"E08", Error, "a key of [text] comes twice", "remove one; which one wins is not defined"}, keys(checkDuplicates)},
	{Rule{"E10", Error, "a line of a section has no =", "repair the line; it is ignored"}, pairs(checkLines)},
	{Rule{"W09", Warning, "a text has a TAB or another control character, blanks at its end, or quotes around it", "remove them; blanks are trimmed, quotes are shown"}, keys(checkCharacters)},
	{Rule{"W10", Warning, "the .ini has characters outside ASCII and is not UTF-16LE with a byte order mark", "save it as UTF-16LE with a byte order mark"}, pairs(checkEncoding)},
	{Rule{"W11", Warning, "the .ini is UTF-8, which lodctr reads as ANSI", "save it as UTF-16LE with a byte order mark"}, pairs(checkUTF8)},
	{Rule{"W12", Warning, "the .ini or its .h has a Ctrl-Z or a NUL", "remove it"}, checkControl},
	{Rule{"W15", Warning, `drivername is longer than 80 characters, or has " or \`, "rename the driver"}, pairs(checkDriverName)},
	{Rule{"N01", Note, "the symbol file is spelled in another case", "none needed: Windows does not look at the case"}, pairs(checkSymbolCase)},
	{Rule{"N03", Note, "a text is longer than 1023 UTF-16 units", "shorten it"}, keys(checkLength)},
	// The symbols of an .ini file and its .h.
	{Rule{"E03", Error, "a symbol of [text] is not in the .h", "match the spelling; the text is lost"}, pairs(checkUndefined)},
	{Rule{"E04", Error, "a symbol of the .h has no NAME in a listed language that has text; aliases without any text, such as LAST_*, may", "add the NAME, or the index stays unnamed"}, pairs(checkUnnamed)},
	{Rule{"E05", Error, "an offset is odd", "renumber: even numbers, from 0"}, pairs(checkOdd)},
	{Rule{"E06", Error, "no symbol has the offset 0", "renumber: even numbers, from 0"}, pairs(checkZero)},
	{Rule{"E07", Error, "two symbols with text have one offset", "give each its own offset"}, pairs(checkShared)},
	{Rule{"E12", Error, "a symbol of [objects] is not in the .h", "define it or drop the line"}, pairs(checkObjects)},
	{Rule{"W04", Warning, "there is no section [objects]", "add it: without it the DLL is called for every query"}, pairs(checkNoObjects)},
	{Rule{"W06", Note, "offsets leave a gap, or counters do not follow their object", "harmless; seen in shipped files"}, pairs(checkGaps)},
	{Rule{"W07", Warning, "the value of a #define is neither decimal nor the name of another", "write a plain decimal number"}, headers(checkValues)},
	{Rule{"W14", Warning, "the first symbol is not an object of [objects], or one of [objects] is a counter", "reorder the .h, or correct [objects]"}, pairs(checkOrder)},
	{Rule{"N02", Note, "offsets are written as #define X 0; with a semicolon", "none needed: lodctr reads them"}, headers(checkSemicolons)},
	// The languages of an .ini file.
	{Rule{"E11", Error, "a langid is not three hex digits", "write 009, 00C and so on"}, pairs(checkLanguageIDs)},
	{Rule{"W01", Warning, "a language is listed and has no text", "remove it, or add the texts: old Windows set Last Counter to 0"}, pairs(checkSilent)},
	{Rule{"W02", Warning, "there is text for a language that is not listed", "list it in [languages], or remove the texts"}, pairs(checkUnlisted)},
	{Rule{"W03", Warning, "there is no English, 009", "add English: tools fall back to it"}, pairs(checkEnglish)},
	{Rule{"W05", Warning, "there is text but none under 009, or more than a tenth of the letters under 009 are outside ASCII", "check the langids (WiX writes them decimal: 00C becomes 012, Korean)"}, pairs(checkLooksEnglish)},
	{Rule{"W13", Warning, "Chinese or Portuguese is written as 004 or 016", "use 404, 804, 416 or 816"}, pairs(checkSublanguage)},
	// The texts of an .ini file.
	{Rule{"E09", Error, "a NAME is empty", "give it a name: an empty string damages the table for all"}, pairs(checkEmptyNames)},
	{Rule{"W08", Warning, "a symbol with a NAME has no HELP", "add it"}, pairs(checkHelp)},
	// Tables of names.
	{Rule{"E20", Error, "a table has an odd number of strings, an index that is not a number, out of order, of the wrong parity or given twice", rebuild}, checkStructure},
	{Rule{"E21", Error, "a table has an empty text", "find its provider and reload it, or lodctr /R"}, checkEmptyTexts},
	{Rule{"W20", Warning, "the texts of 1846 and 1847, End Marker in the language of the table, differ or are empty", "check the base strings: " + rebuild}, tables(checkEndMarkers)},
	{Rule{"W21", Warning, "above the base, a counter has no help text or a help text no counter", "reload the provider"}, tables(checkHalves)},
	{Rule{"W22", Warning, "languages do not have the same indexes; that Terminal Services Session is there in English only is normal", "reload the provider for that language"}, tables(checkLanguages)},
	{Rule{"W23", Warning, "names above the base belong to no provider", "a leftover: reload and unload its provider"}, checkOwners},
	{Rule{"W24", Warning, "a text was split at 1024 units", "an editor did that: reload the provider"}, tables(checkSplit)},
	{Rule{"W25", Warning, "a perfc or perfh file differs from the registry", "lodctr /R rebuilds both"}, tables(checkFiles)},
	// The values of Perflib.
	{Rule{"E22", Error, "Last Counter or Last Help of Perflib is below an index in use", "lodctr /R; the next load would overwrite names"}, perflibs(checkLast)},
	{Rule{"E23", Error, "Base Index, or the text of index 1, is not 1847", "restore the table"}, checkBase},
	{Rule{"E24", Error, "Last Help of Perflib is not Last Counter + 1", "lodctr /R"}, perflibs(checkLastHelp)},
	// The indexes of providers.
	{Rule{"E30", Error, "the range of a provider is not valid: a value is missing, First is above Last, a parity is wrong, or the Help values are not the Counter values + 1", "unload it, then load it again"}, providers(checkRange)},
	{Rule{"E31", Error, "the ranges of two providers overlap", "unload both, load both again"}, checkOverlap},
	{Rule{"E32", Error, "the range of a provider is outside of 1848 to Last Counter of Perflib", "copied from another machine? Load it again"}, checkBounds},
	{Rule{"E33", Error, "a provider has a range without names, or names without a range", "load it again; if it is gone, unload it"}, checkNames},
	{Rule{"E35", Error, "a First or Last value is not a DWORD", "delete the value, then load the provider again"}, providers(checkTypes)},
	{Rule{"N30", Note, "indexes of a provider's range have no name", "normal for some providers"}, checkUnnamedIndexes},
	// The other values of the keys of a provider.
	{Rule{"E34", Error, "Library, Open, Collect or Close is missing", "reinstall the provider: lodctr does not write them"}, registered(checkLibrary)},
	{Rule{"W33", Warning, "Disable Performance Counters is not 0; that it is 4 for a 32-bit key of ASP.NET and 2 for its 64-bit twin is normal", "find the event that set it and remove its cause, then lodctr /E:SERVICE"}, checkDisabled},
	{Rule{"W34", Warning, `Linkage\Export is neither REG_MULTI_SZ nor REG_SZ`, "rewrite it: Open gets nothing from another type"}, registered(checkExport)},
	{Rule{"W35", Warning, "OpenTimeout or CollectTimeout is spelled without its blank", "rename it to Open Timeout or Collect Timeout: it has no effect"}, registered(checkTimeoutNames)},
	{Rule{"W37", Warning, "a timeout is 0, or more than 600,000 ms", "set it to 10000"}, checkTimeouts},
	{Rule{"W39", Warning, "the loader noted the time of an error", "look for that event of Perflib in the application log; perfdump explain perflib:ID says what it means"}, registered(checkStamps)},
	// The categories of .NET.
	{Rule{"W40", Warning, "Counter Names and Counter Types of a .NET category are not of one length", "reinstall the category"}, registered(checkLists)},
	// What is registered against the .ini and .h that it came from.
	{Rule{"W30", Warning, "Last Counter - First Counter is not the largest offset of the .h", "the .h is of another version: find the one that was loaded, or reload"}, loaded(checkSpan)},
	{Rule{"W31", Warning, "the name at First Counter + offset is not the one of the .ini", "the .ini or the .h is of another version: reload"}, loaded(checkTexts)},
	{Rule{"W32", Warning, "an index of Object List is outside the range, odd, or not an object of [objects]", "reload"}, registered(checkObjectList)},
	{Rule{"W36", Warning, "there is a Library Validation Code and no trusted in the .ini, or the reverse", "lodctr /T:SERVICE, or reload"}, loaded(checkTrusted)},
	{Rule{"W38", Note, "PerfIniFile is missing, or the file that it names is not among those given", "ask the customer for the .ini file of SERVICE: lodctr needs it to repair the counters"}, checkINIFile},
	// The keys of ASP.NET.
	{Rule{"A01", Warning, "ASP.NET is registered with other names than the highest version that is there", "aspnet_regiis -iru of the highest version"}, checkGeneric},
	{Rule{"A02", Warning, "ASP.NET_64 exists in addition to a key of 4.x", "a leftover: unload it"}, checkLeftover},
	{Rule{"A03", Warning, "before 4.0, Library is not a full path; from 4.0, it is not aspnet_counters.dll", "register that version again with its aspnet_regiis -iru"}, aspNet(checkASPNetLibrary)},
	{Rule{"A04", Warning, `a key of 4.x has no Linkage\Export`, "register that version again with its aspnet_regiis -iru"}, aspNet(checkASPNetExport)},
	{Rule{"A05", Note, "a 64-bit key has a subkey Names, or a 32-bit one has none", "without their pipes in Names the counters of 32-bit workers are not collected; if none runs, nothing is wrong"}, aspNet(checkWorkers)},
	{Rule{"A06", Note, "of the 32-bit and 64-bit keys of 2.0 one is missing or disabled", "explains counters that are 0 in one width alone"}, checkTwins},
	// The keys of SQL Server.
	{Rule{"S01", Warning, "the objects of an instance do not begin with its name, MSSQL$X: or SQLServer:", "the .ini of another instance: load the one of this"}, checkSQLObjects},
	{Rule{"S02", Warning, `Linkage\Export is missing, or not the name of the instance`, "write it: without it the DLL cannot find its shared memory. If it is right and counters are missing, close all monitors: one that was open over a restart keeps the old memory"}, sqlServers(checkSQLExport)},
	{Rule{"S03", Warning, "PerfIniFile is the template sqlctr.ini, or names another instance", "load the file perf-...sqlctr.ini of this instance"}, sqlServers(checkSQLFile)},
	{Rule{"S04", Warning, "Library is of another instance or another version than the key", "reinstall the counters of the instance: lodctr does not write Library"}, sqlServers(checkSQLLibrary)},
	{Rule{"S05", Warning, "First Counter + offset gives another name than the .ini", "the .h is of another version: reload the right pair. With error 1011 (F3 03 00 00) in event 1008 of Perflib this is certain"}, loaded(checkSQLNames)},
	{Rule{"S06", Warning, "the library is in SysWOW64 only, or the counters are off for 64-bit consumers (4)", "an instance of 32 bits: read it with mmc /32 perfmon.msc; do not put a 64-bit DLL next to it"}, sqlServers(checkSQLWidth)},
	// Captures against the names.
	{Rule{"C01", Warning, "a capture has an object or a counter whose index is in none of the given tables", "the titles are of another machine, or damaged"}, checkCaptured},
}

// each runs a check for each of a list.
func each[T any](list func(x *exam) []T, check func(*exam, T)) func(*exam) {
	return func(x *exam) {
		for _, of := range list(x) {
			check(x, of)
		}
	}
}

func pairs(check func(*exam, *pair)) func(*exam) {
	return each(func(x *exam) []*pair { return x.pairs }, check)
}

// keys runs a check for each key of [text].
func keys(check func(*exam, *pair, inifile.Line)) func(*exam) {
	return pairs(func(x *exam, p *pair) {
		for l := range p.ini.Keys("text") {
			check(x, p, l)
		}
	})
}

// headers runs a check for the symbol files that an .ini names.
func headers(check func(*exam, *symbolFile)) func(*exam) {
	return func(x *exam) {
		seen := map[*symbolFile]bool{nil: true}
		for _, p := range x.pairs {
			if !seen[p.h] {
				seen[p.h] = true
				check(x, p.h)
			}
		}
	}
}

func tables(check func(*exam, *table)) func(*exam) {
	return each(func(x *exam) []*table { return x.tables }, check)
}

func perflibs(check func(*exam, *perflib)) func(*exam) {
	return each(func(x *exam) []*perflib { return x.perflibs }, check)
}

func providers(check func(*exam, *provider)) func(*exam) {
	return each(func(x *exam) []*provider { return x.providers }, check)
}

// registered runs a check for the providers that are in the registry.
func registered(check func(*exam, *provider)) func(*exam) { return each((*exam).registered, check) }

// loaded runs a check for the pairs whose driver is registered with a range.
func loaded(check func(*exam, *pair, *provider)) func(*exam) {
	return pairs(func(x *exam, p *pair) {
		if r := x.services[fold(p.ini.DriverName())]; r != nil && r.hasRange() {
			check(x, p, r)
		}
	})
}

// sqlServers runs a check for the instances of SQL Server in the registry.
func sqlServers(check func(x *exam, p *provider, instance string)) func(*exam) {
	return registered(func(x *exam, p *provider) {
		if instance := sqlInstance(p.service); instance != "" {
			check(x, p, instance)
		}
	})
}

func aspNet(check func(*exam, *aspKey)) func(*exam) { return each((*exam).aspNet, check) }
