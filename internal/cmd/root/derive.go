package root

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/derive"
)

// derived is a help topic.
func derived() *cobra.Command {
	var names strings.Builder
	set, _ := derive.NDIS()
	for m := range set.All() {
		names.WriteString("  " + m.Name + "\n")
	}
	return &cobra.Command{
		Use:   "derive",
		Short: "How to compute metrics that no counter has",
		Long: `--derive 'NAME = EXPRESSION' gives cook and plot a metric that is computed of
the counters of one instance. --derive-file FILE has such lines, with # in front
of comments. perfdump explain tells of counters of the network what they mean.

An expression has names of counters, numbers, + - * / ( ). Operators stand
between blanks, since names hold such signs; a name may be put in [ ], and must
be where it holds an operator between blanks. ]] is a ] in it. A name is

  Sent Packets/sec             a counter of the same instance, or of the one of
                               that name in the twin object: Per Processor
                               Network Interface Card Activity has what
                               happened, ... Activity Cycles what it cost
  System\Processes             a counter of another object, of the instance of
                               the same name, or without instances

A metric belongs to the object and instance of the first counter in it. Where a
counter has no value it has none, with the same status; a division by 0 is
zero-denominator. With -c it is shown where -c lets through the metric's own
path, or a counter in it.

Built in are ratios of the counters of NDIS: --derive ndis, or the name of one.
perfdump explain ndis writes them as a file, to copy and to change:

` + names.String() + `
  perfdump cook testdata/captures/small.bin testdata/captures/small-next.bin --titles testdata/captures/titles-009.bin --derive 'Bytes per transfer = Disk Bytes/sec / Disk Transfers/sec' -c '\PhysicalDisk(*)\Bytes per transfer'`,
	}
}
