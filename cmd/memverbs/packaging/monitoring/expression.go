package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/memverbs/memverbs/proxy/admin"
)

// series matches the name of a series of memverbs, or of its process, and what is between the braces after it.
var series = regexp.MustCompile(`\b((?:memverbs|process)_\w+)(?:\{([^}]*)\})?`)

// isOfProcess reports whether a series is one that programs of any kind have.
func isOfProcess(name string) bool { return strings.HasPrefix(name, "process_") }

// metricsIn returns the metrics of memverbs that an expression asks for, each once.
func (known metrics) metricsIn(expression string) (list []admin.Metric, err error) {
	for _, found := range series.FindAllStringSubmatch(expression, -1) {
		if isOfProcess(found[1]) {
			continue
		}
		m, err := known.of(found[1])
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(list, func(other admin.Metric) bool { return other.Name == m.Name }) {
			list = append(list, m)
		}
	}
	return list, nil
}

// selecting returns the expression for what is chosen at the top of the dashboard: some of the proxies, and of the pools
// where the series has that label.
func (known metrics) selecting(expression string) string {
	return series.ReplaceAllStringFunc(expression, func(one string) string {
		found := series.FindStringSubmatch(one)
		matchers := []string{`job=~"$job"`, `instance=~"$instance"`}
		if m, err := known.of(found[1]); err == nil && slices.Contains(m.Labels, "pool") {
			matchers = append(matchers, `pool=~"$pool"`)
		}
		if found[2] != "" {
			matchers = append(matchers, found[2])
		}
		return found[1] + "{" + strings.Join(matchers, ",") + "}"
	})
}
