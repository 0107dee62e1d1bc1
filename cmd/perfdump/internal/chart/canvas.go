package chart

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// canvas is what a chart is drawn on: SVG or pixels.
type canvas interface {
	begin(width, height float64, title, desc string)
	group(s style, title string) // what is drawn until end has the style
	end()
	text(x, y float64, s style, text string)
	path(p path, s style)
	rect(x, y, width, height float64, s style)
	close() error
}

// style is attributes of SVG, each with its value behind it.
type style []string

// path is lines, as in SVG.
type path []step

// step is a command of SVG: M begins a line at a place, L draws it on to there, h
// draws it on by x.
type step struct {
	op   byte
	x, y float64
}

func line(x1, y1, x2, y2 float64) path { return path{{'M', x1, y1}, {'L', x2, y2}} }

// svg is a canvas of text.
type svg struct{ w *bufio.Writer }

func newSVG(w io.Writer) *svg { return &svg{bufio.NewWriter(w)} }

func (c *svg) printf(format string, args ...any) { _, _ = fmt.Fprintf(c.w, format, args...) }

func (c *svg) style(s style) {
	for i := 0; i+1 < len(s); i += 2 {
		c.printf(" %s=\"%s\"", s[i], s[i+1])
	}
}

func (c *svg) begin(width, height float64, title, desc string) {
	w, h := coordinate(nil, width), coordinate(nil, height)
	c.printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" viewBox=\"0 0 %s %s\" role=\"img\" font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\" font-size=\"%d\" fill=\"%s\">\n",
		w, h, w, h, textSize, dark)
	c.printf("<title>%s</title>\n<desc>%s</desc>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n", escape(title), escape(desc))
}

func (c *svg) group(s style, title string) {
	c.printf("<g")
	c.style(s)
	c.printf(">\n")
	if title != "" {
		c.printf("<title>%s</title>\n", escape(title))
	}
}

func (c *svg) end() { c.printf("</g>\n") }

func (c *svg) text(x, y float64, s style, text string) {
	c.printf("<text x=\"%s\" y=\"%s\"", coordinate(nil, x), coordinate(nil, y))
	c.style(s)
	c.printf(">%s</text>\n", escape(text))
}

func (c *svg) path(p path, s style) {
	var d []byte
	for _, at := range p {
		d = coordinate(append(d, at.op), at.x)
		if at.op != 'h' {
			d = coordinate(append(d, ' '), at.y)
		}
	}
	c.printf("<path d=\"%s\"", d)
	c.style(s)
	c.printf("/>\n")
}

func (c *svg) rect(x, y, width, height float64, s style) {
	c.printf("<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"", coordinate(nil, x), coordinate(nil, y), coordinate(nil, width), coordinate(nil, height))
	c.style(s)
	c.printf("/>\n")
}

func (c *svg) close() error {
	c.printf("</svg>\n")
	return c.w.Flush()
}

// coordinate appends a number of pixels, to a tenth.
func coordinate(dst []byte, v float64) []byte {
	tenths := int64(v*10 + 0.5)
	dst = strconv.AppendInt(dst, tenths/10, 10)
	if tenths%10 != 0 {
		dst = append(dst, '.', byte('0'+tenths%10))
	}
	return dst
}
