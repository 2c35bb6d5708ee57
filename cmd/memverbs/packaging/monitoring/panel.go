package main

import (
	"fmt"
	"strings"
)

// row is a row of the dashboard: a title, and the panels below it.
type row struct {
	title  string
	panels []panel
}

// panel is a chart, or a number.
type panel struct {
	form   form
	title  string
	unit   string // as Grafana names it
	shows  []query
	remark string // what the help of the metrics does not tell
}

// form is how a panel shows values.
type form string

const (
	chart  form = "timeseries"
	number form = "stat" // the present value
)

// query is an expression, and how the series that it gives are called: labels of theirs are in double braces.
type query struct{ expression, legend string }

// description tells what a panel shows by the help of the metrics in it.
func (p *panel) description(known metrics) (string, error) {
	var told []string
	if p.remark != "" {
		told = append(told, p.remark)
	}
	for _, q := range p.shows {
		list, err := known.metricsIn(q.expression)
		if err != nil {
			return "", fmt.Errorf("%s: %w", p.title, err)
		}
		for _, m := range list {
			if text := m.Name + ": " + m.Help; len(told) == 0 || !strings.Contains(strings.Join(told, "\n"), text) {
				told = append(told, text)
			}
		}
	}
	return strings.Join(told, "\n\n"), nil
}
