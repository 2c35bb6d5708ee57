package status

// UpstreamCounter is a count of an upstream.
type UpstreamCounter uint8

// The order is that of stats upstreams. The first, up to Refused, are summed up over all upstreams in stats.
const (
	Requests UpstreamCounter = iota
	Errors
	Timeouts
	Refused
	Outages
	Cleared
	Forgotten

	NumUpstreamCounters = iota
)

// UpstreamCounters says how each counter of an upstream is shown. Those that the page has under one name are added up
// there. The metrics have the labels pool and upstream besides.
var UpstreamCounters = [NumUpstreamCounters]Shown{
	Requests:  {"requests", "requests", "upstream_requests_total", Label{}, "Requests sent to the upstream, the proxy's own included."},
	Errors:    {"errors", failed, "upstream_failures_total", reason("error"), failures},
	Timeouts:  {"timeouts", failed, "upstream_failures_total", reason("timeout"), failures},
	Refused:   {"refused", failed, "upstream_failures_total", reason("refused"), failures},
	Outages:   {"outages", "", "upstream_outages_total", Label{}, "How often the upstream was down since memverbs was started, even if only for a moment."},
	Cleared:   {"keys_deleted", "", "upstream_outdated_keys_total", result("deleted"), outdatedKeys},
	Forgotten: {"keys_forgotten", "", "upstream_outdated_keys_total", result("forgotten"), outdatedKeys},
}

const (
	failed       = "failures"
	failures     = "Requests refused because the upstream was or went down, requests that timed out, and errors: error replies and lost connections."
	outdatedKeys = "Keys that were changed or deleted while the upstream was away, by what became of them: deleted there, or forgotten for lack of room."
)

// reason returns a label of that name.
func reason(value string) Label { return Label{"reason", value} }

// UpstreamCounts are the counts of an upstream on an event loop, or on several together.
type UpstreamCounts [NumUpstreamCounters]uint64

// Failures returns what the page has as failures.
func (c *UpstreamCounts) Failures() (sum uint64) {
	for i, n := range c {
		if UpstreamCounters[i].Page == failed {
			sum += n
		}
	}
	return sum
}
