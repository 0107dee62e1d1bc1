package cmdutil

import (
	"context"
	"errors"
	"math"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/derive"
	"github.com/perfdump/perfdump/internal/wire"
)

// Recording is what [Cooking.Show] has read, with the metrics of --derive.
type Recording struct {
	f        *Factory
	flags    *Cooking
	files    []string
	all      *capture.Recording
	options  capture.Options
	names    *capture.Names
	filter   *capture.Filter // of what is shown
	set      *derive.Set     // nil if nothing is derived
	bound    *derive.Binding
	reported bool // remarks and faults, by an earlier reading
	failed   bool
}

// Filter returns a filter of the paths of a flag, by the names of the recording; nil
// for none.
func (r *Recording) Filter(flag string, paths []string) (*capture.Filter, error) {
	f, err := r.names.Filter(paths...)
	if err != nil {
		return nil, wrongPath(flag, err)
	}
	return f, nil
}

// Rank returns the order of series that several -c ask for, or nil.
func (r *Recording) Rank() func(*capture.Series) int {
	if len(r.flags.Counters) < 2 {
		return nil
	}
	return r.filter.Rank
}

// Len is that of [capture.Recording].
func (r *Recording) Len() int { return r.all.Len() }

// Columns returns all series in the order of columns. It reads the recording once, no
// further than to where there are more than limit.
func (r *Recording) Columns(limit int) ([]*capture.Series, error) {
	if r.set == nil {
		return r.columns(limit)
	}
	if err := r.bind(); err != nil {
		return nil, err
	}
	return r.bound.Columns(), nil
}

// columns reports what keeps the recording from being read.
func (r *Recording) columns(limit int) ([]*capture.Series, error) {
	columns, err := r.all.ColumnsUpTo(limit)
	if fe := (*perfdump.FormatError)(nil); errors.As(err, &fe) && len(r.files) > 0 {
		r.f.Report(r.files[0], err)
		return nil, ErrInput
	}
	return columns, err
}

func (r *Recording) bind() error {
	if r.bound != nil {
		return nil
	}
	columns, err := r.columns(math.MaxInt)
	if err != nil {
		return err
	}
	if r.bound, err = derive.Bind(r.set, columns); err != nil {
		return &UsageError{Text: "--derive: " + wire.AsFormatError(err).Message()}
	}
	r.bound.Show(r.filter)
	r.flags.Derive.advise(r.f, r.bound)
	return nil
}

// Frames yields the frames that can be read. What cannot, and what is unusual, is
// reported by the first reading; [Recording.Err] is then ErrInput. The only error
// that comes with a frame's place is that of ctx, or one that ends all.
func (r *Recording) Frames(ctx context.Context) capture.Frames {
	return func(yield func(*capture.Frame, error) bool) {
		frames := r.all.Frames()
		if r.set != nil {
			if err := r.bind(); err != nil {
				yield(nil, err)
				return
			}
			frames = r.bound.Apply(frames)
		}
		defer func() { r.reported = true }()
		for f, err := range frames {
			if ctx.Err() != nil {
				yield(nil, ctx.Err())
				return
			}
			if err != nil {
				if !r.reported {
					r.f.Report(f.Source, err)
					if r.flags.Watch != nil {
						r.flags.Watch.Fault(f.Source, err)
					}
				}
				if r.failed = true; r.flags.FailFast {
					return
				}
				continue
			}
			if !yield(f, nil) {
				return
			}
		}
	}
}

// Err returns ErrInput where a part of the recording could not be read.
func (r *Recording) Err() error {
	if r.failed {
		return ErrInput
	}
	return nil
}
