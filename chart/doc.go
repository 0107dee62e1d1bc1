// Package chart draws counters over time as an SVG picture that looks good on
// paper: a panel for each unit, one time axis, a legend below them.
// docs/plot.md shows one and tells the choices.
//
//	result, err := chart.Draw(w, recording.Frames(), chart.Options{})
//
// The picture holds nothing but shapes and text: no script, no font, no link.
// Names of counters and instances come from strangers, and are written as text
// whatever they hold (TestHostileNames). Memory and the size of the picture
// depend on the number of series and on the width, not on that of the samples
// (TestSizeIsBounded), and the same frames give the same bytes.
package chart
