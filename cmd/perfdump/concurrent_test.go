package main_test

import (
	"bytes"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/ipcblock/aspnet"
	"github.com/perfdump/perfdump/perflib2"
	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/symbolh"
	"github.com/perfdump/perfdump/titles"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

// view is what most formats give.
type view interface {
	Spans() iter.Seq[perfdump.Span]
}

// TestConcurrentReaders has one view of each format read by several goroutines
// at once; the race detector looks on. (perfdata, minidump and detect have
// tests of their own. Readers of a stream, pdhcsv's and checkmk's, belong to one
// goroutine.)
func TestConcurrentReaders(t *testing.T) {
	data := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(repo(t), "testdata", filepath.FromSlash(name)))
		require.NoError(t, err)
		return b
	}
	must := func(v view, err error) view {
		require.NoError(t, err)
		return v
	}
	table, err := titles.Parse(data("captures/titles-009.bin"), perfdump.Options{})
	require.NoError(t, err)
	ini, err := inifile.Parse(data("registration/sound/net.ini"), perfdump.Options{})
	require.NoError(t, err)
	symbols, err := symbolh.Parse(data("registration/sound/net.h"), perfdump.Options{})
	require.NoError(t, err)
	reg, err := registry.ParseReg(data("registration/sound/machine.reg"), perfdump.Options{})
	require.NoError(t, err)
	h := data("registry/system.hive")
	hive, err := registry.OpenHive(bytes.NewReader(h), int64(len(h)), perfdump.Options{})
	require.NoError(t, err)
	l := data("blg/small.blg")
	log, err := blg.Open(bytes.NewReader(l), int64(len(l)), blg.Options{})
	require.NoError(t, err)
	backup, err := perfstrings.Parse([]byte("[Perflib]\r\nBase Index=1847\r\n[PerfStrings_009]\r\n2=System\r\n3=Help\r\n"), perfdump.Options{})
	require.NoError(t, err)

	for name, of := range map[string]struct {
		view view
		more func() any // what else the view is asked
	}{
		"ipcblock": {must(ipcblock.Parse(data("ipcblock/sxs_x64.bin"), ipcblock.Options{})), nil},
		"perflib2": {must(perflib2.Parse(data("perflib2/sets.bin"), perfdump.Options{})), nil},
		"aspnet":   {must(aspnet.Parse(make([]byte, 4*101), aspnet.V4x)), nil},
		"titles": {table, func() any {
			name, _ := table.Lookup(238)
			return []any{name, table.Indexes("System"), *table.Statistics(titles.Counter, perfdump.Limits{})}
		}},
		"perfstrings": {backup, func() any {
			t, err := backup.Table("009", titles.Counter)
			return []any{t.Len(), err}
		}},
		"inifile": {ini, func() any { return []any{ini.Registration(), ini.DriverName(), ini.NumKeys()} }},
		"symbolh": {symbols, func() any {
			n, ok := symbols.Largest()
			return []any{n, ok}
		}},
		"reg": {reg, func() any {
			v, err := reg.View()
			return []any{len(v.Providers), err}
		}},
		"hive": {hive, func() any {
			v, err := hive.View()
			return []any{len(v.Providers), err}
		}},
		"blg": {log, func() any {
			n := 0
			for r, err := range log.Records() {
				if err == nil && r != nil {
					n++
				}
			}
			return n
		}},
	} {
		t.Run(name, func(t *testing.T) {
			ask := func() string {
				var out bytes.Buffer
				for s := range of.view.Spans() {
					fmt.Fprintln(&out, s.Path, s.Off, s.Size)
				}
				if a, ok := of.view.(interface {
					AppendBinary(dst []byte) ([]byte, error)
				}); ok {
					b, err := a.AppendBinary(nil)
					fmt.Fprintln(&out, b, err)
				}
				if of.more != nil {
					fmt.Fprintf(&out, "%+v", of.more())
				}
				return out.String()
			}
			want := ask()
			var group sync.WaitGroup
			for range 4 {
				group.Go(func() {
					if ask() != want {
						t.Error("a reader saw something else")
					}
				})
			}
			group.Wait()
		})
	}
}
