package operation

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// monitoring is where the rules and the dashboard are.
const monitoring = "../../cmd/memverbs/packaging/monitoring/"

// watched is a memverbs that a Prometheus scrapes.
type watched struct {
	*harness.Memverbs
	admin string // the URL of its admin server
}

func startWatched(t *testing.T, flags ...string) watched {
	t.Helper()
	m := harness.StartPlainMemverbs(t, append([]string{"--admin", "127.0.0.1:0"}, flags...)...)
	return watched{m, adminOf(m)}
}

// label is that of its metrics.
func (m watched) label() string {
	return fmt.Sprintf("instance=%q", strings.TrimPrefix(m.admin, "http://"))
}

// watch is a Prometheus with the rules that are shipped, but for how long an alert has to wait.
type watch struct {
	*prometheus
	fired []string // alerts so far
}

// startWatch starts a Prometheus that scrapes the proxies of each job.
func startWatch(t *testing.T, jobs map[string][]string) *watch {
	t.Helper()
	text, err := os.ReadFile(monitoring + "memverbs.rules.yml")
	if err != nil {
		t.Fatal(err)
	}
	rules := filepath.Join(t.TempDir(), "memverbs.rules.yml")
	if err := os.WriteFile(rules, regexp.MustCompile(`(?m)^    for: .*$`).ReplaceAll(text, []byte("    for: 0s")), 0o600); err != nil {
		t.Fatal(err)
	}
	return &watch{prometheus: startPrometheus(t, fmt.Sprintf("rule_files: [%s]\n", rules)+scraping(jobs))}
}

// firing returns the alerts that fire now and have these labels.
func (w *watch) firing(labels string) (names []string) {
	for name := range w.query(`ALERTS{alertstate="firing",`+labels+`}`, "alertname") {
		names = append(names, name)
	}
	return names
}

// await waits until an alert fires that has these labels.
func (w *watch) await(alert, labels string) {
	w.t.Helper()
	w.awaitWhile(alert, labels, func() {})
}

// awaitWhile is await for an alert of what happens again and again, which do does.
func (w *watch) awaitWhile(alert, labels string, do func()) {
	w.t.Helper()
	harness.Await(w.t, alert, func() bool {
		do()
		return slices.Contains(w.firing(labels), alert)
	})
	w.fired = append(w.fired, alert)
}

// checkRules sees that every alert has fired, and that those that still do say what happened.
func (w *watch) checkRules() {
	w.t.Helper()
	var all struct {
		Groups []struct {
			Rules []struct {
				Name   string
				Alerts []struct{ Annotations map[string]string }
			}
		}
	}
	if w.ask("rules", &all); len(all.Groups) != 1 {
		w.t.Fatalf("Prometheus has %d groups of rules", len(all.Groups))
	}
	for _, rule := range all.Groups[0].Rules {
		if !slices.Contains(w.fired, rule.Name) {
			w.t.Errorf("%s has not fired", rule.Name)
		}
		for _, alert := range rule.Alerts {
			for kind, text := range alert.Annotations {
				if strings.Contains(text, "<no value>") || strings.Contains(text, "error") || strings.Contains(text, "  ") {
					w.t.Errorf("the %s of %s is %q", kind, rule.Name, text)
				}
			}
		}
	}
}
