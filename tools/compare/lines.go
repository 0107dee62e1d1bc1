package main

import (
	"hash/crc32"
	"regexp"
	"slices"
	"strings"
)

// list has the command lines, [] around what is each said once. FILE is the
// input, OTHER the next of its format, CUT its first half, DOCUMENT standard
// input with what the old build's dump -o json says of it.
const list = `
info FILE
info -o json FILE
info --mode salvage -o json FILE
check FILE
check -o json FILE
check --mode strict -o json FILE
check --mode salvage -o json FILE
cook FILE
cook -o [pdh-csv|pdh-tsv|csv|jsonl|sql|openmetrics|influx|parquet] FILE
cook -o [pdh-csv|csv|jsonl|sql|openmetrics] FILE OTHER
cook --summary FILE OTHER
cook --interval 10s -o csv FILE FILE
cook --derive ndis --english --key pid -o jsonl FILE OTHER
cook --query 238 -o csv FILE
cook -c \None(*)\* -o csv FILE
cook --mode salvage -o jsonl FILE
dump FILE
dump -o [json|jsonl|csv|parquet|checkmk|sql|openmetrics|influx] FILE
dump --mode strict -o json FILE
dump --mode salvage -o json FILE
dump --mode salvage -o jsonl FILE
dump --query 238 -o csv FILE
dump -c \None(*)\* -o json FILE
dump -c \*(*)\* -o csv FILE
dump -o json testdata/captures/sys-238-x86_64-1.bin --titles FILE
hexdump FILE
hexdump --mode salvage FILE
diff FILE FILE
diff FILE OTHER
diff -o [json|jsonl] FILE OTHER
diff FILE CUT
diff --mode salvage -o json FILE CUT
titles FILE
titles -o [text|multisz|dat|perfstrings|reg|json] FILE
titles --repair -o multisz FILE
titles --stats -o json FILE
doctor FILE
doctor -o json FILE
lodctr FILE
lodctr -o json FILE
lodctr -o json testdata/registration/sound/app.ini --reg FILE
unlodctr App --reg FILE
unlodctr -o json App --reg FILE
plot FILE
plot FILE OTHER
report FILE
report FILE OTHER
encode FILE
encode DOCUMENT
`

// ofLarge are the lines for files over large bytes.
var ofLarge = regexp.MustCompile(`^(info|check|doctor|titles|hexdump|dump -o jsonl?|cook -o csv) `)

const large = 8 << 20

// core are the lines for all files of formats with more than many of them; of
// the others these run one in three each.
var core = regexp.MustCompile(`^(info|check|dump|hexdump|diff|encode|cook -o (csv|jsonl)) `)

const many = 100

// about are the words of explain, most of them one of a kind.
const about = `F3030000 0x800007D5 1011 0xC0000BBA -1073738822 flags:0x12 loadperf:3001 perflib:1008
PDH_NO_DATA PDH_INVALID_DATA PDH_CSTATUS_NO_OBJECT ACCESS_DENIED FILE_NOT_FOUND STATUS_SUCCESS 0x21510500
empty truncated signature big-endian length count limit syntax read-only unknown-format io
size-mismatch trailing-bytes odd-length unknown-type unknown-key system-time name-odd name-nul name-encoding
duplicate-index duplicate-key empty-name value-text value-range value-data writer-lost utf-8 total-short total-long
time-backwards subkey-count running-sum perf-off parent-range num-instances instance-name header-cell
negative-delta needs-second-sample E01 E03 E12 E20 E24 E30 E35 W01 W15 W20 W39 N01 N30 ndis nosuch`

// job is a command line of an input.
type job struct {
	in       *input // nil if there is none
	line     string // as it is in the list
	args     []string
	stdin    string // path
	document bool
	sum      string
}

func (j *job) String() string {
	s := strings.Join(j.args, " ")
	switch {
	case j.document:
		return s + " < dump -o json " + strings.Join(j.in.words(), " ")
	case j.stdin != "":
		return s + " < " + j.in.name
	}
	return s
}

func (j *job) output() string {
	if i := slices.Index(j.args, "-o"); i >= 0 {
		return j.args[i+1]
	}
	return ""
}

func (j *job) json() bool { return strings.HasPrefix(j.output(), "json") }

// class returns the class of a stream: 0 data, 1 text.
func (j *job) class(stream int) int {
	if stream == 2 || stream == 0 && j.output() == "" && j.args[0] != "encode" {
		return 1
	}
	return 0
}

// jobs returns what is to run.
func (in *inputs) jobs(older *cached) []*job {
	var out []*job
	var all []string
	for line := range strings.Lines(strings.TrimSpace(list)) {
		line = strings.TrimSpace(line)
		before, rest, several := strings.Cut(line, "[")
		words, after, _ := strings.Cut(rest, "]")
		for word := range strings.SplitSeq(words, "|") {
			if several {
				line = before + word + after
			}
			all = append(all, line)
		}
	}
	other := in.others()
	counts := map[string]int{}
	for _, i := range in.all {
		counts[i.format]++
	}
	for _, i := range in.all {
		if !in.chosen[i] {
			continue
		}
		n := int(crc32.ChecksumIEEE([]byte(i.name)) % 3)
		for k, line := range all {
			if i.size > large && !ofLarge.MatchString(line) || counts[i.format] > many && (n+k)%3 > 0 && !core.MatchString(line) {
				continue
			}
			if j := in.job(line, i, other[i]); j != nil {
				out = append(out, j)
			}
		}
	}
	return append(out, idle(older)...)
}

// others returns the next input of each one's format.
func (in *inputs) others() map[*input]*input {
	next, last := map[*input]*input{}, map[string]*input{}
	for range 2 { // the first ones are next to the last
		for _, i := range slices.Backward(in.all) {
			if i.stdin == "" {
				next[i], last[i.format] = last[i.format], i
			} else {
				next[i] = last[i.format]
			}
		}
	}
	return next
}

// job returns a line with an input's names, nil if that has none for a word.
func (in *inputs) job(line string, i, other *input) *job {
	j := &job{in: i, line: line, sum: i.sum, stdin: i.stdin}
	for _, word := range strings.Fields(line) {
		of := i
		switch word {
		case "FILE":
			j.args = append(j.args, i.words()[0])
			continue
		case "DOCUMENT":
			j.document, j.args = true, append(j.args, "-")
			continue
		case "OTHER":
			of = other
		case "CUT":
			of = in.cut[i]
		default:
			j.args = append(j.args, word)
			j.sum += in.sums[word]
			continue
		}
		if of == nil || of.size > large {
			return nil
		}
		j.args, j.sum = append(j.args, of.name), j.sum+of.sum
	}
	if i.named && j.args[0] != "encode" && !strings.Contains(line, "--reg ") && !strings.Contains(line, "--titles ") {
		j.args = append(j.args, "--format", i.format)
	}
	if i.stdin != "" || j.document {
		j.sum += " " + line + " " + i.name // the words are the same
	}
	return j
}

var verbLine = regexp.MustCompile(`(?m)^  ([a-z-]+)  +\S`)

// idle returns the lines that read no input.
func idle(older *cached) []*job {
	lines := []string{
		"--help", "types", "types -o json", "types 0x21510500", "types -o json average_timer", "explain", "nosuch",
		"titles --index 238", "titles -o text", "titles -o json --index 238", "completion bash", "info", "info missing", "diff missing missing",
	}
	for word := range strings.FieldsSeq(about) {
		lines = append(lines, "explain -- "+word, "explain -o json -- "+word)
	}
	help, err := older.run(&job{args: []string{"--help"}}, head)
	if err == nil {
		for _, m := range verbLine.FindAllSubmatch(help.Heads[0], -1) {
			verb := string(m[1])
			lines = append(lines, verb+" --help", verb+" --nosuch", "man "+verb)
		}
	}
	var out []*job
	for _, line := range lines {
		words := strings.Fields(line)
		out = append(out, &job{line: words[0] + " without a file", args: words})
	}
	return out
}
