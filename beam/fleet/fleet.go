// Package fleet keeps a lake as perfdump lake does, in an Apache Beam pipeline: on many
// workers, from and to any file system that Beam knows.
//
// The pieces, their rows and the layout are those of internal/lake, so that the files are
// the same, byte by byte (TestSame). A file has a name that says of which bytes it is made,
// and is written whole: a step may run again, or twice at a time (TestTwice), and a
// pipeline may die at any moment (TestFails, TestDies).
package fleet

import (
	"bytes"
	"context"
	"encoding/gob"
	"reflect"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/perfdump/perfdump/internal/lake"
)

// Options says how a lake is made.
type Options struct {
	Dir     string // of the lake, on a file system of Beam
	Prune   bool   // forget inputs that have vanished, and remove their rows
	Verify  bool   // compare all bytes of inputs
	Piece   int64  // about how many bytes a piece of a long log has; 0 for 256 MiB
	Version string // of perfdump

	each func(beam.Scope, beam.PCollection) beam.PCollection // is between two steps in tests
}

func (o Options) lake() lake.Options {
	return lake.Options{Prune: o.Prune, Verify: o.Verify, Piece: o.Piece, Version: o.Version}
}

// Collections are what a pipeline gives beside the files.
type Collections struct {
	Bad      beam.PCollection // of BadInput, of what was read now
	Machines beam.PCollection // of Machine
	Findings beam.PCollection // of Finding, of what was cooked now
	Result   beam.PCollection // of lake.Result: one, when all is done; rows and pieces are metrics
}

// BadInput is an input that cannot be read, or not wholly.
type BadInput struct {
	Path string
	lake.Failure
}

// Machine is a recording, as in the table of machines.
type Machine struct {
	Host, Recording, Format string
	Start, End              time.Time
	Inputs, Bytes           int64
}

// Finding is something that was wrong, as in the table of findings.
type Finding struct {
	Host      string    `parquet:"host,optional"`
	Recording string    `parquet:"recording,optional"`
	Start     time.Time `parquet:"start,optional"`
	End       time.Time `parquet:"end,optional"`
	Rule      string    `parquet:"rule,optional"`
	Severity  string    `parquet:"severity,optional"`
	Area      string    `parquet:"area,optional"`
	Instance  string    `parquet:"instance,optional"`
	Counter   string    `parquet:"counter,optional"`
	Title     string    `parquet:"title,optional"`
	Worst     float64   `parquet:"worst,optional"`
	Average   float64   `parquet:"average,optional"`
	Threshold float64   `parquet:"threshold,optional"`
	Share     float64   `parquet:"share,optional"`
}

// Build adds to a pipeline what brings a lake up to date with the inputs that globs match.
func Build(s beam.Scope, globs []string, o Options) Collections {
	s = s.Scope("lake")
	each := o.each
	if each == nil {
		each = func(_ beam.Scope, c beam.PCollection) beam.PCollection { return c }
	}
	start := beam.Impulse(s)
	paths := each(s, beam.ParDo(s, &matchFn{Dir: o.Dir}, beam.CreateList(s, globs)))
	known := each(s, beam.ParDo(s, &knownFn{Options: o}, start))
	inputs, gone, unreadable := beam.ParDo3(s, &lookFn{reader{Options: o}}, beam.CoGroupByKey(s, paths, known))
	inputs = each(s, inputs)
	machines, pieces := beam.ParDo2(s, &planFn{Options: o}, beam.GroupByKey(s, beam.Flatten(s, inputs, gone)))
	made, damaged, findings := beam.ParDo3(s, &cookFn{reader{Options: o}}, each(s, beam.Reshuffle(s, pieces)))
	result := beam.ParDo(s, &commitFn{Options: o}, start, beam.SideInput{Input: inputs}, beam.SideInput{Input: each(s, made)})
	return Collections{Bad: beam.Flatten(s, unreadable, damaged), Machines: machines, Findings: findings, Result: result}
}

// Register makes types, coders and steps known to Beam by their names. It is called once, by
// the program that builds the pipeline and by its workers, before beam.Init.
func Register() {
	beam.RegisterCoder(reflect.TypeFor[lake.Input](), encodeInput, decodeInput)
	beam.RegisterCoder(reflect.TypeFor[lake.Piece](), encodePiece, decodePiece)
	beam.RegisterCoder(reflect.TypeFor[lake.Made](), encodeMade, decodeMade)
	beam.RegisterCoder(reflect.TypeFor[lake.Result](), encodeResult, decodeResult)
	beam.RegisterCoder(reflect.TypeFor[BadInput](), encodeBadInput, decodeBadInput)
	beam.RegisterCoder(reflect.TypeFor[Machine](), encodeMachine, decodeMachine)
	beam.RegisterCoder(reflect.TypeFor[Finding](), encodeFinding, decodeFinding)
	register.DoFn3x1[context.Context, string, func(string, bool), error](&matchFn{})
	register.DoFn3x1[context.Context, []byte, func(string, lake.Input), error](&knownFn{})
	register.DoFn7x1[context.Context, string, func(*bool) bool, func(*lake.Input) bool, func(string, lake.Input), func(string, lake.Input), func(BadInput), error](&lookFn{})
	register.DoFn5x0[context.Context, string, func(*lake.Input) bool, func(Machine), func(lake.Piece)](&planFn{})
	register.DoFn5x1[context.Context, lake.Piece, func(lake.Made), func(BadInput), func(Finding), error](&cookFn{})
	register.DoFn5x1[context.Context, []byte, func(*string, *lake.Input) bool, func(*lake.Made) bool, func(lake.Result), error](&commitFn{})
	register.Emitter2[string, bool]()
	register.Emitter2[string, lake.Input]()
	register.Emitter1[BadInput]()
	register.Emitter1[lake.Piece]()
	register.Emitter1[lake.Made]()
	register.Emitter1[lake.Result]()
	register.Emitter1[Machine]()
	register.Emitter1[Finding]()
	register.Iter1[bool]()
	register.Iter1[lake.Input]()
	register.Iter1[lake.Made]()
	register.Iter2[string, lake.Input]()
}

// Workers look coders up by name, and generic functions have none. Gob keeps names of files
// that are not UTF-8.

func encodeInput(v lake.Input) ([]byte, error)   { return encode(v) }
func encodePiece(v lake.Piece) ([]byte, error)   { return encode(v) }
func encodeMade(v lake.Made) ([]byte, error)     { return encode(v) }
func encodeResult(v lake.Result) ([]byte, error) { return encode(v) }
func encodeBadInput(v BadInput) ([]byte, error)  { return encode(v) }
func encodeMachine(v Machine) ([]byte, error)    { return encode(v) }
func encodeFinding(v Finding) ([]byte, error)    { return encode(v) }

func decodeInput(b []byte) (lake.Input, error)   { return decode[lake.Input](b) }
func decodePiece(b []byte) (lake.Piece, error)   { return decode[lake.Piece](b) }
func decodeMade(b []byte) (lake.Made, error)     { return decode[lake.Made](b) }
func decodeResult(b []byte) (lake.Result, error) { return decode[lake.Result](b) }
func decodeBadInput(b []byte) (BadInput, error)  { return decode[BadInput](b) }
func decodeMachine(b []byte) (Machine, error)    { return decode[Machine](b) }
func decodeFinding(b []byte) (Finding, error)    { return decode[Finding](b) }

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(v)
	return b.Bytes(), err
}

func decode[T any](b []byte) (v T, err error) {
	err = gob.NewDecoder(bytes.NewReader(b)).Decode(&v)
	return v, err
}
