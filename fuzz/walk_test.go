package fuzz

import (
	"errors"
	"slices"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/perfdata"
)

// checkError wants an error that says where.
func checkError(t *testing.T, b []byte, err error) {
	t.Helper()
	var fe *perfdump.FormatError
	if !errors.As(err, &fe) || fe.Code == "" || fe.Off < 0 || fe.Off > int64(len(b)) || fe.Error() == "" {
		t.Fatalf("error without a place in %d bytes: %#v", len(b), err)
	}
}

// walk uses all accessors of a block and wants them to agree.
func walk(t *testing.T, blk *perfdata.Block) {
	t.Helper()
	_, _ = blk.Time()
	_ = blk.ComputerName()
	for _, a := range blk.Anomalies().Kept() {
		checkError(t, blk.Bytes(), a.Err())
	}
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
