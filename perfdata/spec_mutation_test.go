package perfdata_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

// Every field of every struct, one at a time, takes every bad value: no panic,
// an error or a block, and whatever is accepted holds together (checkAny).
func TestSpecMutationOfEachField(t *testing.T) {
	for name, m := range specimens() {
		t.Run(name, func(t *testing.T) {
			n, i := int64(len(m.Bytes)), 0
			for _, path := range m.Leaves {
				if strings.Contains(path, ".instance[") && !strings.ContainsAny(path[strings.Index(path, ".instance["):], "012") {
					continue // as those before them
				}
				f := m.At(path)
				was := int64(m.Get(path))
				left := n - int64(f.Off)
				for _, v := range []int64{
					0, 1, 2, 3, 4, 7, 8, 16, 23, 24, 39, 40, 63, 64, 65, 87, 88, 89, 0xFF, 0xFFFF,
					-1, -2, -3, -4, -8, was - 1, was + 1, was - 4, was + 4, was - 8, was + 8, was * 2, was | 1<<31, was ^ 1,
					left - 1, left, left + 1, n - 1, n, n + 1, 0x7fffffc7, 0x7fffffff, 0x80000000, 0xfffffff8, 0xffffffff,
				} {
					if i++; thin(i) { // the values are an odd number: each has its turn
						continue
					}
					b := m.Clone().Set(path, v).Bytes
					checkMutant(t, b, fmt.Sprintf("%s = %#x", path, uint64(v)))
				}
			}
		})
	}
}

// Two fields at a time, at random but always the same.
func TestSpecMutationOfPairs(t *testing.T) {
	rounds := 1500
	if perftest.Race || testing.Short() {
		rounds = 200
	}
	for name, m := range specimens() {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(len(m.Bytes))))
			for range rounds {
				c := m.Clone()
				a, b := m.Leaves[r.IntN(len(m.Leaves))], m.Leaves[r.IntN(len(m.Leaves))]
				c.Add(a, r.Int64N(129)-64)
				if r.IntN(2) == 0 {
					c.Set(b, r.Int64N(int64(len(c.Bytes))+64))
				} else {
					c.Add(b, 8*(r.Int64N(17)-8))
				}
				checkMutant(t, c.Bytes, a+" and "+b)
			}
		})
	}
}

func checkMutant(t *testing.T, b []byte, what string) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil || t.Failed() {
			t.Fatalf("%s: %v", what, r)
		}
	}()
	_, _ = checkAny(t, b)
}
