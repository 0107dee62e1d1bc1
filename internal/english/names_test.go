package english

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
)

// The table is in every binary.
func TestSize(t *testing.T) { require.Less(t, len(packed), 250_000) }

func TestTable(t *testing.T) {
	all, names := map[string]bool{}, 0
	for _, of := range table() {
		for _, o := range of {
			if !all[o.name] {
				names += len(o.counters())
			}
			all[o.name] = true
		}
	}
	require.Len(t, slices.Collect(maps.Keys(all)), 146)
	require.Greater(t, names, 15_000)
}

func TestFold(t *testing.T) {
	for _, c := range [][2]string{
		{"% Processor Time", "% processor time"},
		{"Auslagerungsdatei (Größe)", "auslagerungsdatei (grosse)"},
		{"Łączna liczba wątków", "laczna liczba watkow"},
		{"İşlemci Zamanı", "islemci zamani"},
		{"Sæt på pause ", "saet pa pause"},
		{"Pøkus", "pokus"},
		{"Počet přijatých bajtů", "pocet prijatych bajtu"},
		{"Üresjáratban eltöltött időhányad", "uresjaratban eltoltott idohanyad"},
		{"% d’inactivité", "% d'inactivite"},
		{"Процессор", "процессор"},
		{"a\xff", "a�"},
	} {
		require.Equal(t, c[1], Fold(c[0]), c[0])
	}
	for r := 'À'; r <= 'ž'; r++ { // a letter and its marks are one
		require.Equal(t, Fold(norm.NFD.String(string(r))), Fold(string(r)), "%c", r)
	}
	require.Equal(t, "st", Fold("ȘȚ"))
}

// TestNames has names as Windows has them, with the marks that the table has lost.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		object, english, counter string
		want                     []string
	}{
		{"Prozessor", "Processor", "Prozessorzeit (%)", []string{"% Processor Time"}},
		{"PROCESSEUR", "Processor", "% temps processeur", []string{"% Processor Time"}},
		{"Procesor", "Processor", "% času procesoru", []string{"% Processor Time"}},
		{"Processzor", "Processor", "Üresjáratban eltöltött időhányad (%)", []string{"% Idle Time"}},
		{"İşlemci", "Processor", "% İşlemci Zamanı", []string{"% Processor Time"}},
		{"Processor", "Processor", "% processor time", []string{"% Processor Time"}},
		{"Processor", "Processor", "% processortid", []string{"% Processor Time"}},
		{"Processus", "Process", "Taille virtuelle (octets)", []string{"Virtual Bytes Peak", "Virtual Bytes"}},
		{"Database ==> TableClasses", "Database ==> TableClasses", "No such counter", nil},
	} {
		require.Equal(t, []string{c.english}, Objects(c.object), c.object)
		require.Equal(t, c.want, Counters(c.english, c.counter), c.counter)
	}
	require.Empty(t, Objects("Процессор"))
	require.Empty(t, Objects(""))
	require.Empty(t, Counters("Процессор", "% Processor Time"))
	require.Equal(t, []string{"% Processor Time"}, Counters("", "Prozessorzeit (%)"))
	require.Equal(t, []string{"Bytes Sent/sec", "Sent Bytes/sec"}, Counters("", "Gesendete Bytes/s")[:2])
}
