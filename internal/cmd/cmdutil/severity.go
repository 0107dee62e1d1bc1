package cmdutil

import (
	"fmt"

	"github.com/perfdump/perfdump/internal/iostreams/cell"
)

// Severity returns how bad a finding is, as wide as the longest word and in
// its colour.
func Severity(style cell.Style, word string) string {
	text := fmt.Sprintf("%-7s", word)
	switch word {
	case "error":
		return style.Red(text)
	case "warning":
		return style.Amber(text)
	default:
		return style.Dim(text)
	}
}
