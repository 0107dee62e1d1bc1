package ipcblock_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/ipcblock"
)

const shared = "../../shared/"

func needShared(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(shared); err != nil {
		t.Skip("the shared test data do not stand beside this checkout")
	}
}

// known is what the decoder says of a file, by the paths of the vectors.
type known struct {
	value     string
	off, size int64
}

func describe(tab *ipcblock.Table) map[string]known {
	all := map[string]known{}
	data := tab.Bytes()
	for s := range tab.Spans() {
		if ipcblock.IsGap(s) || s.Size > 8 {
			continue
		}
		path := s.Path.String()
		if tab.Layout() == ipcblock.SxS {
			path = strings.Replace(path, "chunk", "block", 1)
			path = strings.Replace(path, "].table", "].header.table", 1)
		}
		var v uint64
		for i := s.Size - 1; i >= 0; i-- {
			v = v<<8 | uint64(data[s.Off+i])
		}
		all[path] = known{strconv.FormatUint(v, 10), s.Off, s.Size}
	}
	// What the accessors say wins over the bytes.
	c := tab.Chunk(0)
	prefix := ""
	if tab.Layout() == ipcblock.SxS {
		prefix = "block[0]."
	}
	for name, v := range map[string]any{
		"counter": c.Counter, "runtimeId": c.RuntimeID, "reserved1": c.Reserved[0], "reserved2": c.Reserved[1], "hInstance": c.HInstance,
		"version": c.Version, "flags": c.Flags, "blockSize": c.BlockSize, "buildYear": c.BuildYear, "buildNumber": c.BuildNumber, "numEntries": c.NumEntries,
	} {
		if k, ok := all[prefix+"header."+name]; ok {
			k.value = fmt.Sprint(v)
			all[prefix+"header."+name] = k
		}
	}
	for f := range c.Fields() {
		v := strconv.FormatUint(c.Uint64(f), 10)
		if f.Signed() {
			v = strconv.FormatInt(c.Int64(f), 10)
		}
		all[prefix+"perf."+strings.TrimPrefix(f.String(), "head.")] = known{v, c.FieldOffset(f), int64(f.Size(c.Arch))}
	}
	return all
}

func TestSpecVectors(t *testing.T) {
	needShared(t)
	names, err := filepath.Glob(shared + "vectors/ipcblock/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			var want struct {
				Kind, Arch string
				Fields     []struct {
					Path, Value  string
					Offset, Size int64
				}
			}
			require.NoError(t, json.Unmarshal(text, &want))
			data, err := os.ReadFile(strings.TrimSuffix(name, "json") + "bin")
			require.NoError(t, err)
			tab, err := ipcblock.Parse(data, ipcblock.Options{Options: perfdump.Options{Mode: 1}}) // strict
			require.NoError(t, err)
			kinds := map[string]ipcblock.Layout{"SxSPublic": ipcblock.SxS, "LegacyPublic": ipcblock.LegacyPublic, "LegacyPrivate": ipcblock.LegacyPrivate, "SharedPerfIPCBlock": ipcblock.Bare}
			require.Equal(t, kinds[want.Kind], tab.Layout())
			require.Equal(t, want.Arch, tab.Chunk(0).Arch.String())
			require.Equal(t, ipcblock.Live, tab.Chunk(0).State)
			got := describe(tab)
			for _, f := range want.Fields {
				require.Equal(t, known{f.Value, f.Offset, f.Size}, got[f.Path], f.Path)
			}
			require.Equal(t, len(want.Fields), len(got))
			check(t, data, tab)
		})
	}
}

// TestSpecFields holds the fields and counters against the table of the
// specification.
func TestSpecFields(t *testing.T) {
	needShared(t)
	text, err := os.ReadFile(shared + "spec/ipcblock-fields.tsv")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")[1:]
	require.Len(t, lines, 69)
	counters := 0
	for i, line := range lines {
		col := strings.Split(line, "\t")
		f := ipcblock.Field(i)
		g, ok := ipcblock.FieldByName(col[0], col[1])
		require.True(t, ok)
		require.Equal(t, f, g)
		require.Equal(t, col[3:7], []string{num(f.Offset(ipcblock.X86)), num(f.Size(ipcblock.X86)), num(f.Offset(ipcblock.X64)), num(f.Size(ipcblock.X64))}, line)
		require.Equal(t, col[7], f.Category())
		require.Equal(t, col[8], f.CounterName())
		require.Equal(t, col[2] == "LONGLONG", f.Signed())
		var types [2][]string
		for _, c := range f.Counters() {
			counters++
			types[0] = append(types[0], c.Type(ipcblock.X86).String())
			types[1] = append(types[1], c.Type(ipcblock.X64).String())
			require.Contains(t, line, c.Symbol+"="+num(c.Index))
		}
		require.Equal(t, col[9], strings.Join(types[0], "|"))
		require.Equal(t, col[10], strings.Join(types[1], "|"))
	}
	require.Equal(t, 79, counters)
	require.Len(t, ipcblock.Counters(), 80)
	per := map[string]int{}
	for _, c := range ipcblock.Counters() {
		per[c.Category]++
	}
	require.Equal(t, map[string]int{
		".NET CLR Memory": 24, ".NET CLR Loading": 16, ".NET CLR LocksAndThreads": 10, ".NET CLR Jit": 7,
		".NET CLR Remoting": 7, ".NET CLR Security": 6, ".NET CLR Interop": 5, ".NET CLR Exceptions": 5,
	}, per)
}

func num(n int) string { return strconv.Itoa(n) }
