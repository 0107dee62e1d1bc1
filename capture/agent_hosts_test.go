package capture_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
)

// moment is what an agent sends of two objects, a second after the other.
func moment(host string, second, value int) (sections [2]string) {
	for k := range sections {
		sections[k] = fmt.Sprintf("<<<<%s>>>>\n<<<winperf_x%d>>>\n%d.00 %d 1000\n2 %d counter\n<<<other>>>\n1\n", host, k, 1592222400+second, 100+10*k, value+k)
	}
	return sections
}

// cookedOf are the cells of a file, frame by frame.
func cookedOf(t *testing.T, in *detect.Input, c capture.CookOptions) (frames, cells []string) {
	t.Helper()
	r := record(t, capture.Options{}, c, in)
	for f, err := range r.Frames() {
		require.NoError(t, err)
		frames = append(frames, fmt.Sprint(f.Host, " ", f.Time.Sub(noon), " ", len(f.Cells)))
		for _, c := range f.Cells {
			cells = append(cells, fmt.Sprint(f.Time.Sub(noon), " ", c.Series.Path(), " ", c.Value, " ", c.Status))
		}
	}
	require.NoError(t, r.Close())
	return frames, cells
}

// TestHostsOfAgents wants the hosts in one file to be cooked as each is by itself,
// in the order of time: one host behind the other, turn by turn, or section by
// section; in UTF-16, too.
func TestHostsOfAgents(t *testing.T) {
	var a, b, behind, turns, sections strings.Builder
	for i := range 3 {
		of := moment("a", 60*i, 1000*i*i)
		a.WriteString(of[0] + of[1])
		other := moment("b", 60*i+10, 7000*i)
		b.WriteString(other[0] + other[1])
		turns.WriteString(of[0] + of[1] + other[0] + other[1])
		sections.WriteString(of[0] + other[0] + of[1] + other[1])
	}
	behind.WriteString(a.String() + b.String())
	_, want := cookedOf(t, opened(t, a.String()), capture.CookOptions{})
	_, alone := cookedOf(t, opened(t, b.String()), capture.CookOptions{})
	want = append(want, alone...)
	slices.Sort(want)
	require.Len(t, want, 12)
	require.Contains(t, strings.Join(want, "\n"), "ok")

	order := []string{"a 0s 2", "b 10s 2", "a 1m0s 2", "b 1m10s 2", "a 2m0s 2", "b 2m10s 2"}
	wide := string(appendWide([]byte("\xfe\xff"), behind.String()))
	for name, text := range map[string]string{
		"behind": behind.String(), "turns": turns.String(), "sections": sections.String(), "b first": b.String() + a.String(),
		"wide": wide, "no end": strings.TrimSuffix(behind.String(), "\n<<<other>>>\n1\n"),
	} {
		frames, cells := cookedOf(t, opened(t, text), capture.CookOptions{})
		require.Equal(t, order, frames, name)
		slices.Sort(cells)
		require.Equal(t, want, cells, name)

		frames, _ = cookedOf(t, opened(t, text), capture.CookOptions{Every: 2})
		require.Equal(t, []string{"a 0s 2", "b 10s 2", "a 2m0s 2", "b 2m10s 2"}, frames, name)
		frames, _ = cookedOf(t, opened(t, text), capture.CookOptions{From: capture.Moment{After: 65 * time.Second, Set: true}})
		require.Equal(t, order[3:], frames, name)
	}
}

// appendWide appends text in UTF-16, high bytes first.
func appendWide(dst []byte, text string) []byte {
	for _, u := range utf16.Encode([]rune(text)) {
		dst = append(dst, byte(u>>8), byte(u))
	}
	return dst
}

// TestHostsKeepTheirOrder wants the moments of a host in the order of its file,
// where a clock went back, beside another host too.
func TestHostsKeepTheirOrder(t *testing.T) {
	var text string
	for _, second := range []int{0, 20, 10, 30} {
		of := moment("a", second, second)
		text += of[0]
	}
	frames, _ := cookedOf(t, opened(t, text), capture.CookOptions{})
	require.Equal(t, []string{"a 0s 1", "a 20s 1", "a 10s 1", "a 30s 1"}, frames)
	of := moment("b", 15, 0)
	frames, _ = cookedOf(t, opened(t, text+of[0]), capture.CookOptions{})
	require.Equal(t, []string{"a 0s 1", "b 15s 1", "a 20s 1", "a 10s 1", "a 30s 1"}, frames)
}

// TestRoomForHosts wants more hosts than there is room for to be an error.
func TestRoomForHosts(t *testing.T) {
	var b strings.Builder
	for i := range 400_000 {
		fmt.Fprintf(&b, "<<<<%d>>>>\n<<<winperf_x>>>\n1592222400 1\n", i)
	}
	r := record(t, capture.Options{}, capture.CookOptions{}, opened(t, b.String()))
	var last error
	for _, err := range r.Frames() {
		last = err
	}
	require.ErrorIs(t, last, perfdump.ErrLimit)
}
