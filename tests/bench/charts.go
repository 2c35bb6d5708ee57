//go:build linux

package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/memverbs/memverbs/tests/bench/plots"
)

// chartFolder is where the charts of a report are, beside it.
const chartFolder = "charts"

// chart is a drawing in the report.
type chart struct {
	name  string // of the file
	title string
	draw  func() ([]byte, error)
}

// reference is how the report shows the chart.
func (c chart) reference() string {
	return fmt.Sprintf("\n![%s](%s/%s.svg)\n", c.title, chartFolder, c.name)
}

// write draws the chart into the folder.
func (c chart) write(folder string) error {
	svg, err := c.draw()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, c.name+".svg"), svg, 0o644)
}

// charts are all those of a part.
func (p *part) charts() []chart {
	charts := p.barCharts()
	for _, c := range p.detailed() {
		charts = append(charts, c.latencies())
	}
	return charts
}

// barCharts compare the cells of a part.
func (p *part) barCharts() (charts []chart) {
	for _, column := range p.drawn {
		title := fmt.Sprintf("%s: %s, in parts of %s's", p.title, barTitles[column], p.cells[0].rivals[0])
		charts = append(charts, chart{p.name + "-" + barNames[column], title, func() ([]byte, error) {
			return relativeBars(title, p.cells, column).SVG()
		}})
	}
	return charts
}

// barNames are short names of the figures for files.
var barNames = [columns]string{requests: "requests", cpu: "cpu", p99: "p99", peak: "memory"}

// relativeBars shows a figure of all contestants under several loads. It is
// divided by the median of the first rival's, as loads differ a thousandfold.
func relativeBars(title string, cells []*cell, column column) *plots.Bars {
	bars := &plots.Bars{Title: title, Reference: 1}
	for _, name := range cells[0].names {
		bars.Series = append(bars.Series, plots.Series{Name: name})
	}
	for _, c := range cells {
		bars.Groups = append(bars.Groups, strings.Replace(c.name, "-", "\n", 1))
		unit := c.median(c.rivals[0], column)
		for i, name := range c.names {
			var bar plots.Bar // stays empty where there is nothing to divide by
			if unit > 0 {
				s := spreadOf(c.values(name, column))
				bar = plots.Bar{Median: s.median / unit, Min: s.least / unit, Max: s.most / unit}
			}
			bars.Series[i].Bars = append(bars.Series[i].Bars, bar)
		}
	}
	return bars
}

// latencies shows how the latencies of all rounds are distributed.
func (c *cell) latencies() chart {
	title := fmt.Sprintf("Latency, %s: %s", c.name, c.what)
	return chart{"latency-" + c.name, title, func() ([]byte, error) {
		curves := plots.Curves{Title: title}
		for _, name := range c.names {
			curves.Series = append(curves.Series, plots.Curve{Name: name, Points: percentiles(c.took[name])})
		}
		return curves.SVG()
	}}
}

// percentiles are points of a distribution, in equal steps of nines, up to where
// it is known from ten requests or so.
func percentiles(h *hdrhistogram.Histogram) (points []plots.Point) {
	const steps, enough = 20, 10
	for i := 0; ; i++ {
		rest := math.Pow(10, -float64(i)/steps) // the share that was slower
		if i > 0 && rest*float64(h.TotalCount()) < enough {
			return points
		}
		percentile := 100 * (1 - rest)
		points = append(points, plots.Point{Percentile: percentile, Milliseconds: float64(h.ValueAtPercentile(percentile)) / 1e6})
	}
}
