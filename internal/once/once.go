// Package once makes what takes a while to make when it is first needed, so that
// programs start at once.
package once

import (
	"regexp"
	"sync"
)

// Regexp returns a function that returns the compiled pattern.
func Regexp(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
