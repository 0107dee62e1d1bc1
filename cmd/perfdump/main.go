// Command perfdump reads Windows performance data away from Windows.
package main

import (
	"os"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/root"
)

func main() { os.Exit(root.Main(os.Args[1:])) }
