package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/internal/detect"
)

// versions returns a fixture as it is, cut at many lengths, and with bytes that
// are others.
func versions(f fixture) map[string][]byte {
	all := map[string][]byte{"whole": f.data, "other": f.other}
	for i := 1; i < 16; i += 3 {
		all[fmt.Sprintf("cut %d of 16", i)] = f.data[:len(f.data)*i/16]
	}
	random := rand.New(rand.NewPCG(7, 7))
	for i := range 6 {
		b := bytes.Clone(f.data)
		for range 1 + i {
			b[random.IntN(min(len(b), 2048))] ^= byte(1 + random.IntN(255))
		}
		all[fmt.Sprintf("broken %d", i)] = b
	}
	return all
}

// The spans of every format, gaps among them, cover each file exactly, in
// whatever state it is.
func TestSpansOfEveryFormatTile(t *testing.T) {
	for _, f := range fixtures(t) {
		fields := 0
		for version, b := range versions(f) {
			for _, mode := range []perfdump.Mode{perfdump.Tolerant, perfdump.Strict, perfdump.Salvage} {
				end := int64(0)
				for s := range formats.Of(f.format).Show(b, hexview.Input{Options: perfdump.Options{Mode: mode}}).Spans {
					if s.Overlap { // it begins in what is covered, and may reach on
						require.Less(t, s.Off, end, "%s, %s, %v", f.format, version, mode)
					} else {
						require.Equal(t, end, s.Off, "%s, %s, %v", f.format, version, mode)
					}
					require.Positive(t, s.Size, "%s, %s, %v", f.format, version, mode)
					if end = max(end, s.Off+s.Size); version == "whole" && s.Path != (perfdump.Path{}) {
						fields++
					}
				}
				require.Equal(t, int64(len(b)), end, "%s, %s, %v", f.format, version, mode)
			}
		}
		if f.format != detect.Carve { // what is found is shown by its own format
			assert.Positive(t, fields, "%s has no field", f.format)
		}
	}
}

// judges reports whether hexdump says all that is wrong with files of a format.
// Logs of text it shows line by line, and the tables in memory as far as they
// can be read.
func judges(format detect.Format) bool {
	switch format {
	case detect.PDHCSV, detect.PDHTSV, detect.Checkmk, detect.Minidump, detect.Memory:
		return false
	default:
		return true
	}
}

type jsonError struct {
	File, Code, Path, Message, Severity string
	Offset                              *int64
}

func jsonErrors(t *testing.T, lines string) (all []jsonError) {
	t.Helper()
	for line := range strings.Lines(lines) {
		var e jsonError
		require.NoError(t, json.Unmarshal([]byte(line), &e), line)
		all = append(all, e)
	}
	return all
}

var digit = regexp.MustCompile("[0-9]")

// Every format's errors say where and by how much, and all verbs say the same of
// the same fault. An anomaly is none but in strict mode, and then of its own
// code.
func TestErrorsOfEveryFormat(t *testing.T) {
	m := readMatrix(t)
	all := fixtures(t)
	t.Chdir(t.TempDir())
	for _, f := range all {
		for version, b := range versions(f) {
			t.Run(string(f.format)+" "+version, func(t *testing.T) {
				require.NoError(t, os.WriteFile(f.name, b, 0o600))
				args := []string{f.name, "--format", string(f.format), "--errors", "json"}
				ask := func(line ...string) (int, []jsonError, []jsonError) {
					code, stdout, stderr := runWith(t, nil, append(line, args...)...)
					if line[0] != "check" {
						stdout = ""
					}
					return code, jsonErrors(t, stdout), jsonErrors(t, stderr)
				}
				code, findings, told := ask("check", "-o", "json")
				for _, e := range told {
					assert.NotEmpty(t, e.Message)
					switch e.Code {
					case "truncated", "length", "count", "signature":
						if assert.NotNil(t, e.Offset, "%+v", e) {
							assert.LessOrEqual(t, *e.Offset, int64(len(b)), "%+v", e)
						}
						if e.Code != "signature" { // which is right or wrong, not too long
							assert.Regexp(t, digit, e.Message)
						}
					}
				}
				var odd []string
				for _, e := range findings {
					if e.Severity == "warning" {
						odd = append(odd, e.Code)
						assert.Regexp(t, `^[a-z0-9]+(-[a-z0-9]+)*$`, e.Code)
					}
				}
				for _, verb := range []string{"info", "dump", "cook", "hexdump"} {
					if !m.shows(verb, f.format) || verb == "hexdump" && !judges(f.format) {
						continue
					}
					got, _, errs := ask(verb)
					if code == cmdutil.ExitInput {
						if assert.Equal(t, cmdutil.ExitInput, got, "%s: %+v", verb, told) && assert.NotEmpty(t, errs, verb) {
							assert.Equal(t, told[0], errs[0], verb)
						}
					} else {
						assert.NotEqual(t, cmdutil.ExitInput, got, "%s: %+v", verb, errs)
					}
					if code == cmdutil.ExitFindings && len(odd) > 0 {
						got, _, errs = ask(verb, "--mode", "strict")
						if assert.Equal(t, cmdutil.ExitInput, got, "%s --mode strict, %v", verb, odd) && assert.NotEmpty(t, errs) {
							assert.Contains(t, odd, errs[0].Code, verb)
						}
					}
				}
			})
		}
	}
}
