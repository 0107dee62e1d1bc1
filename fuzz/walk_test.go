package fuzz

import (
	"errors"
	"iter"
	"slices"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/perfdata"
)

// checkError checks that an error says where.
func checkError(t *testing.T, b []byte, err error) {
	t.Helper()
	var fe *perfdump.FormatError
	if !errors.As(err, &fe) || fe.Code == "" || fe.Off < 0 || fe.Off > int64(len(b)) || fe.Error() == "" {
		t.Fatalf("error without a place in %d bytes: %#v", len(b), err)
	}
}

var modes = []perfdump.Mode{perfdump.Tolerant, perfdump.Strict, perfdump.Salvage}

// maxInput keeps one input from taking the time of thousands.
const maxInput = 1 << 16

// codePageOf returns 0, a detected code page, for a number that is none of text files.
func codePageOf(n uint32) uint32 {
	if _, err := textlines.CodePage(n); err != nil {
		return 0
	}
	return n
}

// eachMode reads an input in each mode and checks what is true of all formats:
// an error that says where, or a value, never both; strict mode has no faults, and
// tolerant mode only those of chunks of a table; strict mode accepts nothing that
// tolerant mode refuses, nor anything with an anomaly; salvage mode refuses nothing
// that tolerant mode accepts.
func eachMode[T comparable](t *testing.T, b []byte, parse func(perfdump.Options) (T, error), check func(T, perfdump.Mode)) {
	t.Helper()
	var errs [3]error
	var none T
	for _, mode := range modes {
		v, err := parse(perfdump.Options{Mode: mode})
		errs[mode] = err
		if (err == nil) == (v == none) {
			t.Fatalf("%v: value %v, error %v", mode, v != none, err)
		}
		if err != nil {
			checkError(t, b, err)
			continue
		}
		if v, ok := any(v).(interface{ Anomalies() *perfdump.Anomalies }); ok {
			for _, a := range v.Anomalies().Kept() {
				checkError(t, b, a.Err())
			}
			if mode == perfdump.Strict && v.Anomalies().Len() > 0 {
				t.Fatalf("strict accepts %v", v.Anomalies().Kept())
			}
		}
		if f, ok := any(v).(interface {
			Faults() iter.Seq[*perfdump.FormatError]
		}); ok {
			for e := range f.Faults() {
				checkError(t, b, e)
			}
			// A table may hold a chunk that cannot be read: tolerant mode reads the others.
			if _, table := any(v).(*ipcblock.Table); len(slices.Collect(f.Faults())) > 0 && (mode == perfdump.Strict || mode == perfdump.Tolerant && !table) {
				t.Fatalf("%v: faults %v", mode, slices.Collect(f.Faults()))
			}
		}
		check(v, mode)
	}
	tolerant, strict, salvage := errs[perfdump.Tolerant], errs[perfdump.Strict], errs[perfdump.Salvage]
	if strict == nil && tolerant != nil || tolerant == nil && salvage != nil {
		t.Fatalf("tolerant %v, strict %v, salvage %v", tolerant, strict, salvage)
	}
}

// walk uses all accessors of a block and checks that they agree.
func walk(t *testing.T, blk *perfdata.Block) {
	t.Helper()
	_, _ = blk.Time()
	_ = blk.ComputerName()
	for i, o := range blk.Objects() {
		if o != blk.Object(i) || o.Len() < 0 {
			t.Fatalf("object %d", i)
		}
		if _, ok := blk.ObjectByIndex(o.ObjectNameTitleIndex); !ok {
			t.Fatalf("object %d is not found by its index", i)
		}
		walkObject(t, o)
	}
}

func walkObject(t *testing.T, o *perfdata.Object) {
	t.Helper()
	n := len(o.Counters())
	bulk := o.AppendUint64s(nil)
	if len(bulk) != n*o.Len() {
		t.Fatalf("%s: %d values of %d instances with %d counters", o.Path(), len(bulk), o.Len(), n)
	}
	if from, to := o.Len()/3, o.Len()-o.Len()/4; !slices.Equal(o.AppendRows(nil, from, to), bulk[from*n:to*n]) {
		t.Fatalf("%s: rows %d to %d differ", o.Path(), from, to)
	}
	for k, in := range o.Instances() {
		row := in.AppendUint64s(nil)
		if !slices.Equal(row, bulk[k*n:(k+1)*n]) {
			t.Fatalf("%s: row and bulk differ", in.Path())
		}
		for j, v := range in.Values() {
			u, ok := in.Uint64(j)
			isInt := v.Kind == perfdata.Uint32 || v.Kind == perfdata.Uint64
			if ok != isInt || u != v.Uint || row[j] != u || v.Raw == nil != (v.Kind == perfdata.Absent) {
				t.Fatalf("%s: counter %d: %+v, %d %v, row %d", in.Path(), j, v, u, ok, row[j])
			}
			if v.Kind == perfdata.Text {
				_ = v.Text()
			}
			_, _ = in.Multi(j)
		}
	}
	for j := range n {
		column := o.AppendColumn(nil, j)
		for k, u := range column {
			if u != bulk[k*n+j] {
				t.Fatalf("%s: column %d differs", o.Path(), j)
			}
		}
	}
}

// codePage returns the code page that reads a file again in the same way: a
// guess after an edit could go another way.
func codePage(t *testing.T, encoding string) uint32 {
	t.Helper()
	enc, err := textlines.ParseEncoding(encoding)
	if err != nil {
		t.Fatal(err)
	}
	return enc.CodePage()
}
