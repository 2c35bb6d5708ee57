//go:build linux

// Package load makes load: it sends requests to a server on many connections
// and measures how long the replies take.
//
// # Closed loop and open loop
//
// In a closed loop every connection sends a request, or a batch of them, waits
// for the last reply and sends the next. A slow server is asked less, so the
// loop finds the rate that the server can bear; but one that stalls for a second
// spoils one latency of each connection only, though a second's worth of
// requests would have suffered.
//
// In an open loop requests are due at a fixed rate, whatever becomes of those
// before. Latency is measured from when a request was due, not from when it
// could be sent at last, so that a stall shows in the latency of every request
// it holds up. (Gil Tene calls it coordinated omission to leave those out.)
// A request that is due takes the connection that has been idle for longest; if
// none is, it waits.
//
// # What is sent
//
// A [Source] thinks out requests and says byte for byte what the answer must be;
// [Plain] is one of sets and gets. Every byte of every reply is compared, so a
// server that mixes up replies, or loses one, fails the run. Errors that a server
// owns up to (SERVER_ERROR) are counted.
//
// # What it costs
//
// The load shares the processors with what it measures, so it is lean: each of
// its threads waits with epoll, and reads and writes without buffers or
// goroutines in between. Requests and replies are made beforehand as far as
// possible. Nothing is allocated per request. TLS is that of crypto/tls, which
// works in memory after the handshakes; these come before the load.
package load
