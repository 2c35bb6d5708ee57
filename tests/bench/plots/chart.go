package plots

import (
	"bytes"
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The measures of a chart in points.
const (
	width   = 820
	height  = 380
	margin  = 14
	heading = 22 // the title's line
	row     = 24 // the legend's
	swatch  = 14
)

// chart is a plot with a title above it, and below that one row of what the
// colours stand for, where it can't hide anything.
type chart struct {
	title string
	names []string
	*plot.Plot
}

func newChart(title string) *chart {
	c := &chart{title: title, Plot: plot.New()}
	restyle(c.Plot)
	return c
}

// svg draws the chart.
func (c *chart) svg() (document []byte, err error) {
	canvas := vgsvg.New(width, height)
	paper := draw.New(canvas)
	paper.SetColor(color.White)
	paper.Fill(paper.Path())

	area := draw.Crop(paper, margin, -margin, margin, -margin)
	title := write(14)
	area.FillText(title, vg.Point{X: area.Min.X, Y: area.Max.Y}, c.title)
	c.legend(draw.Crop(area, 0, 0, 0, -heading))
	c.Draw(draw.Crop(area, 0, 0, 0, -heading-row))

	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("drawing %q: %w", c.title, err)
	}
	// Where the font is not installed, one of the same measures does, or at
	// least one without serifs.
	return bytes.ReplaceAll(b.Bytes(), []byte("Liberation Sans;"), []byte("Liberation Sans,Arial,Helvetica,sans-serif;")), nil
}

// legend writes the names of the series side by side.
func (c *chart) legend(area draw.Canvas) {
	style := write(11)
	at := area.Min.X
	for i, name := range c.names {
		box := vg.Rectangle{
			Min: vg.Point{X: at, Y: area.Max.Y - swatch + 2},
			Max: vg.Point{X: at + swatch, Y: area.Max.Y - 2},
		}
		area.SetColor(hue(i))
		area.Fill(box.Path())
		at += swatch + 5
		area.FillText(style, vg.Point{X: at, Y: area.Max.Y - 1}, name)
		at += style.Width(name) + 18
	}
}
