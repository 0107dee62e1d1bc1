package chart

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/vector"
)

// point is a place in the chart.
type point struct{ x, y float64 }

// outline is points that follow one another: a line, or the border of an area.
type outline []point

// lines returns the lines of a path.
func (p path) lines() []outline {
	var all []outline
	for _, s := range p {
		at := point{s.x, s.y}
		if s.op == 'M' {
			all = append(all, nil)
		}
		if len(all) == 0 {
			continue
		}
		l := &all[len(all)-1]
		if n := len(*l); s.op == 'h' && n > 0 {
			at = point{(*l)[n-1].x + s.x, (*l)[n-1].y}
		}
		*l = append(*l, at)
	}
	return all
}

func (o outline) scaled(by float64) outline {
	scaled := make(outline, len(o))
	for i, p := range o {
		scaled[i] = point{p.x * by, p.y * by}
	}
	return scaled
}

// dashes cuts a line into the parts that a pattern draws: the first length is
// drawn, the next is not. A line without a pattern is one part.
func (o outline) dashes(pattern []float64) []outline {
	if len(pattern) == 0 || len(o) < 2 {
		return []outline{o}
	}
	var parts []outline
	k, left := 0, pattern[0]
	part := outline{o[0]}
	for i := 1; i < len(o); i++ {
		from, to := o[i-1], o[i]
		length := math.Hypot(to.x-from.x, to.y-from.y)
		for length > left && left > 0 {
			share := left / length
			from = point{from.x + (to.x-from.x)*share, from.y + (to.y-from.y)*share}
			length -= left
			if k%2 == 0 {
				parts = append(parts, append(part, from))
			}
			k++
			left, part = pattern[k%len(pattern)], outline{from}
		}
		left -= length
		part = append(part, to)
	}
	if k%2 == 0 {
		parts = append(parts, part)
	}
	return parts
}

// stroke returns the areas of a line: a rectangle for each step, and a circle where
// steps meet. All go round in the same direction, so that what they share is
// filled.
func (o outline) stroke(half float64, round bool) []outline {
	var all []outline
	for i, p := range o {
		if i > 0 && o[i-1] != p {
			from := o[i-1]
			length := math.Hypot(p.x-from.x, p.y-from.y)
			nx, ny := -(p.y-from.y)/length*half, (p.x-from.x)/length*half
			all = append(all, outline{{from.x - nx, from.y - ny}, {p.x - nx, p.y - ny}, {p.x + nx, p.y + ny}, {from.x + nx, from.y + ny}})
		}
		if inner := i > 0 && i < len(o)-1; half > 1 && (inner || round) {
			all = append(all, circle(p, half))
		}
	}
	return all
}

func circle(at point, radius float64) outline {
	const corners = 12
	o := make(outline, corners)
	for i := range o {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		o[i] = point{at.x + radius*cos, at.y + radius*sin}
	}
	return o
}

// fillAll fills areas of one colour at once: what several share is filled once.
func (c *pixels) fillAll(areas []outline, with color.NRGBA) {
	if with.A == 0 || len(areas) == 0 {
		return
	}
	low, high := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, o := range areas {
		for _, p := range o {
			low, high = point{min(low.x, p.x), min(low.y, p.y)}, point{max(high.x, p.x), max(high.y, p.y)}
		}
	}
	size := c.image.Bounds()
	box := image.Rect(int(max(low.x-1, 0)), int(max(low.y-1, 0)), int(min(high.x+2, float64(size.Dx()))), int(min(high.y+2, float64(size.Dy()))))
	if box.Empty() {
		return
	}
	r := vector.NewRasterizer(box.Dx(), box.Dy())
	for _, o := range areas {
		for i, p := range o {
			x, y := float32(p.x-float64(box.Min.X)), float32(p.y-float64(box.Min.Y))
			if i == 0 {
				r.MoveTo(x, y)
			} else {
				r.LineTo(x, y)
			}
		}
		r.ClosePath()
	}
	r.DrawOp = draw.Over
	r.Draw(c.image, box, image.NewUniform(with), image.Point{})
}
