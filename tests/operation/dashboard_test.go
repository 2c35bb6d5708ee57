package operation

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// dashboard is what a test reads of the file.
type dashboard struct {
	Panels []struct {
		Title   string
		Targets []struct{ Expr, LegendFormat string }
	}
}

// variables are replaced as Grafana does while everything is chosen.
var variables = strings.NewReplacer("$job", ".*", "$instance", ".*", "$pool", ".*", "$__rate_interval", "1m")

var inLegend = regexp.MustCompile(`{{(\w+)}}`)

// checkDashboard sees that every expression of the dashboard gives series, and that these have the labels by which
// it calls them.
func checkDashboard(t *testing.T, p *prometheus) {
	t.Helper()
	text, err := os.ReadFile(monitoring + "memverbs.dashboard.json")
	var d dashboard
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, panel := range d.Panels {
		for _, target := range panel.Targets {
			asked++
			var labels []string
			for _, label := range inLegend.FindAllStringSubmatch(target.LegendFormat, -1) {
				labels = append(labels, label[1])
			}
			found := p.query(variables.Replace(target.Expr), labels...)
			if len(found) == 0 {
				t.Errorf("the panel %q shows nothing: %s", panel.Title, target.Expr)
			}
			for name := range found {
				if len(strings.Fields(name)) < len(labels) {
					t.Errorf("the panel %q calls a series %q by the labels %q", panel.Title, name, labels)
				}
			}
		}
	}
	if asked < 40 {
		t.Errorf("the dashboard asks for %d things", asked)
	}
}
