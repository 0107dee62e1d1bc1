package pdhcsv_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/pdhcsv"
)

// long returns a file of 500 columns as a log of a server has them: half of
// the values are whole numbers.
func long(rows int) string {
	columns := func(yield func(string) bool) {
		for i := range 500 {
			if !yield(fmt.Sprintf(`\\server\Process(worker#%d)\%% Processor Time`, i)) {
				return
			}
		}
	}
	out := pdhcsv.AppendHeader(nil, pdhcsv.CSV, pdhcsv.ZoneOf("", 0), columns)
	at := time.Date(2020, 3, 18, 19, 5, 41, 0, time.UTC)
	for i := range rows {
		out = pdhcsv.AppendTime(out, at.Add(time.Duration(i)*time.Second))
		for j := range 500 {
			v := math.Mod(float64(i*500+j)*0.6180339887498949, 1) * 100
			if j%2 == 0 {
				v = math.Trunc(v * 1e7)
			}
			out = pdhcsv.AppendValue(out, pdhcsv.CSV, v)
		}
		out = append(out, pdhcsv.RowEnd...)
	}
	return string(out)
}

// BenchmarkRead reads a log row by row.
func BenchmarkRead(b *testing.B) {
	text := long(1000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		r, err := pdhcsv.NewReader(strings.NewReader(text), pdhcsv.Options{})
		require.NoError(b, err)
		for _, err := range r.Rows() {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// TestGuardReadAllocsNothing: a row costs no allocation.
func TestGuardReadAllocsNothing(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector allocates")
	}
	r, err := pdhcsv.NewReader(strings.NewReader(long(400)), pdhcsv.Options{})
	require.NoError(t, err)
	next := func() {
		for _, err := range r.Rows() {
			if err != nil {
				t.Fatal(err)
			}
			return
		}
		t.Fatal("no row")
	}
	next()
	assert.Zero(t, testing.AllocsPerRun(300, next))
}

// TestHostile reads lines that are built to cost more than their length.
func TestHostile(t *testing.T) {
	for name, text := range map[string]string{
		"open quotes":                 pacific + moment + strings.Repeat(`,"a""`, 1<<20),
		"open quotes in many columns": `"(PDH-CSV 4.0)"` + strings.Repeat(`,x`, 60000) + "\n" + "01/02/2003 04:05:06" + strings.Repeat(`,"a""`, 60000),
		"open header":                 strings.Repeat("\"\n", 1<<20),
		"one line":                    pacific + strings.Repeat("x", 8<<20),
		"repeats":                     `"(PDH-CSV 4.0)"` + strings.Repeat(`,"\\h\A\B"`, 60000) + "\n" + strings.Repeat("01/02/2003 04:05:06,1,2\n", 20),
	} {
		start := time.Now()
		_, _, _, _ = read(t, text, pdhcsv.Options{})
		assert.Less(t, time.Since(start), 5*time.Second, name)
	}
	// What a row costs goes by its own cells, also where columns have the same name.
	const n = 60_000
	distinct := func(yield func(string) bool) {
		for i := range n {
			if !yield(fmt.Sprintf(`\\h\P(%d)\C`, i)) {
				return
			}
		}
	}
	for name, header := range map[string]string{
		"columns":       string(pdhcsv.AppendHeader(nil, pdhcsv.CSV, pdhcsv.Zone{}, distinct)),
		"equal columns": utc + strings.Repeat(`,"\\h\P\C"`, n) + "\r\n",
	} {
		start := time.Now()
		r, err := pdhcsv.NewReader(strings.NewReader(header+strings.Repeat(moment+"\r\n", n)), pdhcsv.Options{})
		require.NoError(t, err)
		last := -1
		for row, err := range r.Rows() {
			require.NoError(t, err)
			require.Zero(t, row.Cells)
			require.True(t, math.IsNaN(row.Values[n-1]))
			last = row.Index
		}
		require.Equal(t, n-1, last)
		require.Less(t, time.Since(start), 10*time.Second, name) // 3.6e9 cells otherwise
	}
}
