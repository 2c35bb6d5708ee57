// Package reply has the replies to a client: its [Queue], which sends them in the order of the requests, whichever
// upstream answers first; what is measured of each request until its reply is sent; and, for a client of the binary
// protocol, the [Packets] that the replies become when they are sent.
//
//	Reserve ──▶ awaited ──Fill──▶ ready or failed ──its turn──▶ sent: Output
//	               └──parts of the first reply────────────────────▲
//
// # Files, from the top down
//
//	replyqueue.go the queue and its slots
//	common.go     what the queues of an event loop use together
//	packets.go    replies as packets
//	fifo.go       a queue in one piece of memory
//	timing.go     what slow requests have waited for
//	errors.go     which replies are errors, and who caused them
//	meter.go      how requests have ended and how long they took
package reply
