package golden

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"iter"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Damage yields ways in which the bytes at a place are damaged, each with a
// word for it. What it yields is valid until the next.
type Damage func(b []byte, at int) iter.Seq2[string, []byte]

// rowLength is how many places share a line of the file of a Sweep.
const rowLength = 16

// Sweep damages an input at each of its places and wants the readings to be
// those that a file tells. The file has a line for each 16 places, with a sum
// of all that was read, and below it what was told there that has not been told
// before, but for its numbers. With -update it is written; before it is kept,
// the lines below the sums are to be read against the format's page, and where
// only sums change, there is to be a reason. Where thin, one line in eight is
// tried.
func Sweep(t testing.TB, name string, input []byte, damage Damage, thin bool, read func([]byte) *Reading) {
	t.Helper()
	s := sweep{told: map[string]bool{}}
	whole := fnv.New64a()
	r := read(input)
	r.sum(whole)
	s.line(fmt.Sprintf("whole %016x", whole.Sum64()), []string{"none: " + r.told.String()})
	for from := 0; from < len(input); from += rowLength {
		if thin && from/rowLength%8 != 0 && !*Update {
			continue
		}
		s.row(input, from, damage, read)
	}
	if !thin || *Update {
		File(t, name, []byte(s.text.String()))
		return
	}
	all, err := os.ReadFile(name)
	require.NoError(t, err, "run go test with -update")
	for _, sum := range s.sums {
		require.True(t, bytes.Contains(all, []byte(sum)), "%s: no line %q: run go test with -update", name, sum)
	}
}

type sweep struct {
	text strings.Builder
	sums []string
	told map[string]bool // with its numbers left out
}

var numbers = regexp.MustCompile(`-?0x[0-9a-f]+|-?\d+|\b[0-9a-f]{2}\b|"(\\.|[^"])*"`)

func (s *sweep) line(sum string, told []string) {
	s.sums = append(s.sums, sum+"\n")
	s.text.WriteString(sum + "\n")
	for _, lines := range told {
		by, lines, _ := strings.Cut(lines, ": ")
		for line := range strings.Lines(lines) {
			shape := numbers.ReplaceAllString(line, "#")
			if s.told[shape] {
				continue
			}
			s.told[shape] = true
			fmt.Fprintf(&s.text, "\t%s: %s\n", by, strings.TrimSuffix(line, "\n"))
		}
	}
}

func (s *sweep) row(input []byte, from int, damage Damage, read func([]byte) *Reading) {
	sum := fnv.New64a()
	var told []string
	for at := from; at < min(from+rowLength, len(input)); at++ {
		for word, b := range damage(input, at) {
			r := read(b)
			r.sum(sum)
			told = append(told, fmt.Sprintf("0x%x %s: %s", at, word, r.told.String()))
		}
	}
	if len(told) > 0 {
		s.line(fmt.Sprintf("0x%04x %016x", from, sum.Sum64()), told)
	}
}

// Fields is the damage of binary formats: the input is cut, and a byte, or
// four at a multiple of 4, become other numbers, among them
// those that are next to what they were and to the ends of the input.
func Fields(b []byte, at int) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		if !yield("cut", b[:at:at]) {
			return
		}
		m := bytes.Clone(b)
		was := b[at]
		values := []byte{0, 0xff, was ^ 0x80, was + 1, was - 1, was + 8, was - 8}
		if was == 0 { // as most are
			values = values[1:4]
		}
		for _, v := range values {
			if m[at] = v; !yield(fmt.Sprintf("%02x", v), m) {
				return
			}
		}
		m[at] = was
		if at%4 != 0 || at+4 > len(b) {
			return
		}
		n := uint32(len(b))
		for _, v := range []uint32{n, n - uint32(at), 1 << 16, 1<<31 - 1, 1<<32 - 1} {
			binary.LittleEndian.PutUint32(m[at:], v)
			if !yield(fmt.Sprintf("%08x", v), m) {
				return
			}
		}
	}
}

// Characters is the damage of formats that are text: the input is cut, and a
// byte goes, comes twice, or becomes one of those given.
func Characters(others string) Damage {
	return func(b []byte, at int) iter.Seq2[string, []byte] {
		return func(yield func(string, []byte) bool) {
			if !yield("cut", b[:at:at]) || !yield("gone", append(b[:at:at], b[at+1:]...)) ||
				!yield("twice", append(b[:at+1:at+1], b[at:]...)) {
				return
			}
			m := bytes.Clone(b)
			for i := range len(others) {
				if m[at] = others[i]; m[at] != b[at] && !yield(fmt.Sprintf("%q", others[i]), m) {
					return
				}
			}
		}
	}
}

// Between is the damage at places of which the first is from and to is behind
// the last.
func (d Damage) Between(from, to int) Damage {
	return func(b []byte, at int) iter.Seq2[string, []byte] {
		if at < from || at >= to {
			return func(func(string, []byte) bool) {}
		}
		return d(b, at)
	}
}
