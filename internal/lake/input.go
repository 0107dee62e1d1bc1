package lake

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/wire"
)

// Input is a file of a recording as it was when it was read.
type Input struct {
	Path  string    `json:"input,omitempty"`
	Raw   []byte    `json:"raw,omitempty"` // the path in the manifest, if it is not UTF-8
	Size  int64     `json:"size"`
	MTime time.Time `json:"mtime"`
	Hash  string    `json:"hash,omitempty"` // of its length, its first and its last bytes
	Body  string    `json:"body,omitempty"` // the same without the header: a log that has grown still has it
	Full  string    `json:"full,omitempty"` // of all bytes, where they were verified

	Recording string    `json:"recording,omitempty"` // who wrote it, "" where it cannot be read
	Host      string    `json:"machine,omitempty"`
	Format    string    `json:"format,omitempty"`
	Start     time.Time `json:"start"`
	End       time.Time `json:"end"`

	// Of a log that can be cut, its lists are before Head or, if Tail is set, from there on.
	Head int64 `json:"head,omitempty"`
	Tail int64 `json:"tail,omitempty"`
	Cuts []Cut `json:"pieces,omitempty"`

	Failure // to read any of it
}

// Cut is where a piece of an input begins. The first one begins with the input.
type Cut struct {
	Off   int64     `json:"at,omitempty"`
	Time  time.Time `json:"from,omitzero"` // of its first sample; zero for the first piece
	Hash  string    `json:"hash"`          // of the input when the piece was planned
	Piece string    `json:"piece,omitempty"`

	Failure // to read all of it
}

// Failure is what could not be read.
type Failure struct {
	Code   string `json:"code,omitempty"`
	Offset int64  `json:"offset,omitempty"` // negative if unknown
	Error  string `json:"error,omitempty"`
}

func failureOf(err error) Failure {
	fe := wire.AsFormatError(err)
	return Failure{string(fe.Code), fe.Off, fe.Message()}
}

// Failed returns what could not be read of an input, nil if there is nothing.
func (in *Input) Failed() *Failure {
	if in.Code != "" {
		return &in.Failure
	}
	for i := range in.Cuts {
		if f := &in.Cuts[i].Failure; f.Code != "" {
			return f
		}
	}
	return nil
}

func (in *Input) clone() *Input {
	c := *in
	c.Cuts = slices.Clone(in.Cuts)
	return &c
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// List returns the files that inputs name, those of directories in them included, but not
// those of the lake in dir.
func List(inputs []string, dir string) (paths []string, err error) {
	self, err := os.Stat(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	seen := map[string]bool{}
	for _, in := range inputs {
		root, err := filepath.Abs(in)
		if err != nil {
			return nil, err
		}
		err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				if name == root {
					return err
				}
				return nil // what vanishes meanwhile was never there
			}
			if d.IsDir() {
				if info, err := d.Info(); err == nil && self != nil && os.SameFile(info, self) {
					return fs.SkipDir
				}
				return nil
			}
			if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && !seen[name] {
				seen[name] = true
				paths = append(paths, name)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return paths, nil
}

// edge is how many bytes at each end of an input tell whether it has changed.
const edge = 64 << 10

// span is a range of the bytes of an input.
type span struct{ from, to int64 }

// hashOf returns a hash of ranges of an input.
func hashOf(r io.ReaderAt, ranges ...span) (string, error) {
	h := sha256.New()
	_, _ = fmt.Fprintln(h, ranges)
	for _, s := range ranges {
		if _, err := io.Copy(h, io.NewSectionReader(r, s.from, s.to-s.from)); err != nil {
			return "", err
		}
	}
	return hashText(h), nil
}

func hashText(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)[:16]) }

// bodyOf returns the hash of a log of a size without its header, which changes when the log
// grows.
func bodyOf(r io.ReaderAt, size int64) (string, error) {
	const header = 4 << 10 // at most
	return hashOf(r, span{min(header, size), min(edge, size)}, span{min(size, max(header, size-edge)), size})
}

// Look returns an input as it is now: known, if it is that of before; nil for a file without
// counter values. One that cannot be read has a failure.
func Look(path string, known *Input, o Options) *Input {
	o = o.withDefaults()
	in := &Input{Path: path}
	f, err := os.Open(path)
	var info fs.FileInfo
	if err == nil {
		defer func() { _ = f.Close() }()
		info, err = f.Stat()
	}
	if err != nil {
		in.Failure = failureOf(err)
		return in
	}
	in.Size, in.MTime = info.Size(), info.ModTime().UTC()
	if known != nil && !o.Verify && known.Code != codeIO && known.Size == in.Size && known.MTime.Equal(in.MTime) {
		return known
	}
	if err := in.look(f, known, o); errors.Is(err, errNoValues) {
		return nil
	} else if err != nil {
		in.Recording, in.Cuts, in.Failure = "", nil, failureOf(err)
	}
	return in
}

func (in *Input) look(f *os.File, known *Input, o Options) (err error) {
	if in.Hash, err = hashOf(f, span{0, min(edge, in.Size)}, span{max(0, in.Size-edge), in.Size}); err != nil {
		return err
	}
	if o.Verify {
		if in.Full, err = hashOf(f, span{0, in.Size}); err != nil {
			return err
		}
	}
	if known != nil && strings.HasPrefix(known.Hash, in.Hash) {
		if known.Full == "" || in.Full == "" || known.Full == in.Full {
			now := *in
			*in = *known.clone()
			in.MTime, in.Full = now.MTime, cmp.Or(now.Full, known.Full)
			return nil
		}
		in.Hash += "-" + in.Full // its ends are the same
	}
	if known != nil && !o.Verify && known.Head > 0 && known.Tail == 0 && known.Size < in.Size {
		if body, err := bodyOf(f, known.Size); err == nil && body == known.Body && in.grow(f, known, o) == nil {
			return nil
		}
	}
	return in.identify(f, o)
}

// errNoValues says that an input has no counter values, so that it is passed over.
var errNoValues = errors.New("no counter values")

// identify finds who recorded an input, and when.
func (in *Input) identify(f *os.File, o Options) error {
	in.Cuts = []Cut{{Hash: in.Hash}}
	from, err := capture.Open(in.Path)
	if err != nil {
		if errors.Is(err, perfdump.ErrUnknownFormat) || errors.Is(err, perfdump.ErrEmpty) {
			return errNoValues
		}
		return err
	}
	defer func() { _ = from.Close() }()
	in.Format = from.Format
	if from.At != nil && in.Format == "blg" {
		if err := in.identifyLog(from.At, from.Size, o); err != nil || in.Head == 0 || from.Size != in.Size {
			in.Head = 0 // what is packed is not cut
			return err
		}
		if in.Body, err = bodyOf(f, in.Size); err != nil {
			return err
		}
		in.cut(f, o.piece(), o)
		return nil
	}
	c := o.Capture
	c.Names = c.Names.Fork()
	r := capture.NewRecording(c, capture.CookOptions{})
	defer func() { _ = r.Close() }()
	var none *capture.NoCaptureError
	if err := r.Add(from); errors.As(err, &none) {
		return errNoValues
	} else if err != nil && r.Len() == 0 {
		return err
	}
	for f, err := range r.Frames() {
		if err != nil {
			continue // it is reported where it is cooked
		}
		if in.Recording == "" {
			in.Host = f.Host
			in.Recording = recordingOf(in.Format, f.Zone+f.Offset.String(), f.Host)
		}
		if in.Start.IsZero() || f.Time.Before(in.Start) {
			in.Start = f.Time
		}
		if f.Time.After(in.End) {
			in.End = f.Time
		}
	}
	if in.Recording == "" {
		return errNoValues
	}
	return nil
}

func (in *Input) identifyLog(r io.ReaderAt, size int64, o Options) error {
	f, err := in.ends(r, size, o)
	if err != nil {
		return err
	}
	if f.NumRecords() == 0 {
		return errNoValues
	}
	in.Start, in.End = f.Start().Time(), f.End().Time()
	if items := f.Items(); len(items) > 0 {
		in.Host = items[0].Path.Machine
	}
	h := f.Header()
	in.Recording = recordingOf(h.LoggerName, h.ZoneBias, in.Host)
	return nil
}

// recordingOf names who wrote an input.
func recordingOf(logger string, zone any, host string) string {
	return short(fmt.Sprintf("%q %v %q", logger, zone, strings.ToLower(host)))
}

func short(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}
