package lodctr

// Severity says how bad a finding is.
type Severity string

// The severities.
const (
	Error   Severity = "error"   // counters are missing or wrong, or will be
	Warning Severity = "warning" // something that has caused trouble, or a sign of it
	Note    Severity = "note"    // worth knowing; nothing need be done
)

// Finding is what a rule has found.
type Finding struct {
	ID       string // of the rule
	Severity Severity
	File     string // the name of the file that it is about
	Line     int    // from 1; 0 where the place is not a line
	Subject  string // a symbol, a key of the registry, an index; "" for the whole file
	Message  string
	Advice   string // what to do
}

// Rule is a check of the doctor.
type Rule struct {
	ID        string
	Severity  Severity
	Condition string // when it finds something
	Advice    string // what to do then
}

// Rules returns all rules in the order in which they are looked at.
func Rules() []Rule {
	var all []Rule
	for _, group := range groups {
		for i := range group {
			all = append(all, group[i].Rule)
		}
	}
	return all
}

// rule is a rule and what looks for it.
type rule struct {
	Rule
	check func(x *exam)
}

// groups are the rules, those of a file each.
var groups = [...][]rule{
	iniRules, symbolRules, languageRules, textRules,
	titleRules, perflibRules, rangeRules, providerRules, dotNetRules, pairedRules,
	aspNetRules, sqlRules, captureRules,
}
