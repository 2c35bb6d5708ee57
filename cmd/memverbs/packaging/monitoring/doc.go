// Monitoring writes the rules for Prometheus and the dashboard for Grafana beside it:
//
//	go generate ./cmd/memverbs/packaging/monitoring
//
// What they say of metrics is made of the declarations of these in package admin: a name that is declared nowhere is a
// mistake, and what a panel shows is told by the metrics' own help.
//
// # Files, from the top down
//
//	main.go                  writes both files
//	alerts.go rules.go       the alerts; the form of the rules
//	panels.go                the panels
//	dashboard.go panel.go    the form of the dashboard; what a panel shows
//	expression.go metrics.go what is asked of Prometheus; the declarations
package main
