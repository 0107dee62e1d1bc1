package lake

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/wire"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// list returns the files that inputs name, those of directories in them included, but not
// those of the lake itself.
func list(inputs []string, dir string) (paths []string, err error) {
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

// look returns an input as it is now, with its hash. full hashes all of it.
func look(path string, full bool) (*Input, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	in := &Input{Path: path, Size: info.Size(), MTime: info.ModTime().UTC()}
	h := sha256.New()
	_, _ = fmt.Fprintln(h, in.Size)
	for _, part := range [][2]int64{{0, min(edge, in.Size)}, {max(0, in.Size-edge), min(edge, in.Size)}} {
		if _, err := io.Copy(h, io.NewSectionReader(f, part[0], part[1])); err != nil {
			return nil, err
		}
	}
	in.Hash = hex.EncodeToString(h.Sum(nil)[:16])
	if full {
		h := sha256.New()
		if _, err := io.Copy(h, io.NewSectionReader(f, 0, in.Size)); err != nil {
			return nil, err
		}
		in.Full = hex.EncodeToString(h.Sum(nil)[:16])
	}
	return in, nil
}

// errNoValues says that an input has no counter values, so that it is passed over.
var errNoValues = errors.New("no counter values")

// identify finds who recorded an input, and when.
func (in *Input) identify(o capture.Options) error {
	from, err := capture.Open(in.Path)
	if err != nil {
		if errors.Is(err, perfdump.ErrUnknownFormat) || errors.Is(err, perfdump.ErrEmpty) {
			return errNoValues
		}
		return err
	}
	defer func() { _ = from.Close() }()
	in.Format = from.Format
	if from.At != nil && from.Format == "blg" {
		f, err := blg.Open(from.At, from.Size, blg.Options{Options: o.Options})
		if err != nil {
			return err
		}
		in.Start, in.End = f.Start().Time(), f.End().Time()
		h := f.Header()
		if items := f.Items(); len(items) > 0 {
			in.Host = items[0].Path.Machine
		}
		in.Recording = recordingOf(h.LoggerName, h.ZoneBias, in.Host)
		if f.NumRecords() == 0 {
			return errNoValues
		}
		return nil
	}
	o.Names = o.Names.Fork()
	r := capture.NewRecording(o, capture.CookOptions{})
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

// recordingOf names who wrote an input.
func recordingOf(logger string, zone any, host string) string {
	return short(fmt.Sprintf("%q %v %q", logger, zone, strings.ToLower(host)))
}

func short(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}

// fail notes why an input cannot be read.
func (in *Input) fail(err error) {
	fe := wire.AsFormatError(err)
	in.Code, in.Offset, in.Error = string(fe.Code), fe.Off, fe.Message()
}

// stretch is inputs of a recording that overlap in time, and those before them.
type stretch struct {
	id     string
	inputs []*Input
	before []*Input
}

// stretches divides recordings. The ID of a stretch says of which bytes it is made.
func stretches(inputs map[string]*Input) (all []*stretch) {
	recordings := map[string][]*Input{}
	for _, path := range sortedKeys(inputs) {
		if in := inputs[path]; in.Recording != "" {
			recordings[in.Recording] = append(recordings[in.Recording], in)
		}
	}
	for _, name := range sortedKeys(recordings) {
		of := recordings[name]
		slices.SortStableFunc(of, func(a, b *Input) int { return a.Start.Compare(b.Start) })
		var last *stretch
		var end time.Time
		for _, in := range of {
			if last == nil || in.Start.After(end) {
				next := &stretch{}
				if last != nil {
					next.before = last.inputs
				}
				last, end = next, in.End
				all = append(all, next)
			}
			last.inputs = append(last.inputs, in)
			if in.End.After(end) {
				end = in.End
			}
		}
	}
	for _, s := range all {
		var b strings.Builder
		for _, in := range slices.Concat(s.before, s.inputs) {
			fmt.Fprintln(&b, in.Path, in.Hash)
		}
		fmt.Fprintln(&b, len(s.before), s.inputs[0].Recording)
		s.id = s.inputs[0].Start.UTC().Format("20060102T150405") + "-" + short(b.String())
	}
	return all
}
