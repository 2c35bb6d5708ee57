// Package proxy is the server: clients on one side, memcached upstreams on the
// other, and the event loops of gnet in between.
//
// # The way of a request
//
// A [Server] runs some event loops. Each owns its clients and a connection of
// its own to every upstream, so a request never changes threads and nothing is
// locked:
//
//	client ──read──▶ Parser ──dispatch──▶ upstream.request ──▶ output ──write──▶ memcached
//	   ▲                │                        │
//	   │                └─ verb: run ────────────┤ one operation after another
//	   └──write── output ◀── slots ◀── sink.answered ◀── replyReader ◀──read── memcached
//
// A client's bytes are cut into requests (client.go) and dispatched
// (dispatch.go): a plain command is appended to the output of the upstream
// that owns its key, and an entry for its reply to that upstream's fifo. The
// upstream's bytes are cut into replies (replyreader.go), each of which goes to
// the sink at the head of the fifo: a client, a gather that merges the replies
// of several upstreams (gather.go), a broadcast, or the run of a verb (run.go).
// What memcached is not asked, because its answer could not be relied on, is
// in refusal.go, elusive.go and keyreturn.go.
// Every client has a queue of slots (slots.go), so that its replies leave in
// the order of its requests whichever upstream is faster.
//
// Nothing is written in the middle: what a callback of gnet brings is worked
// through in memory, and when it ends (loop.go, leave) each connection with
// something to write is written to once. When requests are written is decided
// in upstream.go (dispatch), because system calls are nine tenths of the cost.
// Only a large value is not waited for: once its start is there, the rest goes
// on from one socket to the other as it comes (stream.go).
//
// # Limits
//
// A client that does not read, or asks for more than fits, is slowed down by
// TCP: it is blocked while it is owed enough (client.go, owed) or while an
// upstream has enough to do (upstream.go, busy), its input waits, and when
// that has grown its socket is not read any more (wire.go). The
// buffers of what is received and sent come from a pool that counts them
// (pool.go); should a loop hold too many all the same, the client that holds
// most is cut off. Verbs that read many items at once take turns (run.go).
//
// # What verbs append
//
// While an append to an item is under way, what other verbs of the loop append
// to it waits and then goes out as one. And it waits while a verb holds the
// item because it is about to swap it (appends.go). Verbs that read a structure
// of many items take turns (reads.go).
//
// # Verbs that ordinary commands carry
//
// Clients that can't be changed may ask for a verb by a set or get of a key
// that names one. Package verbkeys translates such a request, and what the verb
// answers; carried.go has it carried out in between, and gather.go puts what
// verbs read among the other values of a retrieval.
//
// # Upstreams
//
// A request that is not answered in time is refused. If the upstream has sent
// nothing at all meanwhile, everything on the connection fails and it is made
// anew, with growing, jittered pauses. Until then the keys of the upstream are
// refused at once. A request that may have reached it is never sent again.
package proxy
