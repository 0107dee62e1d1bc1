package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"strings"
)

// What stands in every page. uPlot comes from its npm package, as
// assets/README.md tells.
//
//go:embed assets
var assets embed.FS

var (
	uPlotScript  = asset("uPlot.iife.min.js")
	uPlotLicense = asset("uPlot.LICENSE")
	style        = asset("uPlot.min.css") + "\n" + asset("page.css")
	script       = "\"use strict\";\n(() => {\n" + asset("data.js") + asset("chart.js") + asset("table.js") + asset("bytes.js") + asset("main.js") + "})();\n"
)

// policy lets a page load nothing, and run the scripts and styles of this
// package alone.
var policy = "default-src 'none'; script-src " + hash(uPlotScript) + " " + hash(script) + "; style-src " + hash(style) +
	"; base-uri 'none'; form-action 'none'"

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
