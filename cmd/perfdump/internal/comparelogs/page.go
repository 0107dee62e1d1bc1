package comparelogs

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"html/template"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/chart"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/internal/tally"
)

//go:embed page.html
var pageText string

//go:embed page.css
var pageStyle string

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Parse(strings.ReplaceAll(pageText, "\r\n", "\n")))
})

// view is what the page shows. It loads nothing, and runs nothing: the charts are
// pictures.
type view struct {
	Policy       string
	Style        template.CSS
	Sides        [2]struct{ Letter, File, About string }
	Sum, Aligned string
	Counters     []counter
	Left         int
	Only         []only
}

type counter struct {
	Path, Also string
	values
	Chart template.HTML
}

type only struct {
	Title  string
	Groups []group
	Left   int
}

func (c *compared) page(out io.Writer) error {
	style := strings.ReplaceAll(pageStyle, "\r\n", "\n")
	sum := sha256.Sum256([]byte(style))
	v := view{
		Policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'",
		Style:  template.CSS(style), //nolint:gosec // our own
		Sum:    c.sum() + ".", Left: c.left,
	}
	older, newer := cell.Clean(cmdutil.FileName(c.o.Older)), cell.Clean(cmdutil.FileName(c.o.Newer))
	v.Sides[0].Letter, v.Sides[0].File, v.Sides[0].About = "A", older, c.about(c.older)
	v.Sides[1].Letter, v.Sides[1].File, v.Sides[1].About = "B", newer, c.about(c.newer)
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
		v.Counters = append(v.Counters, counter{cell.Clean(x.Path), also(x), valuesOf(x.Change), template.HTML(picture.String())}) //nolint:gosec // chart escapes names
	}
	for _, part := range []struct {
		title string
		all   []group
	}{{"Only in A", c.groups(false)}, {"Only in B", c.groups(true)}} {
		if n := min(len(part.all), maxInPage); n > 0 {
			v.Only = append(v.Only, only{part.title, part.all[:n], len(part.all) - n})
		}
	}
	b := bufio.NewWriter(out)
	if err := pageTemplate().Execute(b, v); err != nil {
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
