package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const (
	cutSize = 300 << 10 // of the largest file that is cut
	cuts    = 120
)

// input is a file or a directory, by its name in the work directory.
type input struct {
	name   string
	stdin  string // what "-" is
	format string
	named  bool // by --format
	size   int
	sum    string // of all files in its directory, for verbs look there too
}

// words are what names an input on a command line.
func (in *input) words() []string {
	name := in.name
	if in.stdin != "" {
		name = "-"
	}
	if in.named {
		return []string{name, "--format", in.format}
	}
	return []string{name}
}

type inputs struct {
	all    []*input
	chosen map[*input]bool
	cut    map[*input]*input
	sums   map[string]string // by name
}

// findInputs makes the work directory, in which testdata and shared are links,
// so that names are the same wherever the checkout is.
func findInputs(o *options, work string, older *cached) (*inputs, error) {
	in := &inputs{cut: map[*input]*input{}, sums: map[string]string{}}
	for name, dir := range map[string]string{"testdata": filepath.Join(o.root, "testdata"), "shared": o.shared} {
		if err := os.Symlink(dir, filepath.Join(work, name)); err != nil {
			return nil, err
		}
	}
	read := func(dir string) error {
		return filepath.WalkDir(filepath.Join(work, dir)+"/.", func(path string, d fs.DirEntry, err error) error {
			if os.IsNotExist(err) || err == nil && !d.Type().IsRegular() {
				return nil
			}
			name, _ := filepath.Rel(work, path)
			b, err2 := os.ReadFile(path)
			if err := cmp.Or(err, err2); err != nil {
				return err
			}
			sum := sha256.Sum256(b)
			in.sums[name] = hex.EncodeToString(sum[:])
			in.all = append(in.all, &input{name: name, size: len(b)})
			return nil
		})
	}
	if err := makeFiles(work, older); err != nil {
		return nil, err
	}
	for _, dir := range []string{"made", "testdata", "shared/captures", "shared/corpus", "shared/vectors"} {
		if err := read(dir); err != nil {
			return nil, err
		}
	}
	in.sumDirs()
	each(o.workers, in.all, func(i *input) { i.format, i.named = formatOf(i, older) })
	last := map[string]string{}
	for _, i := range in.all { // what is damaged is of the format of its neighbours
		like := filepath.Dir(i.name) + filepath.Ext(i.name)
		if i.format == "" {
			i.format = last[like]
		}
		last[like] = i.format
	}
	if err := in.makeForms(work); err != nil {
		return nil, err
	}
	in.choose(o)
	return in, nil
}

// sumDirs sums up directories and gives files the sums of theirs.
func (in *inputs) sumDirs() {
	texts := map[string]string{}
	for _, i := range in.all {
		texts[filepath.Dir(i.name)] += i.name + in.sums[i.name]
	}
	for dir, text := range texts {
		sum := sha256.Sum256([]byte(text))
		in.sums[dir] = hex.EncodeToString(sum[:])
	}
	for _, i := range in.all {
		i.sum = in.sums[filepath.Dir(i.name)]
	}
}

var (
	formatKey = regexp.MustCompile(`"format":"([^"]+)"`)
	hidden    = regexp.MustCompile(`(perflib2)/|\.(memory|carve|aspnet2\.0|aspnet4\.x)$`)
)

// formatOf asks the old build, except for formats that have to be named.
func formatOf(i *input, older *cached) (format string, named bool) {
	if m := hidden.FindStringSubmatch(i.name); m != nil && !strings.HasSuffix(i.name, ".md") {
		return strings.Replace(m[1]+m[2], "aspnet", "aspnet:", 1), true
	}
	r, err := older.result(&job{in: i, args: []string{"info", "-o", "json", i.name}, sum: i.sum})
	if err != nil {
		return "", false
	}
	if m := formatKey.FindSubmatch(r.Heads[0]); m != nil {
		return string(m[1]), false
	}
	return "", false
}

func write(work, name string, b []byte) error {
	name = filepath.Join(work, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
		return err
	}
	return os.WriteFile(name, b, 0o600)
}

// makeFiles makes files of the formats that there are no fixtures of.
func makeFiles(work string, older *cached) error {
	for name, line := range map[string]string{
		"small.csv":   "cook -o pdh-csv testdata/blg/small.blg",
		"small.tsv":   "cook -o pdh-tsv testdata/blg/small.blg",
		"server.csv":  "cook -o pdh-csv testdata/captures/small.bin testdata/captures/small-next.bin",
		"server.tsv":  "cook -o pdh-tsv testdata/captures/small.bin testdata/captures/small-next.bin",
		"agent.txt":   "dump -o checkmk testdata/captures/sys-238-x86_64-1.bin",
		"agent-2.txt": "dump -o checkmk testdata/captures/sys-238-x86_64-2.bin",
		"server.txt":  "dump -o checkmk testdata/captures/small.bin",
		"names.txt":   "titles -o text testdata/captures/titles-009.bin",
		"names.ini":   "titles -o perfstrings testdata/captures/titles-009.bin",
		"names.reg":   "titles -o reg testdata/captures/titles-009.bin",
	} {
		r, err := older.run(&job{args: strings.Fields(line)}, most)
		if err == nil {
			err = write(work, "made/files/"+name, r.Heads[0])
		}
		if err != nil {
			return err
		}
	}
	vector := func(n, first uint32) (b []byte) {
		for i := range n {
			b = binary.LittleEndian.AppendUint32(b, first+i)
		}
		return b
	}
	for i, names := range [][2]string{{"ipcblock/sxs_x64.bin", "captures/sys-238-x86_64-1.bin"}, {"ipcblock/sxs_x86.bin", "captures/sys-238-x86_64-2.bin"}} {
		block, err1 := os.ReadFile(filepath.Join(work, "testdata", names[0]))
		data, err2 := os.ReadFile(filepath.Join(work, "testdata", names[1]))
		if err := cmp.Or(err1, err2); err != nil {
			return err
		}
		for name, b := range map[string][]byte{
			"memory":    slices.Concat(make([]byte, 8192), block, make([]byte, 4096)),
			"carve":     slices.Concat(bytes.Repeat([]byte{0xA5}, 4096), data, block),
			"aspnet2.0": vector(84, uint32(1+8*i)),
			"aspnet4.x": vector(101, uint32(1+8*i)),
		} {
			if err := write(work, fmt.Sprintf("made/files/%d.%s", i, name), b); err != nil {
				return err
			}
		}
	}
	return write(work, "made/files/empty.bin", nil)
}

// makeForms adds cuts, and of each format a packed file and standard input, and
// directories.
func (in *inputs) makeForms(work string) error {
	formats := map[string][]*input{}
	for _, i := range in.all {
		if i.size <= cutSize && !strings.HasPrefix(i.name, "shared/vectors") {
			formats[i.format] = append(formats[i.format], i)
		}
	}
	var forms []*input
	add := func(of *input, name string, b []byte) (*input, error) {
		i := *of
		i.name, i.size = name, len(b)
		sum := sha256.Sum256(b)
		i.sum = hex.EncodeToString(sum[:])
		in.sums[i.name] = i.sum
		forms = append(forms, &i)
		return &i, write(work, i.name, b)
	}
	for format, list := range formats {
		slices.SortStableFunc(list, func(a, b *input) int { // fixtures first
			return cmp.Compare(strings.Count(a.name, "malformed"), strings.Count(b.name, "malformed"))
		})
		for n, i := range spread(list, max(5, cuts*len(list)/len(in.all))) {
			b, err := os.ReadFile(filepath.Join(work, i.name))
			if err != nil {
				return err
			}
			if in.cut[i], err = add(i, "made/cut/"+i.name, b[:len(b)/2]); err != nil {
				return err
			}
			if n > 0 || format == "" {
				continue
			}
			forms = append(forms, &input{name: i.name, stdin: filepath.Join(work, i.name), format: i.format, named: i.named, size: i.size, sum: i.sum})
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			_, _ = z.Write(b)
			_ = z.Close()
			if _, err := add(i, "made/gz/"+i.name+".gz", packed.Bytes()); err != nil {
				return err
			}
		}
	}
	slices.SortFunc(forms, func(a, b *input) int { return cmp.Compare(a.name+a.stdin, b.name+b.stdin) })
	for _, dir := range []string{"testdata/captures", "testdata/blg", "testdata/registration/sound", "testdata/registration/mismatch"} {
		forms = append(forms, &input{name: dir, format: "directory", sum: in.sums[dir]})
	}
	in.all = append(in.all, forms...)
	return nil
}

// spread returns n of a list, from all over it.
func spread[T any](list []T, n int) []T {
	n = min(n, len(list))
	out := make([]T, n)
	for i := range out {
		out[i] = list[i*len(list)/n]
	}
	return out
}

// choose leaves what runs.
func (in *inputs) choose(o *options) {
	formats := map[string][]*input{}
	for _, i := range in.all {
		formats[i.format] = append(formats[i.format], i)
	}
	in.chosen = map[*input]bool{}
	for _, list := range formats {
		if o.fast {
			list = spread(list, max(3, len(list)/6))
		}
		for _, i := range list {
			if o.file.MatchString(i.name) {
				in.chosen[i] = true
			}
		}
	}
}
