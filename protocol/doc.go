// Package protocol reads and writes the memcached text protocol: bytes in,
// values out, no I/O and no allocation.
//
// Package binary translates memcached's binary protocol to requests of this package.
//
// There are two parsers, one for each direction.
//
// [Parser] reads what a client sends. It is incremental: given the bytes that
// have arrived so far it either yields one [Request] and says how many bytes
// it used, or asks for more; a stream split at any byte parses alike.
//
// The client's bytes are never forwarded. [Request.AppendTo] formats each request
// again, in a form that every version of memcached reads alike and answers with exactly
// one reply; that is why many clients can share one upstream connection. A request that
// the parser does not understand is refused here, in the words of the newest memcached,
// and its data is skipped; see [Request.Refusal]. noreply and the q flag of meta
// commands are honoured here too, not by the upstream; see [Request.Quiet].
//
// [ParseReply] reads a server's replies one unit at a time: a status line, or a value
// with its data. [Check] tells whether a unit can belong to the reply to a given
// request.
//
// Both parsers return slices of the caller's buffer, valid until that buffer is reused.
//
// The protocol itself is described in memcached's doc/protocol.txt. Where that text is
// silent the parsers do what memcached 1.6 was observed to do; the tests record it.
package protocol

// MaxKey is the longest key, in bytes, that memcached takes.
const MaxKey = 250

// MaxLine is the longest line, in bytes including the line end, of a command that takes
// no list. memcached closes the connection of a client that sends more without a line
// end.
const MaxLine = 2048
