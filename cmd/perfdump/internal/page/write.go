package page

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html"
	"io"
	"strings"

	"github.com/perfdump/perfdump/internal/budget"
)

// Write writes the page. The error is that of w, or has code limit where there
// are more series than [MaxSeries].
func (p *Page) Write(w io.Writer) error {
	if p.full {
		return budget.TooMany("more than %d counters of instances are more than a page can show", MaxSeries)
	}
	b := bufio.NewWriterSize(w, 64<<10)
	put := func(parts ...string) {
		for _, s := range parts {
			_, _ = b.WriteString(s) // Flush returns the error
		}
	}
	v := p.view()
	put("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
		"<meta http-equiv=\"Content-Security-Policy\" content=\"", policy(), "\">\n",
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
		"<meta name=\"referrer\" content=\"no-referrer\">\n")
	put("<title>", html.EscapeString(v.Title), " - perfdump report</title>\n<style>", style(), "</style>\n</head>\n<body>\n")
	if err := body().Write(b, v); err != nil {
		return err
	}
	// Blocks of data are not run, so the policy allows them. JSON as written
	// here contains no <, so nothing in it can end a block.
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
	put("<script>", uPlotScript(), "</script>\n<script>", script(), "</script>\n</body>\n</html>\n")
	return b.Flush()
}

// The assets of every page. uPlot comes from its npm package, see
// assets/README.md.
//
//go:embed assets
var assets embed.FS

func uPlotScript() string  { return asset("uPlot.iife.min.js") }
func uPlotLicense() string { return asset("uPlot.LICENSE") }
func style() string        { return asset("uPlot.min.css") + "\n" + asset("page.css") }

func script() string {
	return "\"use strict\";\n(() => {\n" + asset("data.js") + asset("panel.js") + asset("chart.js") + asset("vitals.js") + asset("table.js") + asset("bytes.js") + asset("main.js") + "})();\n"
}

// policy lets a page load nothing, and run the scripts and styles of this
// package alone.
func policy() string {
	return "default-src 'none'; script-src " + hash(uPlotScript()) + " " + hash(script()) + "; style-src " + hash(style()) +
		"; base-uri 'none'; form-action 'none'"
}

// asset returns a file of the folder. Pages have the ends of lines of Unix,
// wherever the folder was checked out.
func asset(name string) string {
	b, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // it is part of the program
	}
	return strings.ReplaceAll(string(b), "\r\n", "\n")
}

// hash returns the hash of a script or a style as a policy has it.
func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
