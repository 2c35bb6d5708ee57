package plots

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// palette is Okabe and Ito's without black and yellow, which are too strong and
// too weak on white.
var palette = []color.NRGBA{
	{R: 0x00, G: 0x72, B: 0xb2, A: 0xff}, // blue
	{R: 0xe6, G: 0x9f, B: 0x00, A: 0xff}, // orange
	{R: 0x00, G: 0x9e, B: 0x73, A: 0xff}, // green
	{R: 0xcc, G: 0x79, B: 0xa7, A: 0xff}, // purple
	{R: 0x56, G: 0xb4, B: 0xe9, A: 0xff}, // sky blue
	{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff}, // vermilion
}

var (
	ink  = color.NRGBA{R: 0x33, G: 0x33, B: 0x33, A: 0xff} // text and axes
	pale = color.NRGBA{R: 0xdd, G: 0xdd, B: 0xdd, A: 0xff} // the grid
)

// hue returns the colour of the series at a place.
func hue(series int) color.NRGBA { return palette[series%len(palette)] }

// write returns the style of a text, without serifs.
func write(size font.Length) text.Style {
	return text.Style{
		Color:   ink,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		Handler: plot.DefaultTextHandler,
		XAlign:  draw.XLeft,
		YAlign:  draw.YTop,
	}
}

func line(width vg.Length, c color.Color) draw.LineStyle {
	return draw.LineStyle{Width: width, Color: c}
}

// restyle makes the axes and what is written beside them look alike.
func restyle(p *plot.Plot) {
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.LineStyle = line(0.75, ink)
		axis.Tick.LineStyle = line(0.75, ink)
		axis.Tick.Length = 4
		axis.Tick.Label.Font = write(10).Font
		axis.Tick.Label.Color = ink
		axis.Label.TextStyle.Font = write(11).Font
		axis.Label.TextStyle.Color = ink
		axis.Label.Padding = 6
		axis.Padding = 0
	}
}
