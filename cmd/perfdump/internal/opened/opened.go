// Package opened hands the inputs that detect has opened to package capture.
package opened

import (
	"io"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/detect"
)

// Input returns an input as package capture reads it.
func Input(in *detect.Input) *capture.Input {
	return &capture.Input{Name: in.Name, Format: string(in.Format), Data: in.Data, At: in.At, Size: in.Size()}
}

// Add adds an input to a reader or a recording, which closes its file if it needs that
// later.
func Add(to interface{ Add(*capture.Input) error }, in *detect.Input) error {
	var kept closer
	of := Input(in)
	of.Closer = &kept
	err := to.Add(of)
	if of.Closer == nil {
		kept.Closer = in.Detach()
	}
	return err
}

type closer struct{ io.Closer }

// Again returns what reads the inputs of a reader or a recording again.
func Again(o detect.Options) func(name string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		in, err := detect.Open(name, o)
		if err != nil {
			return nil, err
		}
		return in.Data, nil
	}
}
