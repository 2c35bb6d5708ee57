// Package upstream asks memcached servers, the upstreams, and hands what they answer to
// whoever has asked. It knows nothing of who that is: of clients, of retrievals that go to
// several upstreams, or of verbs.
//
// # What there is
//
//	Servers            the upstreams as all event loops see them: health, versions
//	Env                what the upstreams of one event loop get of it
//	Upstream           one upstream as one loop sees it: whether it is up, and what it can do
//	├─ Connection         the first connection to it
//	└─ Bulk               the second, for large replies, which is there if it is needed
//
//	Connection         requests in flight, in their order, and its output
//	├─ Pending            one of them, and the Sink that takes its Answer
//	├─ Expected           what the replies are compared with
//	├─ replyReader        cuts what is received into replies
//	│  └─ stream             a reply that is handed on before all of it is there
//	└─ progress           how far the upstream is with what it was sent
//
//	Lane               which of the two connections somebody's requests are in flight on
//
// # Requests
//
// A request is appended to the output of a connection, and an entry for its reply to that
// connection's queue of pending requests ([Connection.Push]). When it is written is decided
// when the callback ends ([Env.Dispatch]), because system calls are nine tenths of the cost.
// The upstream's bytes are cut into replies, each of which goes to the sink at the head of
// that queue. Each unit of a reply is compared with the request before anybody gets a byte
// of it; an upstream whose replies do not fit has its connection given up. Every request is
// answered exactly once: by the upstream, or by a line that says what is wrong with it.
//
// The buffer that is read to is the loop's, one for all upstreams, and larger than the one
// that clients are read to ([transport.Conn.ReadOn]). A large value goes on from there, its
// start as soon as that is there and the rest as it comes ([Streamer]).
//
// # When an upstream does not answer
//
// A request that is not answered in time is refused. Its time begins when the
// upstream has received the last byte of it, as a large one may take long on a slow
// link (timeouts.go). If the upstream gives no sign of life for that time, or
// receives what it is sent too slowly, everything that it was asked fails and it is
// connected anew, with growing, jittered pauses. Until then it is [Down], and who asks is
// refused at once ([Upstream.Refuse]). A request that may have reached it is never sent
// again.
//
// A new connection is asked for the version and the settings first, and is given up
// if they do not come in time.
package upstream
