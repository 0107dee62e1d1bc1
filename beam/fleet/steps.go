package fleet

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/parquet-go/parquet-go"
	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/lake"
)

// Metrics is the namespace of the metrics, and Bad the counter of bad inputs.
const (
	Metrics = "lake"
	Bad     = "inputs_bad"
)

// A step that is run again counts again.
var (
	inputsSeen    = beam.NewCounter(Metrics, "inputs")
	inputsBad     = beam.NewCounter(Metrics, Bad)
	inputsPassed  = beam.NewCounter(Metrics, "inputs_passed_over")
	piecesPlanned = beam.NewCounter(Metrics, "pieces")
	piecesCooked  = beam.NewCounter(Metrics, "pieces_cooked")
	filesWritten  = beam.NewCounter(Metrics, "files")
	rowsWritten   = beam.NewCounter(Metrics, "rows")
	inputBytes    = beam.NewDistribution(Metrics, "input_bytes")
	pieceBytes    = beam.NewDistribution(Metrics, "piece_bytes")
	pieceRows     = beam.NewDistribution(Metrics, "piece_rows")
	pieceTime     = beam.NewDistribution(Metrics, "piece_milliseconds")
)

// matchFn finds the files that a glob matches, and those below the directories that it
// matches where there are directories.
type matchFn struct{ Dir string }

func (f *matchFn) ProcessElement(ctx context.Context, glob string, emit func(string, bool)) error {
	found, err := list(ctx, glob)
	if err != nil {
		return fmt.Errorf("%s: %w", glob, err)
	}
	if len(found) == 0 && !strings.ContainsAny(glob, "*?[") {
		return fmt.Errorf("%s: %w", glob, fs.ErrNotExist)
	}
	if streamed(glob) {
		found = slices.DeleteFunc(found, func(path string) bool { return strings.HasPrefix(path, join(f.Dir, "")) })
	} else if found, err = lake.List(found, f.Dir); err != nil {
		return err
	}
	for _, path := range found {
		emit(path, true)
	}
	return nil
}

// reader is a step that reads inputs.
type reader struct {
	Options Options
	lake    lake.Options
}

// Setup reads the English names, which all inputs share.
func (r *reader) Setup() {
	r.lake = r.Options.lake()
	r.lake.Capture.Names = capture.NewNames()
	r.lake.Capture.Names.SetEnglish(true)
}

// Teardown lets go of them: a runner may keep the step itself.
func (r *reader) Teardown() { r.lake = lake.Options{} }

// knownFn gives the inputs that the lake has.
type knownFn struct{ Options Options }

func (f *knownFn) ProcessElement(ctx context.Context, _ []byte, emit func(string, lake.Input)) error {
	dir, done, err := manifest(ctx, f.Options.Dir)
	if err != nil {
		return err
	}
	defer done()
	l, err := lake.Open(dir, f.Options.lake())
	if err != nil {
		return err
	}
	for path, in := range l.Inputs() {
		emit(path, *in)
	}
	return nil
}

// lookFn finds out whether an input is new, who recorded it, and when. Those that have
// vanished and are not to be forgotten are inputs of plans, too.
type lookFn struct{ reader }

func (f *lookFn) ProcessElement(ctx context.Context, path string, matched func(*bool) bool, known func(*lake.Input) bool, input, gone func(string, lake.Input), bad func(BadInput)) error {
	was, is := new(lake.Input), false
	if !known(was) {
		was = nil
	}
	if !matched(&is) {
		if !f.Options.Prune && was.Recording != "" {
			gone(was.Recording, *was)
		}
		return nil
	}
	in, err := f.look(ctx, path, was)
	if err != nil {
		return err
	}
	if in == nil {
		inputsPassed.Inc(ctx, 1)
		return nil
	}
	inputsSeen.Inc(ctx, 1)
	inputBytes.Update(ctx, in.Size)
	if in.Recording == "" {
		bad(BadInput{path, in.Failure})
	}
	input(in.Recording, *in)
	return nil
}

func (f *lookFn) look(ctx context.Context, path string, was *lake.Input) (*lake.Input, error) {
	if !streamed(path) {
		return lake.Look(path, was, f.lake), nil
	}
	size, at := stat(ctx, path)
	if was != nil && !f.Options.Verify && !at.IsZero() && was.Size == size && was.MTime.Equal(at) {
		return was, nil
	}
	name, err := fetch(ctx, path, "")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.Remove(name) }()
	o := f.lake
	o.Piece = math.MaxInt64 / 4 // a worker has to fetch all of it anyway
	in := lake.Look(name, was, o)
	if in != nil {
		in.Path, in.MTime = path, at
	}
	return in, nil
}

// planFn divides a recording into pieces, and gives those that are not in the lake yet, or
// could not be read then.
type planFn struct{ Options Options }

func (f *planFn) ProcessElement(ctx context.Context, recording string, next func(*lake.Input) bool, machine func(Machine), piece func(lake.Piece)) {
	if recording == "" { // they cannot be read
		return
	}
	inputs, done, again := map[string]*lake.Input{}, map[string]bool{}, map[string]bool{}
	for in := new(lake.Input); next(in); in = new(lake.Input) {
		inputs[in.Path] = in
		for _, c := range in.Cuts {
			done[c.Piece] = true
			again[c.Piece] = again[c.Piece] || c.Code == string(perfdump.CodeIO)
		}
	}
	m := Machine{Recording: recording}
	for _, path := range slices.Sorted(maps.Keys(inputs)) {
		in := inputs[path]
		if m.Inputs == 0 {
			m.Host, m.Format, m.Start = in.Host, in.Format, in.Start
		}
		if in.Start.Before(m.Start) {
			m.Start = in.Start
		}
		if in.End.After(m.End) {
			m.End = in.End
		}
		m.Inputs++
		m.Bytes += in.Size
	}
	machine(m)
	for _, p := range lake.Plan(inputs, f.Options.lake()) {
		if !done[p.ID] || again[p.ID] {
			piecesPlanned.Inc(ctx, 1)
			pieceBytes.Update(ctx, p.Bytes)
			piece(*p)
		}
	}
}

// cookFn writes the files of a piece.
type cookFn struct{ reader }

func (f *cookFn) ProcessElement(ctx context.Context, p lake.Piece, made func(lake.Made), bad func(BadInput), finding func(Finding)) error {
	began := time.Now()
	tmp, err := os.MkdirTemp("", "perfdump-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(tmp) }()
	was := map[string]string{} // paths of copies
	local := func(sources []lake.Source) ([]lake.Source, error) {
		sources = slices.Clone(sources)
		for i := range sources {
			s := &sources[i]
			path := s.Path
			if streamed(path) {
				if s.Path, err = fetch(ctx, path, tmp); err != nil {
					return nil, err
				}
			}
			was[s.Path] = path
		}
		return sources, nil
	}
	if p.Before, err = local(p.Before); err != nil {
		return err
	}
	if p.Of, err = local(p.Of); err != nil {
		return err
	}
	dir := f.Options.Dir
	if streamed(dir) {
		dir = filepath.Join(tmp, "lake")
	}
	m, err := lake.Cook(ctx, dir, &p, f.lake)
	if err != nil {
		return err
	}
	failures := map[string]lake.Failure{}
	for path, failure := range m.Failures {
		failures[was[path]] = failure
		bad(BadInput{was[path], failure})
	}
	m.Failures = failures
	for _, file := range m.Files {
		name := join(dir, file.Name)
		if file.Table == "findings" {
			all, err := parquet.ReadFile[Finding](name)
			if err != nil {
				return err
			}
			for _, one := range all {
				finding(one)
			}
		}
		if dir != f.Options.Dir {
			if err := publish(ctx, name, join(f.Options.Dir, file.Name)); err != nil {
				return err
			}
		}
	}
	piecesCooked.Inc(ctx, 1)
	filesWritten.Inc(ctx, int64(len(m.Files)))
	rowsWritten.Inc(ctx, m.Rows)
	pieceRows.Update(ctx, m.Rows)
	pieceTime.Update(ctx, time.Since(began).Milliseconds())
	made(*m)
	return nil
}

// commitFn writes the tables and the manifest when all files are there.
type commitFn struct{ Options Options }

func (f *commitFn) ProcessElement(ctx context.Context, _ []byte, input func(*string, *lake.Input) bool, made func(*lake.Made) bool, result func(lake.Result)) error {
	var paths []string
	var found []*lake.Input
	recording := ""
	for in := new(lake.Input); input(&recording, in); in = new(lake.Input) {
		paths, found = append(paths, in.Path), append(found, in)
	}
	var all []*lake.Made
	for m := new(lake.Made); made(m); m = new(lake.Made) {
		all = append(all, m)
	}
	dir, done, err := manifest(ctx, f.Options.Dir)
	if err != nil {
		return err
	}
	defer done()
	l, err := lake.Open(dir, f.Options.lake())
	if err != nil {
		return err
	}
	l.Take(paths, found)
	if err := l.Commit(all); err != nil {
		return err
	}
	if dir != f.Options.Dir {
		if err := replace(ctx, l, dir, f.Options.Dir); err != nil {
			return err
		}
	}
	res := l.Result()
	inputsBad.Inc(ctx, int64(res.Failed))
	result(res)
	return nil
}
