package cmdutil

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/derive"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/opened"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/detect"
)

// Cooking holds the flags of the verbs that show values over time: which files
// make up a recording, what of it is shown, and how it is computed.
type Cooking struct {
	Inputs
	Selection
	Derive

	Period

	Cook     []string
	Interval time.Duration
	Pairing  string // "" for the default of the verb
	Key      string

	// Watch is also called with what goes to standard error; it may be nil.
	Watch Watcher
	// Other is called for files that are no recording; nil makes them errors.
	Other func(file string)
}

// Watcher is notified about the files of a recording.
type Watcher interface {
	// Input is called for each file that was added to the recording, with its
	// error if any. The file is open during the call, and if stays is true until
	// the recording has been shown.
	Input(in *detect.Input, o capture.Options, stays bool, err error)
	// Remark is called for what is unusual between two snapshots.
	Remark(capture.Remark)
	// Fault is called when a part of a file cannot be read.
	Fault(file string, err error)
}

// AddFlags registers the flags.
func (c *Cooking) AddFlags(cmd *cobra.Command) {
	c.Period.AddFlags(cmd)
	group(cmd, groupValues, func() {
		cmd.Flags().StringArrayVar(&c.Cook, "cook", nil, "set a switch of the computation, `KEY=VALUE`; may be repeated")
		c.addPairing(cmd)
	})
	c.Derive.AddFlags(cmd)
	c.Selection.AddFlags(cmd)
	c.Inputs.AddFlags(cmd)
}

// AddCellFlags registers the flags for a verb that shows a single value.
func (c *Cooking) AddCellFlags(cmd *cobra.Command) {
	c.Every = 1
	c.Zone.AddFlags(cmd)
	c.addPairing(cmd)
	c.Inputs.AddFlags(cmd)
}

// addPairing registers the flags that say which samples belong together.
func (c *Cooking) addPairing(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.DurationVar(&c.Interval, "interval", 0, "the `DURATION` between two files that contain no times, such as 10s; needed for IPC control blocks")
	Choice(cmd, &c.Pairing, "pairing", "", "", "compute values from samples of one name, or of one name and process (default identity; name for pdh-csv, pdh-tsv and sql)", "identity", "name")
	Choice(cmd, &c.Key, "key", "", "", "make series by process ID, not by name#n", "pid")
}

// Read returns all files that are read: files, and those that the flags name.
func (c *Cooking) Read(files []string) []string {
	return slices.Concat(files, c.Titles, c.EnglishOf, c.CounterFiles, c.MetricFiles)
}

// Show reads files as one recording and calls show with it, unless there is
// nothing in it and no watcher. want says what show needs of the values; the
// flags say the rest. The result is that of show, or else that of [Inputs.Each].
func (c *Cooking) Show(ctx context.Context, f *Factory, verb string, files []string, want capture.CookOptions, show func(*Recording) error) error {
	r, err := c.recording(f, want)
	if err != nil {
		return err
	}
	defer func() { _ = r.all.Close() }()
	r.files = files
	watched, added := false, 0
	inputErr := c.Each(ctx, f, files, func(in *detect.Input) error {
		view := *in // Add may take the file over
		if c.Query != "" && !formats.Of(in.Format).Query {
			return &formats.NoVerbError{Verb: verb + " --query", Format: in.Format}
		}
		err := opened.Add(r.all, in)
		var none *capture.NoCaptureError
		switch {
		case errors.As(err, &none) && c.Other != nil:
			c.Other(in.Name)
			return nil
		case errors.As(err, &none):
			return &formats.NoVerbError{Verb: verb, Format: in.Format}
		}
		if err == nil {
			added++
		}
		if c.Watch != nil {
			watched = true
			c.Watch.Input(&view, r.options, in.At == nil && view.At != nil, err)
		}
		return err
	})
	if inputErr != nil && !(errors.Is(inputErr, ErrInput) && !c.FailFast) && !errors.Is(inputErr, ErrNoVerb) {
		return inputErr
	}
	if r.all.Len() == 0 && !watched {
		if added > 0 {
			f.noSnapshot(files)
		}
		if inputErr == nil && f.Target != "" {
			return fmt.Errorf("%w to %s: nothing to write", ErrOutput, f.Target)
		}
		return inputErr
	}
	c.NoteReadings(f, r.all)
	switch err := show(r); {
	case errors.Is(err, ErrFindings):
		inputErr = cmp.Or(inputErr, err)
	case errors.Is(err, ErrInput) && !c.FailFast:
		inputErr = err
	case err != nil:
		return err
	}
	if r.names.BuiltIn() {
		f.NoteUnnamed(r.names, r.names.Missing())
	}
	f.Untranslated(r.names)
	return inputErr
}

// recording returns an empty recording that cooks as the flags and cook say.
func (c *Cooking) recording(f *Factory, cook capture.CookOptions) (*Recording, error) {
	if c.Interval < 0 {
		return nil, Usagef("--interval %v: expected more than 0", c.Interval)
	}
	co, err := c.Capture(f)
	if err != nil {
		return nil, err
	}
	if err := c.Selection.Apply(&co); err != nil {
		return nil, err
	}
	r := &Recording{f: f, flags: c, names: co.Names, filter: co.Filter}
	if r.set, err = c.Set(); err != nil {
		return nil, err
	}
	if r.set != nil && co.Filter != nil {
		// The parts of a metric are read although they are not shown.
		if co.Filter, err = co.Names.Filter(append(r.set.Paths(), c.Counters...)...); err != nil {
			return nil, &UsageError{Text: "--derive: " + err.Error()}
		}
	}
	cook.Interval = c.Interval
	if c.Pairing != "" {
		cook.ByName = c.Pairing == "name"
	}
	cook.ByPID = c.Key == "pid"
	if r.set != nil {
		cook.Kept = derive.Kept
	}
	if err := c.Period.Apply(&cook); err != nil {
		return nil, err
	}
	if cook.Types, err = switches(c.Cook); err != nil {
		return nil, err
	}
	cook.Remark = func(m capture.Remark) {
		if !r.reported {
			f.Note("%s: %s", FileName(m.Source), m.Text)
			if c.Watch != nil {
				c.Watch.Remark(m)
			}
		}
	}
	dopts, err := c.Again(f)
	if err != nil {
		return nil, err
	}
	r.options = co
	r.all = capture.NewRecording(co, cook)
	if !formats.Of(dopts.Format).Search { // whose inputs are no files
		r.all.Reopen = opened.Again(dopts)
	}
	return r, nil
}

// switches reads the values of --cook.
func switches(values []string) (*countertypes.Options, error) {
	o := &countertypes.Options{}
	for _, v := range values {
		key, value, _ := strings.Cut(v, "=")
		if err := o.Set(key, value); err != nil {
			return nil, &UsageError{Text: "--cook: " + err.Error()}
		}
	}
	return o, nil
}

// switchColumn is where the help of a switch begins.
const switchColumn = 37

// SwitchesHelp lists the switches of --cook.
func SwitchesHelp() string {
	var b strings.Builder
	for _, s := range countertypes.Switches() {
		words := s.Key + "=" + strings.Join(s.Values, "|")
		for _, line := range cell.Wrap(s.Doc, 80-switchColumn) {
			b.WriteString(fmt.Sprintf("  %-*s", switchColumn-2, words) + line + "\n")
			words = ""
		}
	}
	return b.String()
}
