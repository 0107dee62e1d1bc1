package cmdutil

import (
	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/export"
)

// SQL is the flag of -o sql.
type SQL struct {
	Dialect string

	given bool
}

// AddFlags registers the flag.
func (s *SQL) AddFlags(cmd *cobra.Command) {
	Choice(cmd, &s.Dialect, "dialect", "", "sqlite", "the database that the statements of -o sql are for", export.SQLDialects()...)
	before := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		s.given = cmd.Flags().Changed("dialect")
		if before != nil {
			return before(cmd, args)
		}
		return nil
	}
}

// Check refuses the flag with another output.
func (s *SQL) Check(output string) error {
	if s.given && output != "sql" {
		return &UsageError{Text: "--dialect is for sql", Hint: "add -o sql"}
	}
	return nil
}
