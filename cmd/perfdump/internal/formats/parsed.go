package formats

import (
	"iter"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/compare"
	"github.com/perfdump/perfdump/internal/detect"
)

// parser reads a whole file of a format.
type parser[T any] func(*detect.Input, capture.Options) (T, error)

// anomalous is a file that has anomalies.
type anomalous interface{ Anomalies() *perfdump.Anomalies }

// faulty is a file of which salvage mode may have left something out.
type faulty interface {
	Faults() iter.Seq[*perfdump.FormatError]
}

func faultsOf(file any) []*perfdump.FormatError {
	if f, ok := file.(faulty); ok {
		return slices.Collect(f.Faults())
	}
	return nil
}

// factsOf returns the facts of a file that is parsed whole.
func factsOf[T anomalous](parse parser[T], put func(*Summary, T)) func(*Summary, *detect.Input, capture.Options) {
	return func(s *Summary, in *detect.Input, o capture.Options) {
		file, err := parse(in, o)
		if err != nil {
			s.fail(err)
			return
		}
		put(s, file)
		s.faults(faultsOf(file))
		s.count(file.Anomalies())
	}
}

// checkOf returns the check of a file that is parsed whole. It parses again for
// salvage where the mode requested fails. more adds other findings of the
// format; it may be nil.
func checkOf[T anomalous](parse parser[T], more func(*checker, T)) func(*checker, *detect.Input, capture.Options) {
	return func(c *checker, in *detect.Input, o capture.Options) {
		file, first := parse(in, o)
		if first != nil {
			c.fail(first)
			o.Mode = perfdump.Salvage
			var err error
			if file, err = parse(in, o); err != nil {
				return
			}
		}
		c.faults(faultsOf(file), first)
		c.anomalies(file.Anomalies())
		if more != nil {
			more(c, file)
		}
	}
}

// contentsOf returns the contents of a file that is parsed whole.
func contentsOf[T any](parse parser[T], collect func(*compare.Collector, T)) func(*detect.Input, capture.Options) (*compare.Contents, error) {
	return func(in *detect.Input, o capture.Options) (*compare.Contents, error) {
		file, err := parse(in, o)
		if err != nil {
			return nil, err
		}
		var c compare.Collector
		collect(&c, file)
		return c.Contents()
	}
}
