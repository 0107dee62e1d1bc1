package capture_test

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/english"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/titles"
)

// vectors returns the rows of the table of names that the built-in one is made of,
// and the languages of its columns from the fourth on.
func vectors(t *testing.T) (languages []string, rows [][]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "shared", "vectors", "counter-names-by-language.tsv"))
	if err != nil {
		t.Skip("the table of names is not beside the checkout:", err)
	}
	for line := range strings.Lines(string(text)) {
		var row []string
		for _, field := range strings.Split(strings.TrimRight(line, "\r\n"), "\t") {
			row = append(row, html.UnescapeString(field))
		}
		rows = append(rows, row)
	}
	return rows[0], rows[1:]
}

// columnsLog makes a PDH-CSV of counters, each of the instance x.
func columnsLog(columns ...[2]string) *capture.Input {
	var header, line strings.Builder
	for i, c := range columns {
		path := pdhpath.Path{Machine: "M", Object: c[0], Instance: "x", HasInstance: true, Counter: c[1]}
		header.WriteString(`,"` + strings.ReplaceAll(path.String(), `"`, `""`) + `"`)
		fmt.Fprintf(&line, `,"%d"`, i)
	}
	return text("-", `"(PDH-CSV 4.0) (UTC)(0)"`+header.String()+"\r\n"+`"01/15/2026 10:00:00.000"`+line.String()+"\r\n")
}

// names returns the objects and counters of the series of a recording.
func names(t *testing.T, o capture.Options, inputs ...*capture.Input) (all [][2]string) {
	t.Helper()
	series, err := record(t, o, capture.CookOptions{}, inputs...).Columns()
	require.NoError(t, err)
	for _, s := range series {
		all = append(all, [2]string{s.Object, s.Counter})
	}
	return all
}

func inEnglish(given ...*titles.Table) *capture.Names {
	n := capture.NewNames()
	n.SetEnglish(true, given...)
	return n
}

// TestEnglishOfTwelveLanguages makes a log of all names of each language. Each
// counter has its English name if there is one in its object.
func TestEnglishOfTwelveLanguages(t *testing.T) {
	languages, rows := vectors(t)
	objects := map[string][]string{}
	meanings := map[[2]string][]string{} // of an object and a folded name, in all languages
	for _, row := range rows {
		if row[0] == "object" {
			objects[row[1]] = row
		} else {
			for _, name := range row[2:] {
				key := [2]string{row[1], english.Fold(name)}
				if !slices.Contains(meanings[key], row[2]) {
					meanings[key] = append(meanings[key], row[2])
				}
			}
		}
	}
	for k := 3; k < len(languages); k++ {
		var columns, want [][2]string
		met := map[[2]string]bool{}
		left := map[[2]string]bool{}
		for _, row := range rows {
			if row[0] != "counter" || objects[row[1]][k] == "" || row[k] == "" {
				continue
			}
			column := [2]string{objects[row[1]][k], row[k]}
			if met[column] {
				continue // another one has its name
			}
			met[column] = true
			columns = append(columns, column)
			of := meanings[[2]string{row[1], english.Fold(row[k])}]
			switch {
			case slices.ContainsFunc(of, func(name string) bool { return strings.EqualFold(name, row[k]) }):
				want = append(want, [2]string{row[1], row[k]})
			case len(of) == 1:
				want = append(want, [2]string{row[1], of[0]})
			default:
				want = append(want, [2]string{row[1], row[k]})
				left[column] = true
			}
			if strings.EqualFold(objects[row[1]][k], row[1]) {
				want[len(want)-1][0] = objects[row[1]][k]
			}
		}
		n := inEnglish()
		require.Equal(t, want, names(t, capture.Options{Names: n}, columnsLog(columns...)), languages[k])
		count, _, _ := n.Untranslated()
		require.Len(t, left, count, languages[k])
		require.Less(t, len(left), 25, languages[k])

		// Paths in English find it; paths in its language find an English log.
		local := [2]string{}
		for _, row := range rows {
			if row[1] == "Processor" && row[2] == "% Processor Time" {
				local = [2]string{objects["Processor"][k], row[k]}
			}
		}
		for _, path := range []string{`\Processor(*)\% Processor Time`, `\` + local[0] + `(x)\` + local[1], `\*CESSOR(*)\% processor time`} {
			filter, err := capture.NewFilter(path)
			require.NoError(t, err)
			require.Equal(t, [][2]string{local}, names(t, capture.Options{Filter: filter}, columnsLog(columns...)), path)
			require.Empty(t, filter.Unused())
			require.Equal(t, [][2]string{{"Processor", "% Processor Time"}},
				names(t, capture.Options{Filter: filter, Names: inEnglish()}, columnsLog(columns...)), path)
			log := columnsLog([2]string{"Processor", "% Processor Time"}, [2]string{"Process", "% Processor Time"})
			require.Equal(t, [][2]string{{"Processor", "% Processor Time"}}, names(t, capture.Options{Filter: filter}, log), path)
		}
	}
}

func table(t *testing.T, text string) *titles.Table {
	t.Helper()
	table, err := titles.ParseText([]byte(text), perfdump.Options{})
	require.NoError(t, err)
	return table
}

// TestEnglishByTables has a log of a language that is not built in. The same index
// is the same counter; of two indexes of a name the object says which.
func TestEnglishByTables(t *testing.T) {
	russian := table(t, "2\tСистема\n238\tПроцессор\n6\t% загруженности процессора\n5000\tМагазин\n5002\tЗаказы/с\n5004\tПрочее\n6000\tПрочее\n"+
		"230\tПроцесс\n1410\tПамять\n1412\tПамять\n")
	own := table(t, "5000\tShop\n5002\tOrders/sec\n5004\tOther\n6000\tRest\n")
	columns := [][2]string{{"процессор", "% Загруженности процессора"}, {"Магазин", "Заказы/с"}, {"Магазин", "Прочее"}, {"Система", "Неизвестно"}}
	n := capture.NewNames(russian)
	n.SetEnglish(true, own)
	want := [][2]string{{"Processor", "% Processor Time"}, {"Shop", "Orders/sec"}, {"Shop", "Прочее"}, {"System", "Неизвестно"}}
	require.Equal(t, want, names(t, capture.Options{Names: n}, columnsLog(columns...)))
	count, object, counter := n.Untranslated()
	require.Equal(t, []any{2, "Магазин", "Прочее"}, []any{count, object, counter})

	german := table(t, "276\tBytes gesendet/s\n506\tBytes gesendet/s\n510\tNetzwerkschnittstelle\n")
	n = capture.NewNames(german)
	n.SetEnglish(true)
	require.Equal(t, [][2]string{{"Network Interface", "Bytes Sent/sec"}},
		names(t, capture.Options{Names: n}, columnsLog([2]string{"Netzwerkschnittstelle", "Bytes gesendet/s"})))

	// Without them all stays, and is counted.
	n = inEnglish()
	require.Equal(t, columns, names(t, capture.Options{Names: n}, columnsLog(columns...)))
	count, _, _ = n.Untranslated()
	require.Equal(t, 4, count)

	// Paths know the tables, either way.
	n = capture.NewNames(russian)
	n.SetEnglish(false, own)
	for path, want := range map[string][2]int{`\Shop(*)\*`: {2, 1}, `\Магазин(x)\Заказы/с`: {1, 1}, `\Процессор(*)\*`: {1, 1}, `\Processor(x)\% Processor Time`: {1, 1}} {
		filter, err := n.Filter(path)
		require.NoError(t, err)
		require.Len(t, names(t, capture.Options{Names: n, Filter: filter}, columnsLog(columns...)), want[0], path)
		log := columnsLog([2]string{"Shop", "Orders/sec"}, [2]string{"Processor", "% Processor Time"})
		require.Len(t, names(t, capture.Options{Names: n, Filter: filter}, log), want[1], path)
	}
}

// TestEnglishLogsAreQuiet: what has English names already is not counted.
func TestEnglishLogsAreQuiet(t *testing.T) {
	for _, c := range []struct {
		columns [][2]string
		left    int
	}{
		{[][2]string{{"Processor", "% Processor Time"}, {"SQLServer:Databases", "Transactions/sec"}}, 0},
		{[][2]string{{"SQLServer:Databases", "Transactions/sec"}}, 1}, // nothing says so
		{[][2]string{{"Prozessor", "Prozessorzeit (%)"}, {"SQLServer:Databases", "Transaktionen/Sek."}}, 1},
		{[][2]string{{"Processor", "% Processor Time"}, {"Wetter", "Höhe"}}, 1},
		{[][2]string{{"Processus", "Taille virtuelle (octets)"}}, 1}, // two counters have this name
	} {
		n := inEnglish()
		names(t, capture.Options{Names: n}, columnsLog(c.columns...))
		count, _, _ := n.Untranslated()
		require.Equal(t, c.left, count, c.columns)
	}
}

// TestEnglishOfLogs has a log of chosen counters of a German machine, cooked and
// raw.
func TestEnglishOfLogs(t *testing.T) {
	german := func() *capture.Input {
		const typ = countertypes.PERF_COUNTER_LARGE_RAWCOUNT
		w := blgwriter.New(blgwriter.Options{})
		list(w, 0, item("Arbeitsspeicher", "", "Verfügbare MB", typ), item("Prozessor", "*", "Prozessorzeit (%)", typ), item("Wetter", "", "Höhe", typ))
		for i := range int64(2) {
			sample(w, i, single(7, 0), several(blgwriter.Value{Name: "0", First: 8}, blgwriter.Value{Name: "_Total", First: 9}), single(10, 0))
		}
		return written(t, "german", w)
	}
	raw := func(o capture.Options) (all []string) {
		for s := range snapshots(t, german(), o) {
			for row := range s.Rows() {
				all = append(all, fmt.Sprint(row.Object, `\`, row.Counter, " ", row.First))
			}
			break
		}
		return all
	}
	all := [][2]string{{"Memory", "Available MBytes"}, {"Processor", "% Processor Time"}, {"Processor", "% Processor Time"}, {"Wetter", "Höhe"}}
	n := inEnglish()
	require.Equal(t, all, names(t, capture.Options{Names: n}, german()))
	count, object, counter := n.Untranslated()
	require.Equal(t, []any{1, "Wetter", "Höhe"}, []any{count, object, counter})
	n = inEnglish()
	require.Equal(t, []string{`Memory\Available MBytes 7`, `Processor\% Processor Time 8`, `Processor\% Processor Time 9`, `Wetter\Höhe 10`}, raw(capture.Options{Names: n}))
	count, _, _ = n.Untranslated()
	require.Equal(t, 1, count)

	filter, err := capture.NewFilter(`\Processor(_Total)\% Processor Time`, `\Arbeitsspeicher\*`)
	require.NoError(t, err)
	require.Equal(t, [][2]string{{"Arbeitsspeicher", "Verfügbare MB"}, {"Prozessor", "Prozessorzeit (%)"}}, names(t, capture.Options{Filter: filter}, german()))
	require.Equal(t, []string{`Arbeitsspeicher\Verfügbare MB 7`, `Prozessor\Prozessorzeit (%) 9`}, raw(capture.Options{Filter: filter}))
	require.Equal(t, []string{`Memory\Available MBytes 7`, `Processor\% Processor Time 9`}, raw(capture.Options{Filter: filter, Names: inEnglish()}))
}

// TestEnglishByIndex has indexes and German names: Windows' own counters go by
// their indexes, others by their names.
func TestEnglishByIndex(t *testing.T) {
	german := table(t, "238\tProzessor\n6\tFalsch geschrieben\n4000\t.NET CLR-Speicher\n4002\tAuflistungsanzahl der Generation 0\n5000\tWetter\n5002\tHöhe\n5004\tHöhe\n")
	object := func(title uint32, counters ...uint32) perftest.Object {
		o := perftest.Object{Title: title, Single: true, Instances: []perftest.Instance{{}}}
		for i, c := range counters {
			o.Counters = append(o.Counters, perftest.Counter{Title: c, Type: uint32(countertypes.PERF_COUNTER_LARGE_RAWCOUNT), Size: 8})
			o.Instances[0].Values = append(o.Instances[0].Values, uint64(i))
		}
		return o
	}
	block := perftest.Block{PerfFreq: 1, Objects: []perftest.Object{object(238, 6), object(4000, 4002), object(5000, 5002, 5004), object(6000, 6002)}}
	named := func(show bool) *capture.Names {
		n := capture.NewNames(german)
		n.SetEnglish(show)
		return n
	}
	of := func(n *capture.Names, f *capture.Filter) (all []string) {
		b, err := perfdata.Parse(block.Bytes(), perfdump.Options{})
		require.NoError(t, err)
		for o := range capture.FromBlock(b, capture.Options{Names: n, Filter: f}).Objects() {
			for _, c := range o.Counters {
				all = append(all, o.Name+`\`+c.Name)
			}
		}
		return all
	}
	in := bytesOf("x.bin", block.Bytes())
	n := named(true)
	want := []string{`Processor\% Processor Time`, `.NET CLR Memory\# Gen 0 Collections`, `Wetter\Höhe`, `Wetter\Höhe`, `6000\6002`}
	require.Equal(t, want, of(n, nil))
	count, _, _ := n.Untranslated()
	require.Equal(t, 1, count)
	require.Equal(t, 2, n.Missing())
	var cooked []string
	for _, s := range names(t, capture.Options{Names: named(true)}, in) {
		cooked = append(cooked, s[0]+`\`+s[1])
	}
	require.Equal(t, want, cooked, "two counters of one name are two")

	for path, want := range map[string]string{
		`\Processor\% Processor Time`: `Prozessor\Falsch geschrieben`,
		`\Prozessor\*`:                `Prozessor\Falsch geschrieben`,
		`\.NET CLR Memory\# Gen 0*`:   `.NET CLR-Speicher\Auflistungsanzahl der Generation 0`,
		`\Mémoire CLR .NET\*`:         `.NET CLR-Speicher\Auflistungsanzahl der Generation 0`,
		`\6000\*`:                     `6000\6002`,
	} {
		f, err := capture.NewFilter(path)
		require.NoError(t, err)
		require.Equal(t, []string{want}, of(named(false), f), path)
		all := names(t, capture.Options{Names: named(false), Filter: f}, in)
		require.Len(t, all, 1, path)
		require.Equal(t, want, all[0][0]+`\`+all[0][1])
	}

	// Sections of agents have indexes, too.
	agent := "<<<winperf_processor>>>\n1352457622.31 238 3579545\n-232 1 counter\n"
	require.Equal(t, [][2]string{{"Processor", "% Processor Time"}}, names(t, capture.Options{Names: named(true)}, text("-", agent)))
	require.Equal(t, [][2]string{{"Prozessor", "Falsch geschrieben"}}, names(t, capture.Options{Names: named(false)}, text("-", agent)))
}
