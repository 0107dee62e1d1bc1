package lodctr_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/perfdump/perfdump/internal/doctest"
	"github.com/perfdump/perfdump/lodctr"
)

// The page has each rule as the code has it.
func TestDocs(t *testing.T) {
	page := doctest.Open(t, "../docs/doctor.md")
	var table strings.Builder
	table.WriteString("| id | severity | condition | what to do |\n|---|---|---|---|\n")
	for _, r := range lodctr.Rules() {
		fmt.Fprintf(&table, "| %s | %s | %s | %s |\n", r.ID, r.Severity, r.Condition, r.Advice)
	}
	page.Set("rules", table.String())
	page.Close()
}
