// Package slow reports requests that took long: in the log, rate-limited, and as a list of the
// latest ones.
package slow

import (
	"cmp"
	"fmt"
	"log/slog"
	"slices"
	"time"
)

// Request is a request that took long.
type Request struct {
	At       time.Time // when it was answered
	Pool     string
	Command  string
	Key      string // its first key, as [Printable] returns it
	Upstream string // of which it waited for longest; empty for none
	// RoundTrips to the upstreams, one after another.
	RoundTrips int
	// Took is the time from when the proxy had taken it from its client's connection until its
	// reply was ready to be sent. It is the sum of the following times.
	Took time.Duration
	// Queued is the time until it was begun, because of the limits of what may be in flight, or
	// of earlier requests of the same client.
	Queued time.Duration
	// Upstreams is the time in which it waited for upstreams.
	Upstreams time.Duration
	// Proxy is the other time: the work of a verb, and its waiting for memory or other verbs.
	Proxy time.Duration
	// InOrder is the time for which its reply waited for replies to earlier requests.
	InOrder time.Duration
}

// Kept is how many requests a log keeps for its list.
const Kept = 16

// pause is the least time between two lines of a log.
const pause = time.Second

// Log is the slow requests of one event loop. It is not safe for concurrent use.
type Log struct {
	To    *slog.Logger
	Count uint64 // of all so far

	latest [Kept]Request // a ring; the next one's place is noted % Kept
	noted  int
	logged time.Time
	more   uint64 // not logged since the last line
}

// Note adds a request to the list. It is logged unless a line was logged within the last second;
// the next line says how many were left out.
func (l *Log) Note(r Request) {
	l.Count++
	l.latest[l.noted%Kept] = r
	l.noted++
	if r.At.Sub(l.logged) < pause {
		l.more++
		return
	}
	l.To.Warn("slow request", "pool", r.Pool, "command", r.Command, "key", r.Key, "upstream", r.Upstream, "round_trips", r.RoundTrips,
		"took", r.Took, "queued", r.Queued, "upstreams", r.Upstreams, "proxy", r.Proxy, "in_order", r.InOrder, "more", l.more)
	l.logged, l.more = r.At, 0
}

// Latest returns the latest requests.
func (l *Log) Latest() []Request { return slices.Clone(l.latest[:min(l.noted, Kept)]) }

// Merge returns the latest requests of several logs, the latest first. latest is all of their lists.
func Merge(latest []Request) []Request {
	all := slices.Clone(latest)
	slices.SortStableFunc(all, func(a, b Request) int { return cmp.Compare(b.At.UnixNano(), a.At.UnixNano()) })
	return all[:min(len(all), Kept)]
}

// Printable returns a key, which a client may have made of any bytes, as printable ASCII:
// other bytes are written as \x and two digits, and \ as \\.
func Printable(key []byte) string {
	for _, c := range key {
		if c < ' ' || c > '~' || c == '\\' {
			return escaped(key)
		}
	}
	return string(key)
}

func escaped(key []byte) string {
	out := make([]byte, 0, 4*len(key))
	for _, c := range key {
		switch {
		case c == '\\':
			out = append(out, `\\`...)
		case c < ' ' || c > '~':
			out = fmt.Appendf(out, `\x%02x`, c)
		default:
			out = append(out, c)
		}
	}
	return string(out)
}
