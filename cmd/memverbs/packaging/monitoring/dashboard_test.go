package main

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// board is what a test reads of the dashboard's file, by Grafana's names.
type board struct {
	Panels      []boardPanel
	Templating  struct{ List []boardVariable }
	Annotations struct{ List []struct{ Name, Expr string } }
}

type boardVariable struct{ Name, Type, Definition string }

type boardPanel struct {
	ID                       int
	Type, Title, Description string
	GridPos                  place
	Datasource               struct{ Type, UID string }
	Targets                  []struct{ RefID, Expr, LegendFormat string }
	FieldConfig              struct{ Defaults struct{ Unit string } }
}

// place is a rectangle on the dashboard.
type place struct{ X, Y, W, H int }

func (p place) overlaps(other place) bool {
	return p.X < other.X+other.W && other.X < p.X+p.W && p.Y < other.Y+other.H && other.Y < p.Y+p.H
}

func readBoard(t *testing.T) (b board) {
	t.Helper()
	text, err := os.ReadFile(dashboardFile)
	if err == nil {
		err = json.Unmarshal(text, &b)
	}
	if err != nil || len(b.Panels) < 40 {
		t.Fatalf("%d panels, %v", len(b.Panels), err)
	}
	return b
}

// No panel lies on another one, or beside the dashboard, and each has what Grafana's model of a panel asks for.
func TestPanelsHaveTheirPlaces(t *testing.T) {
	t.Parallel()
	panels := readBoard(t).Panels
	for i, p := range panels {
		at := p.GridPos
		if at.X < 0 || at.Y < 0 || at.W < 1 || at.H < 1 || at.X+at.W > columns {
			t.Errorf("%q is at %+v", p.Title, at)
		}
		for _, other := range panels[:i] {
			if at.overlaps(other.GridPos) || p.ID == other.ID {
				t.Errorf("%q, number %d at %+v, and %q, number %d at %+v", p.Title, p.ID, at, other.Title, other.ID, other.GridPos)
			}
		}
		if p.Type == "row" {
			if at.W != columns || at.H != 1 || len(p.Targets) > 0 {
				t.Errorf("the row %q: %+v", p.Title, p)
			}
			continue
		}
		if p.Type != string(chart) && p.Type != string(number) || p.Title == "" || p.Description == "" || p.Datasource.UID != "${datasource}" || len(p.Targets) == 0 {
			t.Errorf("the panel %q: %+v", p.Title, p)
		}
		for n, target := range p.Targets {
			if target.RefID != string(rune('A'+n)) || target.Expr == "" || target.LegendFormat == "" {
				t.Errorf("the panel %q: %+v", p.Title, target)
			}
		}
	}
}

// Every variable is used, and those that are used are there: those of Grafana itself, and those at the top of the dashboard, each after
// those that it uses itself.
func TestVariablesAreDefinedAndUsed(t *testing.T) {
	t.Parallel()
	b := readBoard(t)
	used := regexp.MustCompile(`\$\{?(\w+)`)
	known := []string{"__rate_interval"}
	asked := map[string]bool{"datasource": true} // by every panel, see above
	see := func(expression string) {
		for _, found := range used.FindAllStringSubmatch(expression, -1) {
			asked[found[1]] = true
			if !slices.Contains(known, found[1]) {
				t.Errorf("$%s is not there: %s", found[1], expression)
			}
		}
	}
	for _, v := range b.Templating.List {
		see(v.Definition)
		known = append(known, v.Name)
	}
	for _, p := range b.Panels {
		for _, target := range p.Targets {
			see(target.Expr)
		}
	}
	for _, a := range b.Annotations.List {
		see(a.Expr)
	}
	for _, name := range known {
		if !asked[name] {
			t.Errorf("$%s is never used", name)
		}
	}
}

// share is the form of a ratio of two rates.
var share = regexp.MustCompile(`rate\((\w+)\{.* / .*rate\((\w+)\{`)

// units has what an expression is told in, by the form of the expression. The first that fits is right.
var units = []struct {
	form  *regexp.Regexp
	units []string
}{
	{regexp.MustCompile(`^histogram_quantile\(.*_seconds_bucket`), []string{"s"}},
	{regexp.MustCompile(`rate\(\w+_seconds_total.* / `), []string{"s"}}, // time divided by the number
	{share, []string{"percentunit", "short"}},                           // see TestShares
	{regexp.MustCompile(`rate\(\w+_bytes_total`), []string{"Bps"}},
	{regexp.MustCompile(`rate\(\w+_cpu_seconds_total`), []string{"short"}}, // seconds of each second
	{regexp.MustCompile(`rate\(`), []string{"reqps", "ops", "cps"}},
	{regexp.MustCompile(`^(time\(\) - \w+_timestamp_seconds|[\w ()]*_seconds)\b`), []string{"s"}},
	{regexp.MustCompile(`^[\w ()]*_bytes\b`), []string{"bytes"}},
	{regexp.MustCompile(``), []string{"short"}},
}

// A panel's unit is that of what it shows. Grafana takes a unit that it does not know for a text to be put behind the number.
func TestUnits(t *testing.T) {
	t.Parallel()
	for _, p := range readBoard(t).Panels {
		for _, target := range p.Targets {
			for _, u := range units {
				if !u.form.MatchString(target.Expr) {
					continue
				}
				if unit := p.FieldConfig.Defaults.Unit; !slices.Contains(u.units, unit) {
					t.Errorf("%q has the unit %s, expected %s: %s", p.Title, unit, strings.Join(u.units, " or "), target.Expr)
				}
				break
			}
		}
	}
}

// A share of requests is told as a percentage: what is counted is a part of what it is divided by.
func TestShares(t *testing.T) {
	t.Parallel()
	for _, p := range readBoard(t).Panels {
		for _, target := range p.Targets {
			found := share.FindStringSubmatch(target.Expr)
			if found != nil && (found[1] == found[2]) != (p.FieldConfig.Defaults.Unit == "percentunit") {
				t.Errorf("%q has the unit %s: %s", p.Title, p.FieldConfig.Defaults.Unit, target.Expr)
			}
		}
	}
}
