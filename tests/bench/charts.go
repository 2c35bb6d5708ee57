//go:build linux

package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
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
		title := fmt.Sprintf("%s: %s, in parts of %s's", p.title, barTitles[column], p.unitName())
		charts = append(charts, chart{p.name + "-" + barNames[column], title, func() ([]byte, error) {
			return p.relativeBars(title, column).SVG()
		}})
	}
	return charts
}

// barNames are short names of the figures for files.
var barNames = [columns]string{requests: "requests", cpu: "cpu", whole: "whole", p99: "p99", peak: "memory"}

// topRatio is where bars are cut off, so that one of them does not make all the
// others small.
const topRatio = 5

// relativeBars shows a figure of all contestants under several loads, divided by the
// median of one contestant, since the loads' figures differ a thousandfold.
func (p *part) relativeBars(title string, column column) *plots.Bars {
	bars := &plots.Bars{Title: title, Reference: 1, Top: topRatio}
	for _, c := range p.cells {
		bars.Groups = append(bars.Groups, strings.Replace(c.name, "-", "\n", 1))
	}
	unitName := p.unitName()
	for _, name := range p.contestants() {
		series := plots.Series{Name: name}
		for _, c := range p.cells {
			var bar plots.Bar // stays empty where there is nothing to show or to divide by
			if unit := c.median(unitName, column); unit > 0 && slices.Contains(c.names, name) {
				s := spreadOf(c.values(name, column))
				bar = plots.Bar{Median: s.median / unit, Min: s.least / unit, Max: s.most / unit}
			}
			series.Bars = append(series.Bars, bar)
		}
		bars.Series = append(bars.Series, series)
	}
	return bars
}

func (p *part) unitName() string {
	if p.unit != "" {
		return p.unit
	}
	return p.cells[0].rivals[0]
}

// contestants returns the names of all that take part in any cell.
func (p *part) contestants() (names []string) {
	for _, c := range p.cells {
		for _, name := range c.names {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
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

// percentiles are points of a distribution, in equal steps of nines, up to the last
// one that about ten requests are above.
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
