package admin

import "slices"

// Metric is what is declared of a metric.
type Metric struct {
	Name   string // in full, such as memverbs_ready
	Help   string
	Labels []string
}

// declared has all metrics, in the order of their declarations.
var declared []Metric

// declare adds a metric, unless it is there: counters that differ by a label are one metric.
func declare(m Metric) {
	if !slices.ContainsFunc(declared, func(other Metric) bool { return other.Name == m.Name }) {
		declared = append(declared, m)
	}
}

// Metrics returns what memverbs tells Prometheus of itself. Metrics of Go and of the process, which all programs have, are
// not among them.
func Metrics() []Metric { return slices.Clone(declared) }
