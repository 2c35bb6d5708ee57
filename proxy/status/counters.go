package status

// Counter is a count of the whole proxy. It is declared only here: stats, the metrics and the status page take
// it from [Counters].
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

// Counters says how each counter is shown.
var Counters = [NumCounters]struct {
	Stat   string // its name in stats
	Page   string // its name in what the status page reads, among the connections; "" if it is not there
	Metric string // its name among the metrics, without what they all begin with; "" if it is not there
	Result string // the metric's label of that name; "" if it has none
	Help   string // what the metric counts
}{
	Accepted:          {"total_connections", "accepted", "connections_accepted_total", "", "Clients' connections accepted."},
	Rejected:          {"rejected_connections", "rejected", "connections_rejected_total", "", "Clients' connections rejected because of the limit."},
	Unaccepted:        {Stat: "listen_disabled_num"}, // failed attempts to accept a client
	Authentications:   {"auth_cmds", "authentications", "authentications_total", "", "Clients' attempts to authenticate."},
	AuthErrors:        {"auth_errors", "authErrors", "authentication_failures_total", "", "Attempts to authenticate that were refused."},
	CutOff:            {"clients_cut_off", "cutOff", "connections_cut_off_total", "", "Clients disconnected for lack of memory."},
	GivenUp:           {"requests_given_up", "", "requests_given_up_total", "", "Requests refused because incomplete requests took too much memory."},
	LogLost:           {"log_lines_lost", "", "log_lines_lost_total", "", "Lines of the log that were lost because it was not read in time."},
	Received:          {"bytes_read", "", "received_bytes_total", "", "Bytes received from clients."},
	Sent:              {"bytes_written", "", "sent_bytes_total", "", "Bytes sent to clients."},
	RefusedKeys:       {"verb_keys_refused", "", "verb_keys_refused_total", "", "Keys that name verbs and were refused."},
	ClientErrors:      {Stat: "client_errors"}, // ERROR and CLIENT_ERROR
	ServerErrors:      {Stat: "server_errors"}, // SERVER_ERROR
	FullHandshakes:    {"tls_handshakes", "", "tls_handshakes_total", "full", handshakes},
	ResumedHandshakes: {"tls_handshakes_resumed", "", "tls_handshakes_total", "resumed", handshakes},
	FailedHandshakes:  {"tls_handshakes_failed", "", "tls_handshakes_total", "failed", handshakes},
}

const handshakes = "TLS handshakes with clients, by result: full ones began a session, resumed ones went on with an earlier one."

// Counts are the counts of an event loop, or of several together.
type Counts [NumCounters]uint64

// Add adds the counts of another loop.
func (c *Counts) Add(other *Counts) {
	for i := range c {
		c[i] += other[i]
	}
}
