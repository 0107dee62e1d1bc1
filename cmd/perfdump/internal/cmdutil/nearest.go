package cmdutil

import "strings"

// Nearest returns the word that s probably misspells, if there is one.
func Nearest(s string, words []string) (string, bool) {
	best, distance := "", 3
	for _, word := range words {
		d := edits(strings.ToLower(s), strings.ToLower(word))
		if len(s) > 1 && strings.HasPrefix(strings.ToLower(word), strings.ToLower(s)) {
			d = min(d, 1)
		}
		if d < distance && 2*d < len(word) { // else as much of it is wrong as is right
			best, distance = word, d
		}
	}
	return best, best != ""
}

// edits returns how many letters must be inserted, removed, changed or swapped
// to turn a into b. Long words are not compared.
func edits(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
