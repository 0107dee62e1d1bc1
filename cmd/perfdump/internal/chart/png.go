package chart

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"strconv"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/packed"
)

// Pixels of the image for each one of the chart: two look sharp on any screen. A
// very tall chart has one.
const (
	density = 2
	tall    = 4000
)

// pixels is a canvas that draws into an image.
type pixels struct {
	w     io.Writer
	image *image.RGBA
	scale float64
	pens  []pen // of the chart, and of the groups that are open
	faces map[typeface]font.Face
	err   error
}

// pen is what attributes of SVG say.
type pen struct {
	stroke, fill color.NRGBA // without alpha for none
	width        float64
	dash         []float64
	round        bool // the ends of lines
	anchor       string
	typeface
}

// typeface is a font in a size.
type typeface struct {
	style string
	size  float64
}

// fonts are the Go fonts, by the words of SVG. They have Latin, Greek and Cyrillic
// letters.
var fonts = map[string]string{"": "Regular", "bold": "Bold", "italic": "Italic"}

func newPixels(w io.Writer) *pixels { return &pixels{w: w, faces: map[typeface]font.Face{}} }

func (c *pixels) begin(width, height float64, _, _ string) {
	c.scale = density
	if height > tall {
		c.scale = 1
	}
	c.image = image.NewRGBA(image.Rect(0, 0, int(width*c.scale), int(height*c.scale)))
	draw.Draw(c.image, c.image.Bounds(), image.White, image.Point{}, draw.Src)
	c.pens = []pen{pen{width: 1, typeface: typeface{size: textSize}}.with(style{"fill", dark})}
}

func (c *pixels) pen(s style) pen { return c.pens[len(c.pens)-1].with(s) }

func (c *pixels) group(s style, _ string) { c.pens = append(c.pens, c.pen(s)) }

func (c *pixels) end() { c.pens = c.pens[:len(c.pens)-1] }

// with returns the pen with further attributes.
func (p pen) with(s style) pen {
	for i := 0; i+1 < len(s); i += 2 {
		number, _ := strconv.ParseFloat(s[i+1], 64)
		switch s[i] {
		case "stroke":
			p.stroke = colour(s[i+1])
		case "fill":
			p.fill = colour(s[i+1])
		case "fill-opacity":
			p.fill.A = uint8(number * 255)
		case "stroke-width":
			p.width = number
		case "stroke-linecap":
			p.round = s[i+1] == "round"
		case "stroke-dasharray":
			p.dash = nil
			for _, n := range strings.Fields(s[i+1]) {
				if length, err := strconv.ParseFloat(n, 64); err == nil {
					p.dash = append(p.dash, length)
				}
			}
		case "text-anchor":
			p.anchor = s[i+1]
		case "font-size":
			p.size = number
		case "font-weight", "font-style":
			p.typeface.style = s[i+1]
		}
	}
	return p
}

// colour reads #rgb and #rrggbb; others are no colour.
func colour(s string) color.NRGBA {
	digits := strings.TrimPrefix(s, "#")
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	n, err := strconv.ParseUint(digits, 16, 24)
	if err != nil || len(digits) != 6 {
		return color.NRGBA{}
	}
	return color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}
}

// face returns the glyphs of a typeface.
func (c *pixels) face(t typeface) font.Face {
	if f, ok := c.faces[t]; ok {
		return f
	}
	parsed, err := opentype.Parse(packed.Font(fonts[t.style]))
	if err == nil {
		c.faces[t], err = opentype.NewFace(parsed, &opentype.FaceOptions{Size: t.size * c.scale, DPI: 72})
	}
	if err != nil {
		c.err = err
	}
	return c.faces[t]
}

func (c *pixels) text(x, y float64, s style, text string) {
	p := c.pen(s)
	face := c.face(p.typeface)
	if face == nil {
		return
	}
	d := font.Drawer{Dst: c.image, Src: image.NewUniform(p.fill), Face: face}
	text = plain(text)
	d.Dot = fixed.Point26_6{X: fixed.Int26_6(x * c.scale * 64), Y: fixed.Int26_6(y * c.scale * 64)}
	switch p.anchor {
	case "end":
		d.Dot.X -= d.MeasureString(text)
	case "middle":
		d.Dot.X -= d.MeasureString(text) / 2
	}
	d.DrawString(text)
}

func (c *pixels) rect(x, y, width, height float64, s style) {
	c.fillAll([]outline{outline{{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}}.scaled(c.scale)}, c.pen(s).fill)
}

func (c *pixels) path(p path, s style) {
	pen := c.pen(s)
	var all []outline
	for _, l := range p.lines() {
		for _, part := range l.dashes(pen.dash) {
			all = append(all, part.scaled(c.scale).stroke(pen.width*c.scale/2, pen.round)...)
		}
	}
	c.fillAll(all, pen.stroke)
}

func (c *pixels) close() error {
	if c.err != nil {
		return c.err
	}
	return png.Encode(c.w, c.image)
}
