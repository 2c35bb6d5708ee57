package plots

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// Curves is a chart of distributions of latency.
type Curves struct {
	Title  string
	Series []Curve
}

// Curve is one distribution.
type Curve struct {
	Name   string
	Points []Point // in the order of their percentiles
}

// Point says that so many percent of the requests, from 0 to less than 100,
// took no longer than so many milliseconds, which is more than 0.
type Point struct{ Percentile, Milliseconds float64 }

// SVG draws the chart. It refuses points that can't be drawn in its scales, and
// to draw nothing at all.
func (c *Curves) SVG() ([]byte, error) {
	if len(c.Series) == 0 {
		return nil, fmt.Errorf("drawing %q: no curves", c.Title)
	}
	p := newChart(c.Title)
	p.X.Label.Text = "requests that were at most so slow"
	p.X.Tick.Marker = plot.TickerFunc(ninesTicks)
	p.Y.Label.Text = "ms"
	p.Y.Scale = plot.LogScale{}
	p.Y.Tick.Marker = plot.TickerFunc(logTicks)
	p.Add(&plotter.Grid{Horizontal: line(0.5, pale), Vertical: line(0.5, pale)})
	for i, curve := range c.Series {
		drawn, err := curve.line()
		if err != nil {
			return nil, fmt.Errorf("drawing %q, %s: %w", c.Title, curve.Name, err)
		}
		drawn.LineStyle = line(1.75, hue(i))
		p.Add(drawn)
		p.names = append(p.names, curve.Name)
	}
	p.X.Min = 0
	p.Y.Min, p.Y.Max = p.Y.Min/1.1, p.Y.Max*1.1
	return p.svg()
}

func (c *Curve) line() (*plotter.Line, error) {
	if len(c.Points) == 0 {
		return nil, errors.New("no points")
	}
	var points plotter.XYs
	for _, p := range c.Points {
		if p.Percentile < 0 || p.Percentile >= 100 || p.Milliseconds <= 0 {
			return nil, fmt.Errorf("%v ms at %v%% is not in the scales", p.Milliseconds, p.Percentile)
		}
		points = append(points, plotter.XY{X: nines(p.Percentile), Y: p.Milliseconds})
	}
	return plotter.NewLine(points)
}

// nines says how many nines a percentile has: 1 for 90, 3 for 99.9.
func nines(percentile float64) float64 { return -math.Log10(1 - percentile/100) }
