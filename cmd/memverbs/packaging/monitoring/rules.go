package main

import (
	"fmt"
	"strings"
)

// alert is something that an operator has to see to.
type alert struct {
	name       string
	expression string
	lasting    string // for how long the expression must hold
	severity   severity
	summary    string // what has happened to what, in some words
	happened   string // the same in a sentence or two
	remedy     string // what to do; it names no labels, since the documentation has it too
}

// severity says how soon.
type severity string

const (
	critical severity = "critical" // clients are refused, or get wrong answers
	warning  severity = "warning"  // there is time, but not for ever
)

// rulesText returns the file with the rules.
func rulesText(alerts []alert, known metrics) (string, error) {
	var text strings.Builder
	text.WriteString("# Alerts of memverbs for Prometheus. README.md tells what each means.\ngroups:\n- name: memverbs\n  rules:\n")
	for _, a := range alerts {
		if _, err := known.metricsIn(a.expression); err != nil {
			return "", fmt.Errorf("%s: %w", a.name, err)
		}
		fmt.Fprintf(&text, "  - alert: %s\n    expr: %s\n    for: %s\n    labels:\n      severity: %s\n", a.name, quoted(a.expression), a.lasting, a.severity)
		fmt.Fprintf(&text, "    annotations:\n      summary: %s\n      description: %s\n", quoted(a.summary), quoted(a.happened+" "+a.remedy))
	}
	return text.String(), nil
}

// quoted returns a string as YAML has it between single quotes, which needs no escapes.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
