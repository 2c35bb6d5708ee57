package main

import (
	"fmt"
	"strings"

	"github.com/memverbs/memverbs/proxy/admin"
)

// metrics has what is declared of each metric, by its name.
type metrics map[string]admin.Metric

func declared() metrics {
	known := metrics{}
	for _, m := range admin.Metrics() {
		known[m.Name] = m
	}
	return known
}

// of returns the metric to which a series of that name belongs: a histogram has several.
func (known metrics) of(series string) (admin.Metric, error) {
	for _, part := range []string{"", "_bucket", "_sum", "_count"} {
		if m, ok := known[strings.TrimSuffix(series, part)]; ok {
			return m, nil
		}
	}
	return admin.Metric{}, fmt.Errorf("no metric %s is declared", series)
}
