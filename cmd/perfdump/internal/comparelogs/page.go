package comparelogs

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/chart"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/markup"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/internal/tally"
)

//go:embed page.html
var pageText string

//go:embed page.css
var pageStyle string

var pageOf = sync.OnceValue(func() *markup.Page { return markup.Parse(pageText, nil) })

// view is what the page shows. It loads nothing, and runs nothing: the charts are
// pictures.
type view struct {
	Policy       string
	Style        markup.Raw
	Title        string
	Sides        []part
	Sum, Aligned string
	Counters     []counter
	Left         int
	Only         []only
}

type counter struct {
	Number     int
	Path, Also string
	values
	Chart markup.Raw
}

// part is one of the two recordings.
type part struct{ Class, Letter, File, About string }

type only struct {
	Title  string
	Groups []counted
	Left   int
}

type counted struct{ Name, Counters string }

func (c *compared) page(out io.Writer) error {
	style := strings.ReplaceAll(pageStyle, "\r\n", "\n")
	sum := sha256.Sum256([]byte(style))
	v := view{
		Policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'",
		Style:  markup.Raw(style), // our own
		Sum:    c.sum() + ".", Left: c.left,
	}
	older, newer := cell.Clean(cmdutil.FileName(c.o.Older)), cell.Clean(cmdutil.FileName(c.o.Newer))
	v.Title = older + " and " + newer
	v.Sides = []part{{"a", "A", older, c.about(c.older)}, {"b", "B", newer, c.about(c.newer)}}
	v.Aligned = "Times are those of A."
	if back := c.align.Back(); back != 0 {
		v.Aligned += " B is moved by " + shift(-back) + "."
	}
	for _, x := range c.shown {
		var picture bytes.Buffer
		about := "spread of A " + unitOf(x.Change).Short(x.Spread) + ", moved by " + valuesOf(x.Change).Spreads + " spreads"
		_, err := chart.Draw(&picture, c.align.Frames(x.Change, "A", "B"), chart.Options{About: about, Stats: []tally.Stats{x.Older.Stats, x.Newer.Stats}, Zone: c.o.Period.Zone.Location})
		if err != nil {
			return err
		}
		v.Counters = append(v.Counters, counter{len(v.Counters), cell.Clean(x.Path), also(x), valuesOf(x.Change), markup.Raw(picture.String())}) // chart escapes names
	}
	for _, part := range []struct {
		title string
		all   []group
	}{{"Only in A", c.groups(false)}, {"Only in B", c.groups(true)}} {
		if n := min(len(part.all), maxInPage); n > 0 {
			groups := only{Title: part.title, Left: len(part.all) - n}
			for _, g := range part.all[:n] {
				groups.Groups = append(groups.Groups, counted{g.Name, table.GroupedPlural(g.Counters, "counter")})
			}
			v.Only = append(v.Only, groups)
		}
	}
	b := bufio.NewWriter(out)
	if err := pageOf().Write(b, &v); err != nil {
		return err
	}
	return b.Flush()
}

// maxInPage is how many groups of one side the page lists.
const maxInPage = 200

// shift writes how far a clock is put, in days and less.
func shift(d time.Duration) string {
	sign := "+"
	if d < 0 {
		sign, d = "-", -d
	}
	days, rest := int64(d/(24*time.Hour)), d%(24*time.Hour)
	clock := strings.TrimSuffix(strings.TrimSuffix(rest.Round(time.Second).String(), "0s"), "0m")
	text := clock
	if days > 0 {
		text = table.GroupedPlural(days, "day")
		if rest > 0 {
			text += " " + clock
		}
	}
	return sign + text
}
