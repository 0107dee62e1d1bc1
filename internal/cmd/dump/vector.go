package dump

import (
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/document"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/ipcblock/aspnet"
)

// showVector returns which counters of ASP.NET are asked for, nil for all.
func (o *Options) showVector(names *capture.Names) (func(*aspnet.Counter) bool, error) {
	patterns, err := o.patterns(names)
	if err != nil || len(patterns) == 0 {
		return nil, err
	}
	return func(c *aspnet.Counter) bool {
		return matches(patterns, capture.VectorObject(c.Scope), capture.VectorName(c))
	}, nil
}

// vector writes a vector of ASP.NET's counters as a table or as rows.
func (d *dumper) vector(in *detect.Input) error {
	x, err := capture.ParseVector(in)
	if err != nil {
		return err
	}
	show, err := d.o.showVector(d.co.Names)
	if err != nil {
		return err
	}
	switch w := d.w.(type) {
	case *export.Table:
		_, err = w.WriteVector(export.Vector{Source: in.Name, Vector: x, Show: show})
	case rowWriter:
		err = w.WriteRows(capture.VectorRows(x, in.Name, show))
	}
	if err != nil {
		return err
	}
	d.lookVector(x, show)
	return d.w.Flush()
}

// lookVector is look for a vector, whose counters are those of its version.
func (d *dumper) lookVector(x *aspnet.Vector, show func(*aspnet.Counter) bool) {
	d.apart = true
	for c := range x.Values() {
		if show == nil || show(c) {
			d.shown = true
		}
	}
	if !d.shown {
		d.empty.LookVector(x.Version(), d.o.Counters)
	}
}

// vector writes the document of a vector of ASP.NET's counters.
func (d *jsonDumper) vector(in *detect.Input) error {
	x, err := capture.ParseVector(in)
	if err != nil {
		return err
	}
	show, err := d.o.showVector(d.co.Names)
	if err != nil {
		return err
	}
	d.lookVector(x, show)
	return document.WriteASPNet(d.out, document.ASPNet{Name: in.Name, Vector: x}, d.options)
}
