// Package protocol reads and writes the memcached text protocol: bytes in,
// values out, no I/O and no allocation.
//
// There are two parsers, one for each direction.
//
// [Parser] reads what a client sends. It is incremental: given the bytes that
// have arrived so far it either yields one [Request] and says how many bytes
// it used, or asks for more; a stream split at any byte parses alike.
//
// What is sent to an upstream is never what the client wrote, but what was
// understood of it, written anew ([Request.AppendTo]) in the form that every version
// of memcached reads alike and answers with exactly one reply: that is what lets many
// clients share one upstream connection. A request that is not understood is refused
// here, in the words of the newest memcached, and its data skipped; see
// [Request.Refusal]. Silence, by noreply or quiet meta commands, is kept here too; see
// [Request.Quiet].
//
// [ParseReply] reads what a server answers, one unit at a time: a status
// line, or a value with its data. [Check] says whether a unit can be a part of the
// reply to a request.
//
// Both work on slices of the caller's buffer. Nothing they return may be kept
// once that buffer is reused.
//
// The protocol itself is described in memcached's doc/protocol.txt. Where that
// text is silent the parsers do what memcached 1.6 was seen to do, and the
// tests keep a record of it.
package protocol

// MaxKey is the longest key, in bytes, that memcached takes.
const MaxKey = 250

// MaxLine is the longest command line, in bytes with its line end, of a
// command that does not take a list. memcached hangs up on a client that
// sends more than this without a line end.
const MaxLine = 2048
