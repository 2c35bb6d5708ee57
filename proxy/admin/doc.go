// Package admin is the proxy's HTTP server for operators and Prometheus.
//
//	/             a page that shows what the proxy does, updated live
//	/status.json  what the page shows, as JSON
//	/metrics      the same and more, for Prometheus
//	/healthz      200 if the event loops answer, otherwise 503
//	/readyz       200 if the proxy should get clients, otherwise 503 and the reason
//	/-/reload     reads the settings again if something is posted to it; 500 if they are wrong
//
// Only the last request changes anything. To prevent DNS rebinding, requests are refused if a browser may have
// reached this server by another site's host name (hosts.go). The server has no passwords and no TLS, so it is
// not meant for the public, but it withstands hostile clients: requests, connections and times are limited, idle
// connections are closed in favour of new ones (visitors.go), and concurrent requests share one snapshot of the
// proxy (looker.go), so that no number of them slows it down. Keys may be any bytes that clients have made up.
// They are escaped in JSON, and the page never takes text for HTML.
//
// # Files, from the top down
//
//	httpserver.go     the server
//	hosts.go          requests for other hosts, which are refused
//	visitors.go       its connections
//	handler.go        what is answered under which path
//	reloadrequest.go  reading the settings again
//	metrics.go        metrics for Prometheus
//	declared.go       what is declared of them
//	recorder.go       the history of the last hour
//	json.go page.go   the JSON that the page reads; the page
//	troubles.go       what an operator should know first
//	looker.go         snapshots of the proxy
package admin
