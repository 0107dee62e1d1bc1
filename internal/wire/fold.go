package wire

import "unicode"

// Fold returns one rune for all that differ in case only, as strings.EqualFold
// does: the lowest of them. What is no rune stays as it is.
func Fold(r rune) rune {
	low := r
	if r <= unicode.MaxRune {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			low = min(low, f)
		}
	}
	return low
}
