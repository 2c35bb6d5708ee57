// Package admin is the proxy's HTTP server for operators and Prometheus.
//
//	/             a page that shows what the proxy does, moving
//	/status.json  what the page shows, as JSON
//	/metrics      the same and more, for Prometheus
//	/healthz      200 if the event loops answer, otherwise 503
//	/readyz       200 if the proxy should get clients, otherwise 503 and the reason
//	/-/reload     reads the settings again if something is posted to it; 500 if they are wrong
//
// But for the last, no request changes anything. Requests are refused if a browser may have been led
// to this server by a name that another site has made up (hosts.go). It is not meant for the public, as it has no
// passwords and no TLS, but is prepared for clients that mean no good: requests, connections
// and times are limited, those who send nothing make room for others (visitors.go), and several
// requests at a time share one look at the proxy (looker.go), so that no number of them slows it
// down. Keys may be any bytes that clients have
// made up. They are escaped in JSON, and the page never takes text for HTML.
package admin
