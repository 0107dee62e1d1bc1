//go:build fuzzmin

// Package hook stands in the test binaries that fuzzmin builds, under the name
// of the package tested: a target calls it before it reads its seeds, and
// around each of them. It builds in such a binary alone.
package hook

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/coverage"
	"syscall"
	"testing"
	"time"
	_ "unsafe" // for go:linkname
)

// fuzzminRecord is what one seed did; measure.go has it too.
type fuzzminRecord struct {
	Name     string        // of the subtest
	Input    []byte        // as a corpus file, of a seed that the target adds itself
	Counters []byte        // a file of runtime/coverage
	Took     time.Duration // of a processor
	Failed   bool
}

var fuzzminHook struct {
	home string
	out  *gob.Encoder
}

// fuzzminInit makes coverage's meta-data ready, which a test binary does only
// at its end, and without which there are no counters to be had before.
//
//go:linkname fuzzminInit runtime/coverage.initHook
func fuzzminInit(test bool)

// fuzzminSeeds makes the target, which is about to read testdata/fuzz, find
// the inputs to measure there.
func fuzzminSeeds() {
	var err error
	if fuzzminHook.home, err = os.Getwd(); err == nil {
		err = os.Chdir(os.Getenv("FUZZMIN_SEEDS"))
	}
	fuzzminMust(err)
}

// fuzzminSeed begins a seed; what it gives is called at the seed's end.
func fuzzminSeed(t *testing.T, values ...any) func() {
	h := &fuzzminHook
	if h.out == nil {
		name := os.Getenv("FUZZMIN_RECORDS")
		f, err := os.Create(name)
		fuzzminMust(err)
		h.out = gob.NewEncoder(f)
		meta := filepath.Join(filepath.Dir(name), "meta")
		fuzzminMust(os.MkdirAll(meta, 0o750))
		fuzzminInit(false)
		fuzzminMust(coverage.WriteMetaDir(meta))
		fuzzminMust(os.Chdir(h.home))
	}
	r := fuzzminRecord{Name: t.Name()}
	if bytes.Contains([]byte(r.Name), []byte("/seed#")) {
		r.Input = fuzzminFile(values)
	}
	fuzzminMust(coverage.ClearCounters())
	began := fuzzminTime()
	return func() {
		r.Took, r.Failed = fuzzminTime()-began, t.Failed()
		var b bytes.Buffer
		fuzzminMust(coverage.WriteCounters(&b))
		r.Counters = b.Bytes()
		fuzzminMust(h.out.Encode(r))
	}
}

// fuzzminFile writes values as Go's fuzzer does.
func fuzzminFile(values []any) []byte {
	b := []byte("go test fuzz v1\n")
	for _, v := range values {
		switch v := v.(type) {
		case []byte:
			b = fmt.Appendf(b, "[]byte(%q)\n", v)
		case string:
			b = fmt.Appendf(b, "string(%q)\n", v)
		case byte:
			b = fmt.Appendf(b, "byte(%q)\n", v)
		default:
			b = fmt.Appendf(b, "%T(%v)\n", v, v)
		}
	}
	return b
}

// fuzzminTime is the time of processors that was taken so far: on a busy
// machine, time on the wall says nothing of an input.
func fuzzminTime() time.Duration {
	var u syscall.Rusage
	fuzzminMust(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func fuzzminMust(err error) {
	if err != nil {
		_, _ = io.WriteString(os.Stderr, "fuzzmin: "+err.Error()+"\n")
		panic(err)
	}
}
