package pdhcsv_test

import (
	"bytes"
	"encoding/csv"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/pdhcsv"
)

// long returns a file of 500 columns as a log of a server has them: half of
// the values are whole numbers.
func long(rows int) []byte {
	rnd := rand.New(rand.NewPCG(3, 4))
	out := pdhcsv.AppendHeader(nil, pdhcsv.CSV, pdhcsv.ZoneOf("", 0), func(yield func(string) bool) {
		for i := range 500 {
			if !yield(`\\server\Process(worker#` + strconv.Itoa(i) + `)\% Processor Time`) {
				return
			}
		}
	})
	at := time.Date(2020, 3, 18, 19, 5, 41, 0, time.UTC)
	for i := range rows {
		out = pdhcsv.AppendTime(out, at.Add(time.Duration(i)*time.Second))
		for j := range 500 {
			v := rnd.Float64() * 100
			if j%2 == 0 {
				v = float64(rnd.IntN(1e9))
			}
			out = pdhcsv.AppendValue(out, pdhcsv.CSV, v)
		}
		out = append(out, pdhcsv.RowEnd...)
	}
	return out
}

// BenchmarkRead reads a log row by row, beside the standard library's reader
// of CSV with strconv.
func BenchmarkRead(b *testing.B) {
	text := long(1000)
	b.Run("pdhcsv", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			r, err := pdhcsv.NewReader(bytes.NewReader(text), pdhcsv.Options{})
			require.NoError(b, err)
			for _, err := range r.Rows() {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("encoding/csv", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			r := csv.NewReader(bytes.NewReader(text))
			r.ReuseRecord = true
			_, _ = r.Read()
			for {
				record, err := r.Read()
				if err == io.EOF {
					break
				}
				for _, cell := range record[1:] {
					_, _ = strconv.ParseFloat(cell, 64)
				}
			}
		}
	})
}

// TestGuardReadAllocsNothing holds that a row costs no allocation.
func TestGuardReadAllocsNothing(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector allocates")
	}
	text := string(long(400))
	r, err := pdhcsv.NewReader(strings.NewReader(text), pdhcsv.Options{})
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
