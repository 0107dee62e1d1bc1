package aspnet

import "errors"

// The outcomes of an exchange that leave the collector without data.
var (
	ErrVersion = errors.New("the worker runs another version and does not answer")
	ErrRead    = errors.New("the worker's pipe could not be read; its data are cleared")
)

// Exchange is what is public of how a collector asks a worker process over its
// pipe: first the collector sends its version; the worker compares that with
// its own and answers only where they are equal. Any error of reading is
// passed over, and the collector's data are cleared. How the messages are
// framed, and whether all scopes travel in one, is not public; this models
// what comes out, not the bytes on the pipe.
type Exchange struct {
	Collector, Worker Version
	ReadErr           error    // of the pipe, nil for none
	Answer            []uint32 // what the worker would send
}

// Collect returns what the collector has afterwards, as many values as its
// version has, and why they are zeros where they are: ErrVersion or ErrRead.
// perfmon shows those zeros without a word.
func (e *Exchange) Collect() ([]uint32, error) {
	values := make([]uint32, e.Collector.Len())
	switch {
	case e.Collector != e.Worker:
		return values, ErrVersion
	case e.ReadErr != nil:
		return values, errors.Join(ErrRead, e.ReadErr)
	case len(e.Answer) != len(values):
		return values, ErrRead
	}
	copy(values, e.Answer)
	return values, nil
}
