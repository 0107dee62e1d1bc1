// Command perfdump reads Windows performance data away from Windows.
package main

import (
	"os"

	"github.com/perfdump/perfdump/internal/cmd/root"
)

func main() { os.Exit(root.Main(os.Args[1:])) }
