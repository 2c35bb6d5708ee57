// Package status has the state of a proxy at a moment, as plain values: [Snapshot]. Package proxy
// gathers it from the event loops, and package admin shows it.
package status

import (
	"time"

	"github.com/memverbs/memverbs/proxy/hotkeys"
	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/slow"
)

// Snapshot is the state of a proxy. Counts are since the start, or since stats reset.
type Snapshot struct {
	Version string
	Started time.Time
	Taken   time.Time // when this was gathered
	// Unready says why the proxy should get no clients; it is empty if it should.
	Unready string
	Reload  Reload
	// Certificates are the proxy's certificates, for clients and for servers.
	Certificates []Certificate
	Pools        []Pool

	Counts      Counts
	Connections Connections
	Memory      Memory
	ReadCache   ReadCache
	Slow        Slow
}

// Reload is the outcome of the last time that the settings were read.
type Reload struct {
	Failed    bool
	Succeeded time.Time // when they were last read and used
}

// Certificate is when the certificate in a file expires.
type Certificate struct {
	File string
	Ends time.Time
}

// Connections are clients' connections.
type Connections struct{ Current, Limit int }

// Memory is the memory for requests and replies in flight and the work of verbs, in bytes.
type Memory struct {
	Used  int64 `json:"used"`
	Limit int64 `json:"limit"`
}

// ReadCache is the cache of structures.
type ReadCache struct {
	Structures int    `json:"structures"`
	Bytes      int64  `json:"bytes"`
	Limit      int64  `json:"limit"`
	Hits       uint64 `json:"hits"`     // how often one was unchanged
	Outdated   uint64 `json:"outdated"` // how often one was changed
	TooLarge   uint64 `json:"tooLarge"` // how often one was read that is too large to be cached
}

// Slow is the slow requests.
type Slow struct {
	Threshold time.Duration // from which a request is slow; 0 if none ever is
	Count     uint64
	Latest    []slow.Request // the latest first
}

// Pool is a pool of upstreams.
type Pool struct {
	Name string
	// Fingerprint is a digest of everything that all proxies in front of the pool must agree on:
	// proxies with different ones place keys, or store structures, differently.
	Fingerprint string
	Commands    []Command // those that were used
	Keys        []Keys
	Upstreams   []Upstream
	Verbs       []Verb            // those that were used
	Lost        map[string]uint64 // structures that lost a part by eviction, by kind
	Waiting     int               // calls that wait until there is something for them
	Counts      PoolCounts
	Hot         hotkeys.Counts
	Near        Near
	Held        int // gets that wait until another client stores what they miss
	Servers     Servers
	// OnDown is what clients get for the keys of an upstream that is down.
	OnDown string
	// Settings are those that change what clients get, if they are set.
	Settings []Setting
}

// Setting is a setting, as an operator writes it.
type Setting struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Gets returns how many keys of gets were found, and how many were not.
func (p *Pool) Gets() (hits, misses uint64) {
	for _, k := range p.Keys {
		if k.Operation == "get" {
			return k.Hits, k.Misses
		}
	}
	return 0, 0
}

// Servers is what is known of the list of a pool's servers.
type Servers struct {
	Source   string        // what lists them; empty if the settings do
	Answered time.Time     // when that gave the last good answer
	Error    string        // why its last answer was not good; empty if it was
	Refused  bool          // verbs are refused until it gives a good one
	Settles  time.Duration // for how long verbs are refused on keys that a change of the list has moved; 0 if they are not
	Move     Move
}

// Move is how far plain keys have moved to other servers.
type Move struct {
	Phase   string    // empty if none move
	Began   time.Time // zero if none move
	Servers int       // that have to be swept
	Unswept int       // those of them that are not yet
	Waits   bool      // the servers have changed again, and that change waits
}

// Near is what the process keeps of values of items.
type Near struct {
	Values int   `json:"values"`
	Bytes  int64 `json:"bytes"`
}

// Command is the requests of one command.
type Command struct {
	Name    string
	Results Results
	// Latency is how long requests took until the reply was ready to be sent: an error may be quick because nothing
	// was done.
	Latency [NumReplied]latency.Histogram
}

// Ending is how a request ended.
type Ending uint8

// The endings with a reply come first.
const (
	OK Ending = iota
	ClientError
	ServerError
	NoReply   // the client wanted no reply
	Abandoned // the client was gone before its reply

	NumReplied = NoReply
	NumEndings = Abandoned + 1
)

var endings = [NumEndings]string{"ok", "client_error", "server_error", "no_reply", "abandoned"}

func (e Ending) String() string { return endings[e] }

// Results count how requests ended.
type Results [NumEndings]uint64

// Sum returns the number of all requests.
func (r *Results) Sum() (sum uint64) {
	for _, n := range r {
		sum += n
	}
	return sum
}

// Keys is the outcome of one operation for each key, as memcached counts.
type Keys struct {
	Operation    string
	Hits, Misses uint64
}

// Upstream is a memcached server.
type Upstream struct {
	Name     string
	State    string    // up, down or connecting
	Reason   string    // why it is down
	Since    time.Time // when the outage began; zero if there is none
	Unserved uint64    // requests in this outage that it has not answered
	Version  string
	Counts   UpstreamCounts
	Pending  int // requests in flight
	Outdated int // keys that are remembered because they were changed or deleted while it was away
	Latency  latency.Histogram
}

// Verb is the work of one verb.
type Verb struct {
	Name       string
	Calls      uint64 // those that ordinary commands carried included
	RoundTrips uint64
}
