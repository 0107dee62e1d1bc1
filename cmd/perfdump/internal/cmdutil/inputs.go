package cmdutil

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/pdhcsv"
)

// Inputs holds the flags that say how inputs are read, and the files of a run.
type Inputs struct {
	Format      string
	Mode        string
	Titles      []string
	English     bool
	EnglishOf   []string // titles in English
	Lang        string
	CodePage    uint32
	TimeFormat  string
	MaxUnpacked string
	MaxText     string
	MaxOutput   string
	FailFast    bool

	foreign bool
}

// AddFlags registers the flags.
func (i *Inputs) AddFlags(cmd *cobra.Command) {
	group(cmd, groupInputs, func() {
		flags := cmd.Flags()
		flags.StringVar(&i.Format, "format", "", "read inputs as format `NAME`, whatever they look like (perfdata, titles, ...)")
		Choice(cmd, &i.Mode, "mode", "", "tolerant", "anomalies are errors (strict) or reported (tolerant); salvage reads what it can of damaged files", "strict", "tolerant", "salvage")
		flags.StringArrayVar(&i.Titles, "titles", nil, "names of counters: a `FILE` with the value \"Counter 009\" or a list, or a directory of such; may be repeated")
		flags.BoolVar(&i.English, "english", false, "show English counter names, by title index or by the built-in names of twelve languages")
		flags.StringArrayVar(&i.EnglishOf, "english-titles", nil, "English names for --english, a `FILE` as for --titles: the same index is the same counter; may be repeated")
		flags.StringVar(&i.Lang, "lang", "009", "language `ID` of the names to read from a directory of titles")
		flags.Uint32Var(&i.CodePage, "code-page", 0, "code page `N` of texts that do not name theirs (default 1252)")
		flags.StringVar(&i.TimeFormat, "time-format", "", "read the times of CSV logs as `FORMAT`, such as '%d.%m.%Y %H:%M:%S'")
		i.AddMaxUnpacked(cmd)
		i.AddMaxText(cmd, ".ini, .h, .reg files, titles and manifests")
		flags.StringVar(&i.MaxOutput, "max-output", "", "refuse to write more than `SIZE` (default 256MiB, or 1,000 times the inputs if that is more)")
		flags.BoolVar(&i.FailFast, "fail-fast", false, "stop at the first input that cannot be read")
		i.complete(cmd)
	})
}

// AddMaxText registers the flag that limits texts that people write or export.
func (i *Inputs) AddMaxText(cmd *cobra.Command, what string) {
	cmd.Flags().StringVar(&i.MaxText, "max-text", "", "refuse "+what+" of more than `SIZE` (default 256MiB)")
}

// AddMaxUnpacked registers --max-unpacked alone.
func (i *Inputs) AddMaxUnpacked(cmd *cobra.Command) {
	cmd.Flags().StringVar(&i.MaxUnpacked, "max-unpacked", "", "refuse inputs that unpack to more than `SIZE` (default 256MiB or 200 times their packed size, whichever is more)")
}

// TakeForeign accepts inputs of formats that are recognised but not read.
func (i *Inputs) TakeForeign() { i.foreign = true }

// Detect returns how inputs are opened.
func (i *Inputs) Detect(f *Factory) (detect.Options, error) {
	o := detect.Options{Stdin: f.IO.In, Open: f.Open, Foreign: i.foreign}
	if i.Format != "" {
		format, err := detect.ParseFormat(i.Format)
		if err != nil {
			return o, &UsageError{Text: wire.AsFormatError(err).Message()}
		}
		o.Format, o.Pipes = format, true
	}
	var output int64
	for _, size := range []struct {
		flag, text string
		to         *int64
	}{{"--max-unpacked", i.MaxUnpacked, &o.MaxUnpacked}, {"--max-text", i.MaxText, &o.MaxText}, {"--max-output", i.MaxOutput, &output}} {
		if size.text == "" {
			continue
		}
		var err error
		if *size.to, err = parseSize(size.text); err != nil {
			return o, Usagef("%s %q: %v", size.flag, size.text, err)
		}
	}
	if f.Budget != nil && output > 0 {
		f.Budget.max = output
	}
	return o, nil
}

// Again is Detect for inputs that [Inputs.Each] has opened already: it does not
// report again what was reported then.
func (i *Inputs) Again(f *Factory) (detect.Options, error) {
	o, err := i.Detect(f)
	if i.Mode == "salvage" {
		o.Cut = func(string, error) {}
	}
	return o, err
}

// pageUTF16 is no page of ANSI texts, but forces UTF-16 for tables of names.
const pageUTF16 = 1200

// Capture returns how captures are read, with the names of --titles.
func (i *Inputs) Capture(f *Factory) (capture.Options, error) {
	mode, err := perfdump.ParseMode(i.Mode)
	if err != nil {
		return capture.Options{}, &UsageError{Text: err.Error()}
	}
	if _, known := wire.LookupCodePage(i.CodePage); !known && i.CodePage != 0 && i.CodePage != pageUTF16 {
		return capture.Options{}, &UsageError{
			Text: fmt.Sprintf("--code-page %d: unknown code page", i.CodePage),
			Hint: "1252 is that of western Windows, 932 of Japanese, 65001 UTF-8",
		}
	}
	if i.TimeFormat != "" {
		if err := pdhcsv.CheckTimeFormat(i.TimeFormat); err != nil {
			return capture.Options{}, &UsageError{Text: "--time-format " + err.Error()}
		}
	}
	o := capture.Options{Options: perfdump.Options{Mode: mode, CodePage: i.CodePage}, TimeFormat: i.TimeFormat}
	o.Names, err = i.names(f, o)
	return o, err
}

// Each opens the inputs in turn and calls do for each. Errors of opening and of
// do are reported, and the next input follows. The result is ErrInput if there
// was such an error, else ErrNoVerb if do returned a NoVerbError for an input
// that was named; in a directory these are skipped.
func (i *Inputs) Each(ctx context.Context, f *Factory, args []string, do func(in *detect.Input) error) error {
	o, err := i.Detect(f)
	if err != nil {
		return err
	}
	run := &run{Inputs: i, f: f, args: args}
	o.Passed = func(name string) {
		if !isTemporary(name) {
			run.passed++
		}
	}
	if i.Mode == "salvage" {
		o.Cut = func(name string, err error) {
			f.Report(name, err)
			run.failed = true
		}
	}
	for in, err := range i.inputs(ctx, f, args, o) {
		if err == nil && ctx.Err() == nil {
			run.opened++
			f.Budget.Read(in.Size())
			if in.Size() == 0 {
				err = Empty() // a named format is not sniffed
			}
		}
		if err == nil && ctx.Err() == nil {
			if in.At != nil {
				in.At = newReaderAt(ctx, in, f.Progress)
			}
			f.Progress.Tick(func() string { return fmt.Sprintf("file %d: %s", run.opened, FileName(in.Name)) })
			err = do(in)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			err = run.fails(in, err)
		}
		if err != nil {
			return err
		}
		if run.failed && i.FailFast {
			break
		}
	}
	return run.end()
}

// run counts the inputs of a run.
type run struct {
	*Inputs
	f       *Factory
	args    []string
	opened  int
	passed  int
	failed  bool
	misused bool
}

// fails reports an error of an input. It returns any other error.
func (r *run) fails(in *detect.Input, err error) error {
	var noVerb *formats.NoVerbError
	switch {
	case errors.Is(err, ErrOutput):
		return err
	case errors.As(err, &noVerb) && !slices.Contains(r.args, in.Name):
		r.passed++
		return nil
	case errors.As(err, &noVerb):
		r.misused = true
		r.f.Report(in.Name, &perfdump.FormatError{Code: perfdump.CodeUnknownFormat, Off: -1, Err: err})
		return nil
	case !errors.Is(err, ErrInput): // else it was reported already
		r.f.Report(in.Name, err)
		if !r.failed {
			r.Advise(r.f, in.Format, wire.AsFormatError(err))
		}
	}
	r.failed = true
	return nil
}

func (r *run) end() error {
	if r.passed > 0 {
		r.f.Note("%s of other formats skipped; name one to see why", table.Plural(r.passed, "file"))
	} else if r.opened == 0 && !r.failed && !formats.Of(detect.Format(r.Format)).Search {
		r.f.Note("no files found in %s", strings.Join(r.args, ", "))
	}
	switch {
	case r.failed:
		return ErrInput
	case r.misused:
		return ErrNoVerb
	default:
		return nil
	}
}

// Advise says what to try after an error of an input.
func (i *Inputs) Advise(f *Factory, format detect.Format, fe *perfdump.FormatError) {
	switch {
	case i.Mode == "strict" && errors.Is(fe, perfdump.ErrAnomaly):
		f.Note("--mode tolerant reads it, and `perfdump check` lists all anomalies")
	case i.Mode == "tolerant" && formats.Of(format).Salvage && fe.Off >= 0 && (errors.Is(fe, perfdump.ErrLength) || errors.Is(fe, perfdump.ErrCount)):
		f.Note("--mode salvage shows what can still be read, `perfdump check` lists all errors")
	case i.Mode == "tolerant" && fe.Off < 0 && errors.Is(fe, perfdump.ErrTruncated):
		f.Note("--mode salvage reads what could be unpacked, if anything could")
	case errors.Is(fe, pdhcsv.ErrTimeFormat):
		f.Note("--time-format says how the times are written: '%%m/%%d/%%Y %%H:%%M' for 3/26/2015 22:42, '%%d.%%m.%%Y %%H:%%M:%%S' for 26.03.2015 22:42:10")
	case errors.Is(fe, perfdump.ErrBigEndian):
		f.Note("the bytes were swapped on the way, or the machine is a big-endian one of old: capture again; iconv -f UTF-16BE -t UTF-16LE swaps texts")
	}
}

// parseSize reads a number of bytes with or without a unit.
func parseSize(s string) (int64, error) {
	digits := strings.TrimRight(s, "KMGTiBkmgtb ")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 {
		return 0, errors.New("expected a number of bytes such as 500000 or 64MiB")
	}
	shift, ok := map[string]int{"": 0, "b": 0, "k": 10, "kb": 10, "kib": 10, "m": 20, "mb": 20, "mib": 20, "g": 30, "gb": 30, "gib": 30, "t": 40, "tb": 40, "tib": 40}[strings.ToLower(strings.TrimSpace(s[len(digits):]))]
	if !ok || n > (1<<62)>>shift {
		return 0, errors.New("expected a number of bytes such as 500000 or 64MiB")
	}
	return n << shift, nil
}
