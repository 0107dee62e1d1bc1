package doctor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/reference"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/registration"
)

// otherVersion is the error of a library whose texts are those of another
// version: it cannot be opened.
const otherVersion = 1011

// events explains the events of --event, a note each. certain reports whether
// one has the error of a library with the texts of another version.
func events(words []string) (all []registration.Finding, certain bool, err error) {
	for _, text := range words {
		for _, a := range reference.Words(strings.Fields(text)...) {
			known := len(a.Readings) == 1 && a.Readings[0].As == reference.AsEvent
			if a.Problem != "" || !known {
				return nil, false, &cmdutil.UsageError{
					Text: fmt.Sprintf("--event %q is no event", text),
					Hint: "use loadperf: or perflib:, its number and its data: --event 'perflib:1008 F3030000'",
				}
			}
			f := registration.Finding{ID: strings.Fields(strings.ToLower(a.Word))[0], Severity: registration.Note, Subject: a.Word, Message: "an event that is not known"}
			for _, m := range a.Readings[0].Meanings {
				f.Message, f.Advice = m.Text+data(m.Data), m.Advice
				certain = certain || slices.ContainsFunc(m.Data, func(d reference.Datum) bool { return d.Number == otherVersion })
			}
			all = append(all, f)
		}
	}
	return all, certain, nil
}

// data explains the data of an event.
func data(all []reference.Datum) string {
	text := ""
	for _, d := range all {
		text += fmt.Sprintf(" The %s is %d", d.Name, d.Number)
		for i, m := range d.Meanings {
			text += [...]string{": ", "; or "}[min(i, 1)] + m.Name
			if m.Text != "" {
				text += ", " + strings.TrimSuffix(m.Text, ".")
			}
		}
		text += "."
	}
	return text
}

// explainEvents adds to the findings that name an event what it means, and to
// those that an event makes certain that it does.
func explainEvents(found []registration.Finding, certain bool) {
	for i := range found {
		f := &found[i]
		if f.ID == "S05" && certain {
			f.Message += fmt.Sprintf(". The error %d of the event makes it certain: the .h is of another version", otherVersion)
		}
		if f.ID != "W39" || f.Subject == "" {
			continue
		}
		id := f.Subject[strings.LastIndexByte(f.Subject, '\\')+1:]
		for _, a := range reference.Words("perflib:" + id) {
			for _, r := range a.Readings {
				for _, m := range r.Meanings {
					f.Message += ". " + m.Text
				}
			}
		}
	}
}
