package main

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// object is an object of JSON.
type object = map[string]any

// What every Grafana has in common, and how large panels are. A dashboard is 24 columns wide.
const (
	// schemaVersion is that of Grafana 9.0: later ones convert what is older than they are, earlier ones nothing that is newer.
	schemaVersion = 36

	columns      = 24
	numberWidth  = 4
	numberHeight = 4
	chartWidth   = 8
	chartHeight  = 8
)

// source is the Prometheus that is chosen at the top of the dashboard.
var source = object{"type": "prometheus", "uid": "${datasource}"}

// dashboardText returns the file with the dashboard.
func dashboardText(rows []row, known metrics) (string, error) {
	l := layout{known: known}
	for _, r := range rows {
		if err := l.add(r); err != nil {
			return "", err
		}
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(object{
		"uid": "memverbs", "title": "memverbs", "tags": []string{"memcached"}, "schemaVersion": schemaVersion, "editable": true,
		"time": object{"from": "now-1h", "to": "now"}, "refresh": "10s", "graphTooltip": 1,
		"templating":  object{"list": variables()},
		"annotations": object{"list": []object{firingAlerts()}},
		"panels":      l.panels,
	})
	return text.String(), err
}

// variables are what is chosen at the top of the dashboard.
func variables() []object {
	return []object{
		{"name": "datasource", "label": "data source", "type": "datasource", "query": "prometheus"},
		choice("job", "label_values(memverbs_build_info, job)"),
		choice("instance", `label_values(memverbs_build_info{job=~"$job"}, instance)`),
		choice("pool", `label_values(memverbs_config_info{job=~"$job",instance=~"$instance"}, pool)`),
	}
}

// choice is a variable of which several values may be chosen, at first all.
func choice(name, of string) object {
	return object{
		"name": name, "label": name, "type": "query", "datasource": source, "query": object{"query": of, "refId": name}, "definition": of,
		"refresh": 2, "sort": 1, "multi": true, "includeAll": true, "allValue": ".*", "current": object{"text": "All", "value": "$__all"},
	}
}

// firingAlerts marks in all charts when an alert was firing.
func firingAlerts() object {
	return object{
		"name": "alerts", "datasource": source, "enable": true, "iconColor": "red", "step": "60s",
		"expr": `ALERTS{alertname=~"Memverbs.*",alertstate="firing",job=~"$job"}`, "titleFormat": "{{alertname}}", "textFormat": "{{instance}} {{pool}} {{upstream}}",
	}
}

// layout places panels from left to right and from the top down.
type layout struct {
	known  metrics
	panels []object
	x, y   int // where the next one begins
	height int // of those in the present line
}

func (l *layout) add(r row) error {
	l.line()
	l.place(object{"type": "row", "title": r.title, "collapsed": false, "panels": []object{}}, columns, 1)
	for _, p := range r.panels {
		made, err := p.object(l.known)
		if err != nil {
			return err
		}
		if p.form == number {
			l.place(made, numberWidth, numberHeight)
		} else {
			l.place(made, chartWidth, chartHeight)
		}
	}
	return nil
}

// place puts a panel beside the last one, or below where there is no room.
func (l *layout) place(p object, width, height int) {
	if l.x+width > columns {
		l.line()
	}
	p["id"] = len(l.panels) + 1
	p["gridPos"] = object{"x": l.x, "y": l.y, "w": width, "h": height}
	l.panels = append(l.panels, p)
	l.x += width
	l.height = max(l.height, height)
}

// line begins a new line.
func (l *layout) line() {
	l.y += l.height
	l.x, l.height = 0, 0
}

// object returns a panel as Grafana has it, without its place.
func (p *panel) object(known metrics) (object, error) {
	description, err := p.description(known)
	if err != nil {
		return nil, err
	}
	var targets []object
	for i, q := range p.shows {
		targets = append(targets, object{
			"refId": fmt.Sprintf("%c", 'A'+i), "datasource": source, "expr": known.selecting(q.expression), "legendFormat": q.legend,
			"range": p.form == chart, "instant": p.form == number,
		})
	}
	made := object{
		"type": string(p.form), "title": p.title, "description": description, "datasource": source, "targets": targets,
		"fieldConfig": object{"defaults": object{"unit": p.unit, "min": 0}, "overrides": []object{}},
	}
	if p.form == chart {
		made["options"] = object{"tooltip": object{"mode": "multi", "sort": "desc"}, "legend": object{"displayMode": "list", "placement": "bottom", "showLegend": true, "calcs": []string{}}}
	}
	return made, nil
}
