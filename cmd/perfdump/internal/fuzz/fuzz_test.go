package fuzz

import (
	"errors"
	"testing"

	"github.com/perfdump/perfdump"
)

// maxInput keeps one input from taking the time of thousands.
const maxInput = 1 << 16

var modes = []perfdump.Mode{perfdump.Strict, perfdump.Tolerant, perfdump.Salvage}

// checkError wants an error that says where.
func checkError(t *testing.T, b []byte, err error) {
	t.Helper()
	var fe *perfdump.FormatError
	if !errors.As(err, &fe) || fe.Code == "" || fe.Off < 0 || fe.Off > int64(len(b)) || fe.Error() == "" {
		t.Fatalf("error without a place in %d bytes: %#v", len(b), err)
	}
}
