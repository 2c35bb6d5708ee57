// Package upstream sends requests to memcached servers, the upstreams, and passes their
// replies to sinks. It knows nothing of clients, of retrievals that are spread over
// several upstreams, or of verbs.
//
// # Types
//
//	Remote             an upstream as all event loops see it: how to reach it, health, version
//	└─ presence           whether all loops can reach it, and so may use it
//	Batch              connections of an event loop with requests to be written
//	Env                what the upstreams of one pool share on an event loop
//	Upstream           one upstream as one loop sees it
//	├─ link               its state, version and counts: what both connections know of it
//	├─ First              the first connection, a Connection
//	└─ Bulk               the second, for large replies, opened when it is needed
//
//	Connection         requests in flight, in order, and the output
//	├─ Pending            one of them, and the Sink that receives its Answer
//	├─ Expected           what the replies are compared with
//	├─ replyReader        splits what is received into replies
//	│  └─ stream             a reply that is passed on before it is complete
//	└─ progress           what the upstream has received, for time-outs
//
//	Lane               counts a client's requests on first and on second connections
//
// # In flight
//
// This is how requests wait on the two connections to one upstream. Replies arrive in the
// order of a queue, so its front tells which request a reply belongs to:
//
//	       Push      ┌───────┬───────┬───────┬───────┬───────┐ front
//	First  ────────▶ │ set e │ get d │ get c │ get b │ get a │ ──────▶ Sink of get a
//	                 └───────┴───────┴───────┴───────┴───────┘
//	                  in Out │ written, on  │ received by the upstream:
//	                         │ the way      │ time-out running
//	       Push      ┌──────────┬──────────┐
//	Bulk   ────────▶ │ mg k:x.1 │ mg k:x.0 │ ──────▶ Sink of mg k:x.0
//	                 └──────────┴──────────┘
//
// Requests of a client that must take effect in order use only one of the two connections: its
// [Lane] counts how many it has on each.
//
// # Requests
//
// A request is appended to the output of a connection, and an entry for its reply to that
// connection's queue of pending requests ([Connection.Push]). System calls are nine tenths of the
// cost, so requests are written in batches; at the end of each callback it is decided whether to
// write now ([Batch.Dispatch]). The upstream's bytes are split into replies, each of which goes to
// the sink at the front of that queue. Each unit of a reply is compared with the request before a
// client gets a byte of it; if they don't match, the connection is closed. Every request is
// answered exactly once: by the upstream, or by an error line.
//
// Upstreams are read into one buffer of the loop, which is larger than the one for clients
// ([transport.Conn.ReadOn]). A large value is forwarded from that buffer while it is
// received ([Streamer]), or moved to its client without being read (move.go).
//
// # When an upstream does not answer
//
// A request that is not answered in time is refused. Its time starts when the upstream has received its last byte,
// since a large request may take long on a slow link (timeouts.go), and it stands still while a large reply arrives
// steadily (arrival.go). If the upstream gives no sign of life for that time, or receives data too slowly, all its
// pending requests fail and the loop reconnects, with growing, jittered pauses. Until then the upstream is [Down] for
// all loops, and requests for it are refused at once ([Upstream.Refuse]). The keys that they would have changed are
// remembered (remember.go), and deleted when all loops have a connection again (presence.go, clearing.go,
// holdback.go). Only a connection that is closed while nothing is in flight is replaced without an outage. A request
// that may have reached it is never sent again.
//
// On a new connection the loop first authenticates if the upstream asks for that (login.go). Then
// it asks for the version and the settings, and closes
// it if they do not arrive in time.
//
// # Files, from the top down
//
//	follow.go                          what all loops do with an upstream at once
//	exclusion.go                       an upstream that must not be used
//	greeting.go                        what is asked on a new first connection
//	clearing.go                        deleting what is outdated
//	holdback.go                        holding requests back
//	fortests.go                        what tests use
//	outage.go attempts.go              going down, and connecting again
//	itemsize.go probe.go               how large an item may be; whether an idle upstream answers
//	upstream.go                        an upstream as one loop sees it
//	bulk.go                            the second connection
//	dial.go deliver.go move.go         how a Connection begins, and what it receives
//	timeouts.go                        requests that are not answered in time
//	authenticate.go push.go divide.go  the password; sending a request; requests in records of TLS
//	ending.go                          a connection fails, or is closed
//	batches.go                         when requests are written
//	arrival.go hasroom.go              whether a reply arrives steadily; whether one more request may be sent
//	connection.go                      a connection
//	remember.go link.go                what both connections have in common
//	poolenv.go                         what the upstreams of a pool share on a loop
//	nextreply.go stream.go replyreader.go  what is received, split into replies, and counted
//	progress.go underway.go            progress, and how much may be in flight
//	pendingqueue.go pending.go         requests that are not answered yet
//	remote.go health.go presence.go    an upstream as all loops see it
//	stats.go expected.go lane.go login.go serverversion.go onreturn.go position.go  small types that the others use
//
// References from a file to one above it: presence sends messages to the loops' sides of an upstream, and has one of
// them log that it is back; an Env has the connections of its loop that wait to be dispatched, and functions that take
// or return an Upstream.
package upstream
