// Package reply is what a client is sent: its [Queue] of replies, in the order of its requests, whichever upstream
// answers first; what is measured of each until it is sent; and, for a client of the binary protocol, the [Packets]
// that its replies become at the moment when it is their turn.
//
//	Reserve ──▶ awaited ──Fill──▶ ready or failed ──its turn──▶ sent: Output
//	               └──parts of the first reply────────────────────▲
//
// # Files, from the top down
//
//	replyqueue.go the queue: its slots, and their turn
//	packets.go    replies as packets, in the forms of the requests' packets
//	fifo.go       a queue in one piece of memory
//	timing.go     where the time of slow requests went
//	errors.go     which replies are errors, and whose
//	meter.go      how requests have ended and how long they took
package reply
