// Package proxy is the server: clients on one side, memcached upstreams on the
// other, and event loops in between.
//
// # The way of a request
//
// A [Server] runs some event loops (loop.go). Each owns its clients and connections of
// its own to every upstream, so a request never changes threads and nothing is
// locked:
//
//	client ──▶ Parser ──▶ admission ──▶ plain command: forward, gather, broadcast ───┐
//	  ▲                    │     ▲  └─▶ verb: execution, operation after operation ──┤
//	  │                    └queue┘                                                   ▼
//	  └── replyQueue ◀── Sink: client, gather, execution … ◀── upstream.Connection ◀──▶ memcached
//
// A client's bytes are cut into requests (input.go). A request that can't be carried out
// yet waits (admission.go): for earlier requests of its client, for room on a connection,
// or for verbs to end. The others are dispatched (dispatch.go): a plain command goes to the
// upstream that owns its key (forward.go), a retrieval of keys of several upstreams to each
// of them (retrieval.go), and a flush to all (broadcast.go); a verb is begun (verb.go).
// Each reply goes to the sink that the request named: the client, a gather that merges the
// replies of several upstreams (gather.go), a broadcast, or the execution of a verb. Every
// client has a queue of replies (replyqueue.go), so that its replies leave in the order of
// its requests whichever upstream is faster.
//
// What memcached is not asked, because its answer could not be relied on, is in refusal.go
// and keyreturn.go.
//
// Nothing is written in the middle: what an event brings is worked through in
// memory, and when that is done (turn.go, Settle) each connection with something
// to write is written to once. Only a large value is not waited for: it is written to its
// client straight from the buffer that it is read to, its start as soon as that is there
// and the rest as it comes (stream.go). Nor is the end of a large reply with many values.
//
// # Packages
//
// From the top down, each uses only those below it:
//
//	proxy       clients, requests and replies; loops; starting and stopping
//	execution   verbs under way
//	pool        which upstream owns a key, and who waits for it
//	admission   clients wait in turn for what there is too little of
//	upstream    connections to one memcached: requests in flight, replies, health
//	transport   sockets and event loops
//	memory, clock, tally, listen, statistics, hosts, logqueue, verbkeys, embedded
//
// Two files of this package refer to others above them: a loop has a list of its clients,
// and keeps gathers for later use.
//
// # Limits
//
// A client that does not read, or asks for more than fits, is slowed down by TCP: it
// is blocked while it is owed enough (client.go, owed), as far as that can be guessed
// before values are there (guess.go), or while its next request has to wait; its input
// waits, and when that has grown its socket is not read any more. One that sends no more,
// or is about to be closed, still gets all that it has asked for, however slowly it reads;
// only if it reads nothing for a minute is it closed. The buffers of what is received and
// sent come from a pool, and what is in them counts in a budget that all loops share
// (package memory); should that be overdrawn all the same, requests that are being received
// are given up, or the client that holds most is cut off (relief.go).
//
// # Verbs that ordinary commands carry
//
// Clients that can't be changed may ask for a verb by a set or get of a key
// that names one (carriage.go). Package verbkeys translates such a request, and what the
// verb answers; carried.go has it carried out in between, and retrieval.go puts what
// verbs read among the other values of a retrieval.
//
// # Statistics
//
// A loop counts what its clients ask for when the reply comes (counters.go). How a
// request counts is found when it is sent (package tally); requests of verbs count
// apart. A client that asks for stats waits for its earlier replies; then the
// first loop asks the upstreams for what only they know (poll.go) and adds it up
// (package statistics), all loops report (stats.go), and statstell.go writes the answer.
//
// # Upstreams
//
// When the proxy starts, requests for keys of an upstream wait until the first attempt to
// connect to it has succeeded or failed; their clients are blocked as they are by an
// upstream that has enough to do.
//
// Small replies would have to wait behind large ones, so the retrievals of clients that get
// large values, and verbs' reads of segments, go to an upstream on a second connection. No
// client has requests in flight on both kinds at once, so its requests take effect in
// their order (lane.go).
//
// Package hosts sees to it that all loops reach the same machine by a name.
package proxy
