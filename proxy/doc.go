// Package proxy is the server: event loops between clients and memcached upstreams. Here it is started, reloaded and
// stopped, and clients are accepted; what the loops do is in the packages below.
//
// # The way of a request
//
// A [Server] runs some event loops ([front.Loop]). Each owns its clients and its own connections
// to every upstream, so a request never changes threads and nothing is locked:
//
//	client ──▶ Parser ──▶ admission ──▶ plain command: forward, gather, broadcast ───┐
//	  ▲                    │     ▲  └─▶ verb: execution, operation after operation ──┤
//	  │                    └queue┘                                                   ▼
//	  └── reply.Queue ◀── Sink: client, gather, execution … ◀── upstream.Connection ◀──▶ memcached
//
// A client's bytes are split into requests (proceed.go of package front). Its first byte tells which protocol it
// speaks: packets of the binary protocol become requests like those of the text protocol, and
// replies become packets when they are sent ([reply.Packets]). If the listener demands a password, no other
// request is carried out before the client has sent it (enter.go). A request that can't be carried out yet waits
// (admission.go): for earlier requests of its client, for room on a connection, for memory, or until fewer verbs
// are running. One that the pool does not allow is refused ([route.Table.Refuses]). The others are dispatched
// (dispatch.go): a plain command is forwarded to the upstream that owns its key by the pool's layout
// (forward.go, package sharding), a retrieval of keys of several upstreams is fanned out to them (fanout.go),
// and a flush to all (broadcast.go); a verb is begun (verbrequest.go). Each reply goes to the sink of its
// request: the client (forwarded.go), a gather that merges the replies of several upstreams (gather.go), a
// broadcast, or the execution of a verb. Every client has a queue of replies (package reply), so that its
// replies are sent in the order of its requests, whichever upstream is faster.
//
// The proxy refuses malformed requests itself, with the side effects that memcached has (refusal.go), and
// inserts keys that upstreams were not asked to return (keyreturn.go). A route may strip its prefix from
// the keys of its requests (package route); gather.go, restore.go, or the verb puts it back into the keys
// of the replies.
//
// An event is first handled in memory. At its end (turn.go, EndCallback) each connection with
// output is written to once. The exceptions are large values, and large replies with many values.
// Once all earlier replies to the client are sent, these are forwarded directly from the read
// buffer while they are being received, or moved from one socket to the other (forwarded.go).
//
// # Pools and reloads
//
// A server has several pools, and each listener has routes: the prefix of a key determines its pool
// ([route.Table]). The configuration becomes a [config.Setup], which all loops share and which
// never changes. Each loop has its own side of each pool: connections, an executor of verbs, counts
// ([route.Pool]).
//
//	Config ──▶ Setup ──▶ SharedPool ─── Remote          one for the server
//	             │           │            │
//	             ▼           ▼            ▼
//	           Table ──▶ route.Pool ───── Member ──▶ memcached   one for each loop
//	             ▲           └─ Executor
//	          Client
//
// A reload (reload.go) makes a new setup, in which whatever is configured as before is the same
// object. Each loop applies it between two events (newsetup.go of package front): what is in flight ends on the old
// route.Pool, which is closed when nothing uses it any more, and waiting requests go where the new
// setup says.
//
// When an upstream is down, its pool's setting says how requests are answered ([config.OnDown]). The
// keys that clients change or delete meanwhile, or try to, are remembered (package outdated) and deleted
// before the upstream is used again (package upstream, clearing.go).
//
// # Packages
//
// From the top down, each uses only those below it:
//
//	proxy       starting, reloading and stopping; accepting clients
//	front       clients, requests and replies; loops
//	route       which pool and which upstream a key has
//	report      the counts and states that stats, the status page and the metrics show
//	reply       the replies to a client
//	execution   running verbs
//	pool        which upstream owns a key, and which clients wait for it
//	admission   queues of clients for scarce resources
//	config      what is configured, and the setup made of it
//	discovery   finding servers that are listed by a name of DNS, or by a cluster
//	upstream    connections to one memcached: requests in flight, replies, health
//	transport   sockets and event loops
//	secure      TLS: handshakes, and what turns ciphertext into plaintext in memory
//	status      the state of the proxy as plain values; package admin shows it
//	history     what each pool did in the last hour; package admin keeps it
//	latency, hotkeys, slow
//	near        values of hot keys, kept in the process
//	holding     gets that wait until another client stores what they miss
//	copies      how a key is kept in several pools at once
//	shadow      which keys are sent to a second pool too
//	namespace   how a family of keys is flushed at once
//	moving      plain commands on keys that move to another server; not used yet
//	memory, clock, guess, tally, outdated, listen, statistics, warning, passwords, verbkeys, byprefix, state
//
// # Limits
//
// Back-pressure slows down a client that does not read, or asks for too much, by TCP. A
// client is blocked while too many replies are outstanding (send.go, owed), as far as their
// size can be guessed (expected.go), or while its next request has to wait. Then its input
// waits in memory, and beyond a limit its socket is no longer read. A client that has stopped
// sending, or is about to be closed, still gets all its replies, however slowly it reads; it
// is closed only if it reads nothing for a minute. Buffers come from a pool and count towards
// a budget that all loops share (package memory). If the budget is overdrawn all the same,
// incomplete requests and replies are refused, or the clients with the most memory are
// disconnected (relief.go).
//
// # Verbs that ordinary commands carry
//
// Applications that can't be changed may run a verb by an ordinary command on a key that names it
// ([route.Carriage]). Package verbkeys translates the request and the verb's answer; carried.go
// runs the verb in between, and named.go merges the values of verbs with the other values of a
// retrieval.
//
// # Answers without a server
//
// Values of keys with the prefixes that a pool's setting near names are kept in the process for a short time (package near;
// near.go and nearchange.go of package front). Gets of keys with the prefixes that hold-misses names wait when they miss, while
// another client makes the value (package holding; holds.go, heldget.go and heldmany.go of package front).
//
// # Keys that are flushed together
//
// Keys in a namespace are stored with a generation in them (package namespace). spaced.go and spacedcall.go of package front send
// a command together with questions for the generation, and again if it was outdated; spacelookup.go finds or makes generations;
// spacedmany.go is for retrievals of several keys.
//
// # TLS
//
// Clients of a listener with TLS make their handshake before they are assigned to a loop
// (handshake.go); connections to upstreams make it in their Dial. After that only package transport
// deals with TLS: all above it sees plaintext.
//
// # Statistics
//
// A loop counts a request when it is dispatched (Client.count of package front), and its outcome, such as a hit or a miss,
// when the reply arrives (replyReader.count of package upstream), both in the [report.Counters] of the pool. How
// the outcome counts is determined when the request is sent: tally.Of, kept in upstream.Pending.Tally. If that is Uncounted,
// the reply is not what the client gets, and package front counts what the client gets: so for keys with copies or in
// namespaces. It also counts answers from values that the process keeps, and counts again what held gets come to.
// Operations of verbs are counted separately. Requests that are sent to a shadow too (shadowed.go) are Uncounted there: the pool
// that is the shadow counts them, and what both pools found, by itself.
//
// All these counts are a pool's, on one loop. Nothing is counted by listener, whose clients may use several pools, as a
// pool may have clients of several listeners. Client knows its listener: the config.Socket, which outlives reloads and which
// all loops share, and the route.Table, which is the loop's own and which a reload replaces.
//
// A new counter that the proxy keeps is declared in a table of package status, from which stats, the metrics and the
// status page take it; package report tells of that and of its tests.
//
// A client that asks for stats waits for its earlier replies, and
// then a moment, so that clients that ask at the same time are answered together. Then the first loop polls the
// upstreams for what only they know, all loops report, and package report makes the answer (statsanswer.go).
//
// # Upstreams
//
// When the proxy starts, requests for keys of an upstream wait until the first attempt to connect
// to it has succeeded or failed. Meanwhile their clients are blocked, as they are while an upstream
// is busy.
//
// Small replies would have to wait behind large ones, so retrievals of clients that get large
// values, and verbs' reads of segments, use a second connection to the upstream. Apart from
// operations of verbs, a client never has requests in flight on first and second connections
// at once, so its requests take effect in order (lane.go). While the rest of a large reply is
// awaited on a first connection, other clients' requests use the second one (admission.go).
//
// An upstream given by a host name is the same machine for all loops: the upstream's Dial sees to that.
// When the name resolves to another machine, the loops change over to it as by a reload (lookups.go).
//
// The settings of a pool may name what lists its servers instead of the servers. Package discovery asks that again and
// again. A list with other servers is used as by a reload, and servers that are missing in the list count as down for a
// while before (discover.go, [config.Setup.Exclude]).
//
// Other proxies learn of a change of the servers at other times. So verbs are refused for a while on keys that have moved, and then
// look for their structures where they were (package placement; displaced.go of package execution).
//
// # Files, from the top down
//
//	start.go      starting
//	discover.go   servers that are found
//	reload.go     another configuration
//	background.go what runs for a configuration
//	migrating.go  taking the moves of keys to their ends
//	records.go    what the servers are to say of which servers there were
//	stop.go       stopping
//	lookups.go    servers whose names resolve to another machine
//	handshake.go  clients of listeners with TLS
//	accept.go     accepting clients
//	reach.go      upstreams that are not up
//	server.go     the server
package proxy
