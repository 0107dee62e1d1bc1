package registry_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/golden"
)

// TestFixture holds that testdata/registry/system.hive is what the code makes:
// go test ./registry -run Fixture -update writes it anew.
func TestFixture(t *testing.T) {
	b := hive(
		hkey{name: "Select", values: []hval{dword("Current", 1)}},
		hkey{name: "ControlSet001", keys: []hkey{
			{name: "Control", keys: []hkey{{name: "ComputerName", keys: []hkey{{name: "ComputerName", values: []hval{sz("ComputerName", "BOX")}}}}}},
			{name: "Services", keys: []hkey{
				{name: "Other"},
				{name: "Toaster", keys: []hkey{
					{name: "Linkage", values: []hval{multi("Export", "bread")}},
					{name: "Performance", values: []hval{
						sz("Library", "toaster.dll"), sz("Open", "OpenToaster"), sz("Collect", "CollectToaster"), sz("Close", "CloseToaster"),
						dword("First Counter", 1848), dword("Last Counter", 1850), dword("First Help", 1849), dword("Last Help", 1851),
						sz("Object List", "1848"), dword("Disable Performance Counters", 4),
					}},
				}},
			}},
		}},
	)
	file := filepath.Join("..", "testdata", "registry", "system.hive")
	golden.File(t, file, b)
	v := viewHive(t, b, perfdump.Options{Mode: perfdump.Strict})
	require.Len(t, v.Providers, 1)
}
