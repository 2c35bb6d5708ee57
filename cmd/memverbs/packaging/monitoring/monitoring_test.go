package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The files are what the declarations of metrics make them.
func TestFilesAreUpToDate(t *testing.T) {
	t.Parallel()
	made, err := files()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range made {
		if text, err := os.ReadFile(name); err != nil || string(text) != want {
			t.Errorf("%s is out of date (%v): run \"go generate ./cmd/memverbs/packaging/monitoring\"", name, err)
		}
	}
}

// No metric can be named that is not declared.
func TestUnknownMetricsAreRefused(t *testing.T) {
	t.Parallel()
	known := declared()
	for _, expression := range []string{"memverbs_readi == 0", "rate(memverbs_ready_bucket_total[1m])", `memverbs_ready + memverbs_requests{pool="x"}`} {
		if _, err := rulesText([]alert{{expression: expression}}, known); err == nil {
			t.Errorf("an alert may ask for %s", expression)
		}
		if _, err := dashboardText([]row{{"", []panel{{shows: []query{{expression: expression}}}}}}, known); err == nil {
			t.Errorf("a panel may ask for %s", expression)
		}
	}
}

// What is chosen at the top of the dashboard is asked for in every expression, of pools where they are told apart.
func TestExpressionsAskForWhatIsChosen(t *testing.T) {
	t.Parallel()
	const process = `job=~"$job",instance=~"$instance"`
	for expression, want := range map[string]string{
		"sum(memverbs_ready)":                                "sum(memverbs_ready{" + process + "})",
		"rate(process_cpu_seconds_total[1m])":                "rate(process_cpu_seconds_total{" + process + "}[1m])",
		`memverbs_near_gets_total{result="hit"}`:             `memverbs_near_gets_total{` + process + `,pool=~"$pool",result="hit"}`,
		"rate(memverbs_command_duration_seconds_bucket[1m])": "rate(memverbs_command_duration_seconds_bucket{" + process + `,pool=~"$pool"}[1m])`,
	} {
		if got := declared().selecting(expression); got != want {
			t.Errorf("%s becomes %s, expected %s", expression, got, want)
		}
	}
}

// Every metric has its place on the dashboard.
func TestDashboardShowsEveryMetric(t *testing.T) {
	t.Parallel()
	known := declared()
	shown := map[string]bool{}
	for _, r := range rows {
		for _, p := range r.panels {
			for _, q := range p.shows {
				list, err := known.metricsIn(q.expression)
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range list {
					shown[m.Name] = true
				}
			}
		}
	}
	if len(known) < 40 {
		t.Errorf("only %d metrics are declared", len(known))
	}
	for name := range known {
		if !shown[name] {
			t.Errorf("no panel shows %s", name)
		}
	}
}

// README.md has a table of the alerts.
func TestDocumentedAlerts(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	for _, a := range alerts {
		table.WriteString(rowOf(a))
	}
	if !strings.Contains(string(text), "\n"+table.String()+"\n") {
		t.Errorf("README.md does not have these rows:\n%s", table.String())
	}
}

// rowOf returns the row of the documentation for an alert.
func rowOf(a alert) string {
	return fmt.Sprintf("| `%s` | `%s` | %s | %s | %s |\n", a.name, a.expression, a.lasting, a.severity, a.remedy)
}
