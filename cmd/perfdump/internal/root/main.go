package root

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/iostreams"
)

// patience is how long an interrupted run may take to end by itself.
const patience = 500 * time.Millisecond

// Main runs the command line of the process and returns its exit code.
func Main(args []string) int {
	// A closed pipe is then an error of the write, so that files that are
	// open are removed.
	signal.Ignore(syscall.SIGPIPE)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var ended atomic.Int32
	signals := make(chan os.Signal, 2)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if !signal.Ignored(s) { // as nohup has it
			signal.Notify(signals, s)
		}
	}
	go func() {
		code := exitCodeOf(<-signals)
		ended.Store(int32(code))
		cancel()
		select { // what is not at a place where it can end, or a second signal, ends at once
		case <-time.After(patience):
		case <-signals:
		}
		cmdutil.RemoveUnfinished()
		os.Exit(code)
	}()
	code := Run(ctx, iostreams.System(), args)
	if n := ended.Load(); n != 0 {
		return int(n)
	}
	return code
}

// exitCodeOf returns the exit code of a process that a signal ended, as shells have
// it.
func exitCodeOf(s os.Signal) int {
	if n, ok := s.(syscall.Signal); ok {
		return 128 + int(n)
	}
	return cmdutil.ExitInterrupted
}
