//go:build linux

// Package load makes load: it sends requests to a server on many connections
// and measures how long the replies take.
//
// # Closed loop and open loop
//
// In a closed loop every connection sends a request, or a batch of them, waits for the last reply
// and sends the next. A slow server gets fewer requests, so the loop finds the rate that the server
// can bear. But if the server stalls for a second, only one latency of each connection shows it,
// although all requests of that second would have suffered.
//
// In an open loop requests are due at a fixed rate, whether or not earlier ones were answered.
// Latency is measured from when a request was due, not from when it could be sent at last, so that
// a stall shows in the latency of every request that it delays. (To leave those out is what Gil
// Tene calls coordinated omission.) A request that is due takes the connection that has been idle for
// longest; if no connection is idle, the request waits.
//
// # What is sent
//
// A [Source] makes requests and knows the expected answers byte for byte; [Plain] is a Source of
// sets and gets. Every byte of every reply is compared, so a server that mixes up replies, or loses
// one, fails the run. Errors that a server reports (SERVER_ERROR) are counted.
//
// # What it costs
//
// The load shares the processors with what it measures, so it is lean: each of
// its threads waits with epoll, and reads and writes without buffers or
// goroutines in between. Requests and replies are made beforehand as far as
// possible. Nothing is allocated per request. TLS is that of crypto/tls, which
// works in memory after the handshakes; these come before the load.
package load
