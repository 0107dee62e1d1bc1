// Perfdump-beam keeps a Parquet data set of many machines, as perfdump lake does, on a
// runner of Apache Beam. README.md says how.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/perfdump/perfdump/beam/fleet"
)

var version = "dev" // by a flag of the linker

func main() {
	var o fleet.Options
	flag.StringVar(&o.Dir, "w", "", "the directory of the lake, on any file system of Beam")
	flag.BoolVar(&o.Prune, "prune", false, "forget inputs that have vanished, and remove their rows")
	flag.BoolVar(&o.Verify, "verify", false, "compare all bytes of inputs to see whether they have changed")
	flag.StringVar(&log.LogLevel, "log", "warn", "what to log: debug, info, warn or error")
	flag.Usage = func() {
		_, _ = fmt.Fprintln(flag.CommandLine.Output(), "usage: perfdump-beam [flags] -w DIR GLOB...")
		flag.PrintDefaults()
	}
	flag.CommandLine.Init(os.Args[0], flag.ContinueOnError)
	err := flag.CommandLine.Parse(os.Args[1:])
	fleet.Register()
	beam.Init() // a worker's process does not come back
	if err != nil || o.Dir == "" || flag.NArg() == 0 {
		flag.Usage()
		os.Exit(3)
	}
	o.Version = version
	o.Dir = absolute(o.Dir)
	var globs []string
	for _, glob := range flag.Args() {
		globs = append(globs, absolute(glob))
	}
	bad, err := run(context.Background(), os.Stdout, o, globs)
	switch {
	case err != nil:
		_, _ = fmt.Fprintln(os.Stderr, "perfdump-beam:", err)
		os.Exit(1)
	case bad > 0:
		os.Exit(2)
	}
}

// absolute returns a path of this system as workers in other directories know it.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil && !strings.Contains(path, "://") {
		return abs
	}
	return path
}

// run runs the pipeline and prints its metrics. It returns how many inputs are bad.
func run(ctx context.Context, w io.Writer, o fleet.Options, globs []string) (bad int64, err error) {
	p, s := beam.NewPipelineWithRoot()
	fleet.Build(s, globs, o)
	res, err := beamx.RunWithMetrics(ctx, p)
	if err != nil || *jobopts.Async {
		return 0, err
	}
	all := res.Metrics().Query(func(r metrics.SingleResult) bool { return r.Namespace() == fleet.Metrics })
	var lines []string
	for _, m := range all.Counters() {
		lines = append(lines, fmt.Sprintf("%s: %d\n", m.Name(), m.Result()))
		if m.Name() == fleet.Bad {
			bad += m.Result()
		}
	}
	for _, m := range all.Distributions() {
		d := m.Result()
		lines = append(lines, fmt.Sprintf("%s: %d in all, from %d to %d\n", m.Name(), d.Sum, d.Min, d.Max))
	}
	slices.Sort(lines)
	_, err = io.WriteString(w, strings.Join(lines, ""))
	return bad, err
}
