package status

// A counter is declared only here, in the table of its kind: stats, the metrics and the status page take it from there.

// Shown says how a counter is shown.
type Shown struct {
	Stat   string // its name in stats; "" if it is not there
	Page   string // its name in what the status page reads; "" if it is not there
	Metric string // its name among the metrics, without what they all begin with; "" if it is not there
	Label  Label  // of the metric; the zero value if it has none besides those of its kind
	Help   string // what the metric counts
}

// Label is a label by which counters that are one metric differ.
type Label struct{ Name, Value string }

// result returns a label of that name.
func result(value string) Label { return Label{"result", value} }

// Add adds other counts of the same kind to those in to.
func Add(to, other []uint64) {
	for i, n := range other {
		to[i] += n
	}
}

// Counter is a count of the whole proxy.
type Counter uint8

// The order is that of stats.
const (
	Accepted Counter = iota
	Rejected
	Unaccepted
	Authentications
	AuthErrors
	CutOff
	GivenUp
	LogLost
	Received
	Sent
	RefusedKeys
	ClientErrors
	ServerErrors
	FullHandshakes
	ResumedHandshakes
	FailedHandshakes

	NumCounters = iota
)

// Counters says how each counter of the whole proxy is shown. The page has them among the connections.
var Counters = [NumCounters]Shown{
	Accepted:          {"total_connections", "accepted", "connections_accepted_total", Label{}, "Clients' connections accepted."},
	Rejected:          {"rejected_connections", "rejected", "connections_rejected_total", Label{}, "Clients' connections rejected because of the limit."},
	Unaccepted:        {Stat: "listen_disabled_num"}, // failed attempts to accept a client
	Authentications:   {"auth_cmds", "authentications", "authentications_total", Label{}, "Clients' attempts to authenticate."},
	AuthErrors:        {"auth_errors", "authErrors", "authentication_failures_total", Label{}, "Attempts to authenticate that were refused."},
	CutOff:            {"clients_cut_off", "cutOff", "connections_cut_off_total", Label{}, "Clients disconnected for lack of memory."},
	GivenUp:           {"requests_given_up", "", "requests_given_up_total", Label{}, "Requests refused because incomplete requests took too much memory."},
	LogLost:           {"log_lines_lost", "", "log_lines_lost_total", Label{}, "Lines of the log that were lost because it was not read in time."},
	Received:          {"bytes_read", "", "received_bytes_total", Label{}, "Bytes received from clients."},
	Sent:              {"bytes_written", "", "sent_bytes_total", Label{}, "Bytes sent to clients."},
	RefusedKeys:       {"verb_keys_refused", "", "verb_keys_refused_total", Label{}, "Keys that name verbs and were refused."},
	ClientErrors:      {Stat: "client_errors"}, // ERROR and CLIENT_ERROR
	ServerErrors:      {Stat: "server_errors"}, // SERVER_ERROR
	FullHandshakes:    {"tls_handshakes", "", "tls_handshakes_total", result("full"), handshakes},
	ResumedHandshakes: {"tls_handshakes_resumed", "", "tls_handshakes_total", result("resumed"), handshakes},
	FailedHandshakes:  {"tls_handshakes_failed", "", "tls_handshakes_total", result("failed"), handshakes},
}

const handshakes = "TLS handshakes with clients, by result: full ones began a session, resumed ones went on with an earlier one."

// Counts are the counts of an event loop, or of several together.
type Counts [NumCounters]uint64
