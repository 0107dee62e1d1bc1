package perfstrings_test

import (
	"encoding"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/titles"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

var _ encoding.BinaryAppender = (*perfstrings.File)(nil)

// backup is a file as lodctr writes it, but for the encoding.
const backup = "\r\n\r\n[Perflib]\r\nBase Index=1847\r\nLast Counter=5028\r\nLast Help=5029\r\n\r\n" +
	"[PERF_.NET CLR Networking 4.0.0.0]\r\nFirst Counter=5000\r\nFirst Help=5001\r\nLast Counter=5028\r\nLast Help=5029\r\nDisable Performance Counters=4\r\n\r\n" +
	"[PERF_ESENT]\r\nFirst Counter=1848\r\nFirst Help=1849\r\nLast Counter=1850\r\nLast Help=1851\r\n\r\n" +
	"[PerfStrings_009]\r\n1=1847\r\n2=System\r\n3=a = b ; # \"c\" [d]\r\n4= Memory \r\n5=one\ntwo\n[three]\n6=x\r\n1848=Database ==> Instances\r\n\r\n" +
	"[PerfStrings_00C]\r\n1=1847\r\n2=Système"

// descending has the same sections, the last first.
var descending = "\r\n\r\n" + func() string {
	sections := strings.Split(strings.TrimPrefix(backup, "\r\n\r\n"), "\r\n\r\n")
	for i, s := range sections {
		lines := strings.Split(s, "\r\n")
		slices.Reverse(lines[1:])
		sections[i] = strings.Join(lines, "\r\n")
	}
	slices.Reverse(sections)
	return strings.Join(sections, "\r\n\r\n")
}()

func wide(s string) []byte { return wire.EncodeUTF16(nil, s) }

func ansi(s string) []byte { return []byte(strings.ReplaceAll(s, "è", "\xE8")) }

func parse(t testing.TB, b []byte) *perfstrings.File {
	t.Helper()
	f, err := perfstrings.Parse(b, perfdump.Options{})
	require.NoError(t, err)
	check(t, b, f)
	return f
}

// check holds for every file that was read.
func check(t testing.TB, b []byte, f *perfstrings.File) {
	t.Helper()
	out, err := f.AppendBinary([]byte("> "))
	if err != nil || string(out) != "> "+string(b) {
		t.Fatal("the file does not come back")
	}
	formattest.Tile(t, f.Spans(), 0, int64(len(b)))
	n := 0
	for p := range f.Providers() {
		if n++; p.Line < 1 || p.Line > f.NumLines() {
			t.Fatalf("a provider in line %d of %d", p.Line, f.NumLines())
		}
	}
	if n != f.NumProviders() {
		t.Fatalf("%d providers, NumProviders is %d", n, f.NumProviders())
	}
	seen := map[string]bool{}
	for _, l := range f.Languages() {
		if seen[strings.ToLower(l.ID)] {
			t.Fatalf("%s twice", l.ID)
		}
		seen[strings.ToLower(l.ID)] = true
		last, n := map[uint32]string{}, 0
		for e := range f.Strings(l.ID) {
			last[e.Index] = strings.ReplaceAll(e.Text, "\x00", "\uFFFD")
			n++
		}
		if n != l.Count {
			t.Fatalf("%d strings, Count is %d", n, l.Count)
		}
		delete(last, 1)
		got := map[uint32]string{}
		for _, kind := range []titles.Kind{titles.Counter, titles.Help} {
			table, err := f.Table(l.ID, kind)
			if err != nil {
				return // a text that is too long
			}
			maps.Copy(got, maps.Collect(table.All()))
		}
		if !maps.Equal(got, last) {
			t.Fatalf("tables of %v, strings of %v", got, last)
		}
	}
}

func codes(f *perfstrings.File) []string {
	var all []string
	for _, a := range f.Anomalies().Kept() {
		all = append(all, fmt.Sprintf("%s@%d", a.Code, a.Off))
	}
	return all
}

func TestEveryShape(t *testing.T) {
	for name, b := range map[string][]byte{
		"utf-16le":                  wide(backup),
		"utf-16le, descending":      wide(descending),
		"utf-16le, no empty lines":  wide(strings.TrimPrefix(backup, "\r\n\r\n")),
		"utf-16le, a newline":       wide(backup + "\r\n"),
		"utf-16le-bom":              append([]byte{0xFF, 0xFE}, wide(backup)...),
		"cp1252":                    ansi(backup),
		"cp1252, descending":        ansi(descending),
		"utf-8":                     []byte(backup),
		"utf-8-bom":                 []byte("\xEF\xBB\xBF" + backup),
		"utf-8, blanks around keys": []byte(strings.NewReplacer("Counter=", "Counter =", "\r\nLast", "\r\n Last").Replace(backup)),
	} {
		f := parse(t, b)
		encoding, _, _ := strings.Cut(name, ",")
		require.Equal(t, encoding, f.Encoding(), name)
		require.Empty(t, codes(f), name)
		_, err := perfstrings.Parse(b, perfdump.Options{Mode: perfdump.Strict})
		require.NoError(t, err, name)

		p := f.Perflib()
		require.EqualValues(t, []uint32{1847, 5028, 5029}, []uint32{p.BaseIndex.Value, p.LastCounter.Value, p.LastHelp.Value}, name)
		providers := map[string]perfstrings.Provider{}
		for p := range f.Providers() {
			providers[p.Name] = p
		}
		require.Len(t, providers, 2)
		net := providers[".NET CLR Networking 4.0.0.0"]
		require.Equal(t, []uint32{5000, 5001, 5028, 5029, 4}, []uint32{net.FirstCounter.Value, net.FirstHelp.Value, net.LastCounter.Value, net.LastHelp.Value, net.Disabled.Value})
		require.True(t, net.Disabled.Given)
		require.False(t, providers["ESENT"].Disabled.Given)

		names, err := f.Table("009", titles.Counter)
		require.NoError(t, err)
		require.Equal(t, map[uint32]string{2: "System", 4: " Memory ", 1848: "Database ==> Instances"}, maps.Collect(names.All()), name)
		base, _ := names.BaseIndex()
		require.EqualValues(t, 1847, base)
		help, err := f.Table("009", titles.Help)
		require.NoError(t, err)
		require.Equal(t, map[uint32]string{3: `a = b ; # "c" [d]`, 5: "one\ntwo\n[three]\n6=x"}, maps.Collect(help.All()), name)
		french, err := f.Table("00c", titles.Counter)
		require.NoError(t, err)
		system, _ := french.Lookup(2)
		require.Equal(t, "Système", system, name)
	}
}

// TestAnomalies reads backups: testdata has their anomalies.
func TestAnomalies(t *testing.T) {
	golden.Cases(t, "testdata/backups.txt", func(in string) string {
		in = strings.ReplaceAll(in, "\n", "\r\n")
		f := parse(t, []byte(in))
		var out strings.Builder
		for _, a := range f.Anomalies().Kept() {
			fmt.Fprintf(&out, "%s: %v\n", a.Code, a)
		}
		_, err := perfstrings.Parse([]byte(in), perfdump.Options{Mode: perfdump.Strict})
		require.Equal(t, f.Anomalies().Len() > 0, errors.Is(err, perfdump.ErrAnomaly))
		return out.String()
	})
	perflib := "[Perflib]\r\nBase Index=1847\r\nLast Counter=6\r\nLast Help=7\r\n"
	at := len(perflib)
	require.Equal(t, []string{"line-ends@0"}, codes(parse(t, []byte(strings.ReplaceAll(perflib, "\r\n", "\n")))))
	bad := append(append(wide(perflib+"[PerfStrings_009]\r\n2=a"), 0x00, 0xD8), wide("\r\n")...)
	f := parse(t, bad)
	require.Equal(t, []string{fmt.Sprint("encoding@", 2*at+38)}, codes(f))
	odd := append(wide(perflib+"[PerfStrings_009]\r\n2=a"), 'x')
	require.Equal(t, []string{fmt.Sprint("encoding@", 2*at+38)}, codes(parse(t, odd)))
}

func TestWhatIsNoBackupIsRefused(t *testing.T) {
	for text, want := range map[string]error{
		"[Perflib]\r\n=" + strings.Repeat("=", 1<<20): perfdump.ErrLimit,
		"":                        perfdump.ErrEmpty,
		"x":                       perfdump.ErrSyntax,
		"[info]\r\ndrivername=x":  perfdump.ErrSyntax,
		"\xFE\xFF\x00[\x00P\x00e": perfdump.ErrBigEndian,
	} {
		f, err := perfstrings.Parse([]byte(text), perfdump.Options{})
		require.ErrorIs(t, err, want)
		require.Nil(t, f)
	}
}

func TestAppendIsWhatLodctrWrites(t *testing.T) {
	f := parse(t, wide(backup))
	var b perfstrings.Backup
	b.Perflib = f.Perflib()
	b.Providers = slices.Collect(f.Providers())
	for _, l := range f.Languages() {
		names, err := f.Table(l.ID, titles.Counter)
		require.NoError(t, err)
		help, err := f.Table(l.ID, titles.Help)
		require.NoError(t, err)
		b.Strings = append(b.Strings, perfstrings.Strings{Language: l.ID, Tables: []*titles.Table{names, help}})
	}
	out, err := perfstrings.Append([]byte("> "), &b)
	require.NoError(t, err)
	require.Equal(t, "> "+string(wide(backup)), string(out))

	b.Perflib = perfstrings.Perflib{}
	out, err = perfstrings.Append(nil, &b)
	require.NoError(t, err)
	p := parse(t, out).Perflib()
	require.EqualValues(t, []uint32{1847, 1848, 1849}, []uint32{p.BaseIndex.Value, p.LastCounter.Value, p.LastHelp.Value}, "as the strings need")
}

func TestAppendRefuses(t *testing.T) {
	table := func(text string) *titles.Table {
		t, _ := titles.New(titles.Encoding{}, titles.Entry{Index: 2, Text: text})
		return t
	}
	for name, b := range map[string]perfstrings.Backup{
		"CR LF":    {Strings: []perfstrings.Strings{{Language: "009", Tables: []*titles.Table{table("a\r\nb")}}}},
		"language": {Strings: []perfstrings.Strings{{Language: "English"}}},
		"name":     {Providers: []perfstrings.Provider{{Name: "a\r\nb"}}},
		"no name":  {Providers: []perfstrings.Provider{{}}},
	} {
		out, err := perfstrings.Append([]byte("> "), &b)
		require.ErrorIs(t, err, perfdump.ErrSyntax, name)
		require.Equal(t, "> ", string(out))
	}
}

func TestSpans(t *testing.T) {
	var got []string
	for s := range parse(t, []byte("\xEF\xBB\xBF[Perflib]\r\nBase Index=1\r\n\r\n[PerfStrings_009]\r\n2=a\r\n;x\r\nx")).Spans() {
		got = append(got, fmt.Sprintf("%d+%d %s%s", s.Off, s.Size, s.Path, s.Note))
	}
	require.Equal(t, []string{
		"0+3 BOM", "3+9 line[0].Section", "12+2 end of the line", "14+11 line[1].Key", "25+1 line[1].Value", "26+2 end of the line", "28+2 end of the line",
		"30+17 line[3].Section", "47+2 end of the line", "49+2 line[4].Index", "51+1 line[4].Text", "52+2 end of the line", "54+2 line[5]", "56+2 end of the line", "58+1 no key and no section",
	}, got)
	formattest.Stops(t, parse(t, wide(backup)).Spans())
}

// A language that begins again goes on, whatever stands between its sections.
func TestSectionsOfALanguage(t *testing.T) {
	var b strings.Builder
	want := map[string][]perfstrings.Entry{}
	for i := range 300 {
		id := []string{"009", "00c", "00C", "411", "0411", "xyz"}[i*i%7%6]
		if i%5 == 0 {
			b.WriteString([]string{"[PERF_App]\r\n4=no\r\n", "[Perflib]\r\nBase Index=1847\r\n", "[Other]\r\n6=no\r\n"}[i%3])
		}
		b.WriteString("[PerfStrings_" + id + "]\r\n")
		for k := range i % 3 {
			e := perfstrings.Entry{Index: uint32(4*i + k), Text: fmt.Sprint("t", i), Line: strings.Count(b.String(), "\n") + 1, Off: int64(b.Len())}
			fmt.Fprintf(&b, "%d=%s\r\n", e.Index, e.Text)
			if id = strings.ToUpper(strings.TrimLeft(id, "0")); id != "XYZ" {
				want[id] = append(want[id], e)
			}
		}
	}
	f, err := perfstrings.Parse([]byte(b.String()), perfdump.Options{CodePage: 65001})
	require.NoError(t, err)
	for _, l := range f.Languages() {
		id := strings.ToUpper(strings.TrimLeft(l.ID, "0"))
		require.Equal(t, want[id], slices.Collect(f.Strings(l.ID)), l.ID)
		names, err := f.Table(l.ID, titles.Counter)
		require.NoError(t, err)
		help, err := f.Table(l.ID, titles.Help)
		require.NoError(t, err)
		require.Equal(t, len(want[id]), names.Len()+help.Len(), l.ID)
		delete(want, id)
	}
	require.Empty(t, want)
	require.Empty(t, slices.Collect(f.Strings("xyz")))
	require.Empty(t, slices.Collect(f.Strings("abc")))
}

func TestTruncationAtEveryLength(t *testing.T) {
	for _, b := range [][]byte{wide(backup), ansi(backup)} {
		for n := range len(b) {
			if f, err := perfstrings.Parse(b[:n:n], perfdump.Options{CodePage: 0}); err == nil {
				check(t, b[:n], f)
			}
		}
	}
}

func TestHostileFilesStayWithinMemory(t *testing.T) {
	const size = 4 << 20
	fill := func(head, s string) []byte { return []byte(head + strings.Repeat(s, size/len(s))) }
	var languages, entries []byte
	for i := 0; len(languages) < size; i++ {
		languages = fmt.Appendf(languages, "[PerfStrings_%04x]\r\n2=\r\n", i&0xFFFF)
	}
	for i := 0; len(entries) < size; i++ {
		entries = fmt.Appendf(entries, "%d=\r\n", i)
	}
	for name, b := range map[string][]byte{
		"providers": fill("", "[PERF_]\r\n"),
		"languages": languages,
		"entries":   append([]byte("[PerfStrings_009]\r\n"), entries...),
		"repeats":   fill("[PerfStrings_009]\r\n", "1=\r\n"),
		"lines":     fill("[Perflib]\r\n", "\r\n"),
		"euros":     fill("[Perflib]\r\n", "1="+strings.Repeat("\x80", 1<<19)+"\r\n"),
		"sections":  fill("[Perflib]\r\n", "[]\r\n"),
	} {
		var err error
		used := perftest.Allocated(func() { _, err = perfstrings.Parse(b, perfdump.Options{}) })
		require.NoError(t, err, name)
		t.Logf("%s: %.1f bytes a byte", name, float64(used)/float64(len(b)))
		require.LessOrEqual(t, used, uint64(3<<20+24*len(b)), name)
	}
}

func BenchmarkParse(b *testing.B) {
	text := []byte("[PerfStrings_009]\r\n")
	for i := range 100_000 {
		text = fmt.Appendf(text, "%d=%% Processor Time of %d\r\n", 2*i, i)
	}
	data := wide(string(text))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		f, err := perfstrings.Parse(data, perfdump.Options{})
		require.NoError(b, err)
		_, err = f.Table("009", titles.Counter)
		require.NoError(b, err)
	}
}
