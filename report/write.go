package report

import (
	"bufio"
	"io"

	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/internal/room"
)

// Write writes the page. The error is that of w, or has code limit where there
// are more series than [MaxSeries].
func (p *Page) Write(w io.Writer) error {
	if p.full {
		return room.TooMany("more than %d counters of instances are more than a page can show", MaxSeries)
	}
	b := bufio.NewWriterSize(w, 64<<10)
	put := func(parts ...string) {
		for _, s := range parts {
			_, _ = b.WriteString(s) // Flush tells
		}
	}
	v := p.view()
	put("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
		"<meta http-equiv=\"Content-Security-Policy\" content=\"", policy, "\">\n",
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
		"<meta name=\"referrer\" content=\"no-referrer\">\n")
	if err := body.ExecuteTemplate(b, "title", v); err != nil {
		return err
	}
	put("<style>", style, "</style>\n</head>\n<body>\n")
	if err := body.ExecuteTemplate(b, "body", v); err != nil {
		return err
	}
	// Blocks of data are not run, so the policy lets them stand. In JSON as
	// it is written here no text has a <, which alone could end one.
	put("<script type=\"application/json\" id=\"meta\">")
	p.writeMeta(b)
	put("</script>\n<script type=\"application/json\" id=\"data\">")
	p.writeData(b)
	put("</script>\n")
	if p.bytes != nil {
		put("<script type=\"application/json\" id=\"bytemap\">")
		writeByteMap(b, p.bytes)
		put("</script>\n")
	}
	put("<script>", uPlotScript, "</script>\n<script>", script, "</script>\n</body>\n</html>\n")
	return b.Flush()
}

// clean makes visible what a page would not show as a character.
func clean(s string) string { return cell.Clean(s) }
