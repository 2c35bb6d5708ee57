// Package proxy is the server: clients on one side, memcached upstreams on the
// other, and event loops in between.
//
// # The way of a request
//
// A [Server] runs some event loops. Each owns its clients and connections of
// its own to every upstream, so a request never changes threads and nothing is
// locked:
//
//	client ──read──▶ Parser ──dispatch──▶ Connection.Request ──▶ output ──write──▶ memcached
//	   ▲                │                        │
//	   │                └─ verb: execution ──────┤ one operation after another
//	   └──write── output ◀── replyQueue ◀── Sink.Answered ◀── Connection ◀──read── memcached
//
// A client's bytes are cut into requests (client.go) and dispatched (dispatch.go): a
// plain command goes to a connection to the upstream that owns its key. What is between
// there and the upstream is in package upstream: the requests in flight, and the replies,
// which are compared with the requests. Each reply goes to the sink that the request named:
// a client, a gather that merges the replies of several upstreams (gather.go), a broadcast,
// or the execution of a verb (execution.go). What memcached is not asked, because its answer
// could not be relied on, is in refusal.go and keyreturn.go. Every client has a queue of
// replies (replyqueue.go), so that its replies leave in the order of its requests whichever
// upstream is faster.
//
// Nothing is written in the middle: what an event brings is worked through in
// memory, and when that is done (loop.go, Settle) each connection with something
// to write is written to once. Sockets and event loops are in package transport.
// Only a large value is not waited for: it is written to its client straight from
// the buffer that it is read to, its start as soon as that is there and the rest as
// it comes. Nor is the end of a large reply with many values (stream.go).
//
// # Limits
//
// A client that does not read, or asks for more than fits, is slowed down by TCP: it
// is blocked while it is owed enough (client.go, owed), as far as that can be guessed
// before values are there (guess.go), or while an upstream has enough to do
// (gate.go, busy), its input waits, and when that has grown its socket is not
// read any more. One that sends no more, or is about to be closed, still gets all
// that it has asked for, however slowly it reads; only if it reads nothing for a
// minute is it closed. The buffers of what is received and sent come from a pool, and
// what is in them counts in a budget that all loops share (package memory); should
// that be overdrawn all the same, requests that are being received are given up, or
// the client that holds most is cut off (relief.go).
//
// Verbs that read large structures, or have large arguments, are given room in
// the same budget before they fill it, one client after another (rooms.go). How
// many verbs are under way is limited for each upstream (admission.go). And what
// takes them long, such as to fold a large set, is done a slice at a time, with a
// turn of the event loop in between, so that others are served meanwhile (turns.go).
//
// # What verbs append
//
// While an append to an item is under way, what other verbs of the loop append
// to it waits and then goes out as one. And it waits while a verb holds the
// item because it is about to swap it (appends.go).
//
// # What verbs read
//
// What was read of structures is kept in views, see package structure; each loop has its
// own. Whether one is still true is asked of memcached with a small read, and while that
// waits to be written, verbs of other clients share it (sharedread.go).
//
// # Verbs that ordinary commands carry
//
// Clients that can't be changed may ask for a verb by a set or get of a key
// that names one. Package verbkeys translates such a request, and what the verb
// answers; carried.go has it carried out in between, and gather.go puts what
// verbs read among the other values of a retrieval.
//
// # Statistics
//
// A loop counts what its clients ask for when the reply comes (stats.go). How a
// request counts is found when it is sent (package tally); requests of verbs count
// apart. A client that asks for stats waits for its earlier replies; then the
// first loop asks the upstreams for what only they know (poll.go) and adds it up
// (package statistics), all loops report, and statstell.go writes the answer.
//
// # Upstreams
//
// When the proxy starts, requests for keys of an upstream wait until the first attempt to
// connect to it has succeeded or failed; their clients are blocked as they are by an
// upstream that has enough to do. Clients that wait until a connection takes more are
// served in turn (waiters.go). What of an upstream is no matter of its own but of those
// who ask is in gate.go.
//
// Small replies would have to wait behind large ones, so the retrievals of clients that get
// large values, and verbs' reads of segments, go to an upstream on a second connection. No
// client has requests under way on both kinds at once, so its requests take effect in
// their order (lane.go).
//
// Package hosts sees to it that all loops reach the same machine by a name.
package proxy
