package hexdump

import (
	"strings"

	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
)

// looks returns what an error of an unknown format says beside what the dump
// shows anyway.
func looks(err error) string {
	text := cmdutil.AsFormatError(err).Message()
	if _, what, ok := strings.Cut(text, "which looks like "); ok {
		if what, _, ok = strings.Cut(what, ". If you know"); ok {
			return "no known format; it looks like " + what
		}
	}
	return "no known format"
}
