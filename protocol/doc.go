// Package protocol reads and writes the memcached text protocol: bytes in,
// values out, no I/O and no allocation.
//
// Package binary translates memcached's binary protocol to requests of this package.
//
// There are two parsers, one for each direction.
//
// [Parser] reads what a client sends. It is incremental: given the bytes that
// have arrived so far it either yields one [Request] and says how many bytes
// it used, or asks for more; the result does not depend on where the stream is split.
//
// The client's bytes are never forwarded. [Request.AppendTo] formats each request
// again, in a form that every version of memcached reads alike and answers with exactly
// one reply; that is why many clients can share one upstream connection. A request that
// the parser does not understand is refused here, in the words of the newest memcached,
// and its data is skipped; see [Request.Refusal]. noreply and the q flag of meta
// commands are honoured here too, not by the upstream; see [Request.Quiet].
//
// [ParseReply] reads a server's replies one unit at a time: a status line, or a value
// with its data. [Check] says whether a unit can belong to the reply to a given request.
//
// Both parsers return slices of the caller's buffer, valid until that buffer is reused.
//
// The protocol itself is described in memcached's doc/protocol.txt. Where that text is
// silent the parsers do what memcached 1.6 was observed to do; the tests record it.
//
// # Files, from the top down
//
//	next.go                                   reading a request
//	storage.go retrieval.go oneline.go        those with data, with lists of keys, and others
//	meta.go flagwriter.go base64.go           meta commands
//	parser.go                                 what a parser keeps from one request to the next
//	plainget.go miss.go setkey.go ownkey.go restore.go overwrite.go unconditional.go
//	answers.go reply.go                       replies, and what they may be
//	formatting.go effect.go                   what is sent for a request, and what it may change
//	request.go
//	verb.go keyreturn.go flagset.go
//	command.go number.go words.go
//
// What runs up: a verb reads its arguments into a Request.
package protocol
