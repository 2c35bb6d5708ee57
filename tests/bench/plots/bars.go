package plots

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Bars is a chart of bars in groups.
type Bars struct {
	Title     string
	Unit      string   // of the figures, written beside their axis
	Groups    []string // what is written below each group; a line feed begins another line
	Series    []Series
	Reference float64 // where to draw a line across, e.g. 1 under ratios; nowhere if 0
	Top       float64 // bars that are higher are cut off there, and have their figure written above; none are if 0
}

// Series is the bars of one colour.
type Series struct {
	Name string
	Bars []Bar // one for each group
}

// Bar is a figure and its spread. The zero Bar is not drawn.
type Bar struct{ Median, Min, Max float64 }

// crowd is the share of a group's room that its bars take.
const crowd = 0.8

// SVG draws the chart. It refuses series that don't have one bar for each
// group, and figures that are not finite.
func (b *Bars) SVG() ([]byte, error) {
	c := newChart(b.Title)
	c.Y.Label.Text = b.Unit
	c.Y.Tick.Marker = plot.TickerFunc(linearTicks)
	c.Add(&plotter.Grid{Horizontal: line(0.5, pale)})
	for i, s := range b.Series {
		if len(s.Bars) != len(b.Groups) {
			return nil, fmt.Errorf("drawing %q: %d bars of %s for %d groups", b.Title, len(s.Bars), s.Name, len(b.Groups))
		}
		c.names = append(c.names, s.Name)
		for group := range s.Bars {
			if err := b.add(c, i, group); err != nil {
				return nil, fmt.Errorf("drawing %q, %s: %w", b.Title, s.Name, err)
			}
		}
	}
	b.refer(c)
	b.name(c)
	c.Y.Min, c.Y.Max = 0, c.Y.Max*1.05
	if b.Top > 0 {
		c.Y.Max = min(c.Y.Max, b.Top*1.05)
	}
	return c.svg()
}

// add adds a bar and its whisker.
func (b *Bars) add(c *chart, series, group int) error {
	bar := b.Series[series].Bars[group]
	if bar == (Bar{}) {
		return nil
	}
	cut := b.Top > 0 && bar.Median > b.Top
	height := bar.Median
	if cut {
		height = b.Top
	}
	step := crowd / float64(len(b.Series))
	from := float64(group) - crowd/2 + float64(series)*step
	to := from + 0.92*step
	body, err := plotter.NewPolygon(plotter.XYs{{X: from}, {X: from, Y: height}, {X: to, Y: height}, {X: to}})
	if err != nil {
		return err
	}
	body.Color = hue(series)
	body.LineStyle = draw.LineStyle{}
	c.Add(body)
	if cut {
		return c.tell((from+to)/2, height, brief(round(bar.Median, 3)))
	}
	if b.Top > 0 {
		bar.Max = min(bar.Max, b.Top*1.05)
	}
	whisker, err := plotter.NewYErrorBars(&spread{(from + to) / 2, bar})
	if err != nil {
		return err
	}
	whisker.LineStyle = line(0.9, ink)
	whisker.CapWidth = min(6, vg.Length(step)*width/vg.Length(len(b.Groups))/3)
	c.Add(whisker)
	return nil
}

// tell writes a figure above a place.
func (c *chart) tell(x, y float64, figure string) error {
	label, err := plotter.NewLabels(plotter.XYLabels{XYs: plotter.XYs{{X: x, Y: y}}, Labels: []string{figure}})
	if err != nil {
		return err
	}
	label.TextStyle[0] = write(9)
	label.TextStyle[0].XAlign, label.TextStyle[0].YAlign = draw.XCenter, draw.YBottom
	c.Add(label)
	return nil
}

// name writes the groups' names below them.
func (b *Bars) name(c *chart) {
	var names plot.ConstantTicks
	for i, name := range b.Groups {
		names = append(names, plot.Tick{Value: float64(i), Label: name})
	}
	c.X.Tick.Marker = names
	c.X.Tick.Label.YAlign = draw.YTop
	c.X.Tick.LineStyle.Color = color.White // they are only there to keep the names off the axis
	c.X.Min, c.X.Max = -0.5, float64(len(b.Groups))-0.5
}

// refer draws the line of reference.
func (b *Bars) refer(c *chart) {
	if b.Reference == 0 {
		return
	}
	across := plotter.NewFunction(func(float64) float64 { return b.Reference })
	across.LineStyle = line(1, ink)
	across.Dashes = []vg.Length{4, 3}
	c.Add(across)
	c.Y.Max = max(c.Y.Max, b.Reference)
}

// spread is one bar as the library wants to be told about a whisker.
type spread struct {
	x float64
	Bar
}

func (s *spread) Len() int                     { return 1 }
func (s *spread) XY(int) (x, y float64)        { return s.x, s.Median }
func (s *spread) YError(int) (low, up float64) { return s.Median - s.Min, s.Max - s.Median }
