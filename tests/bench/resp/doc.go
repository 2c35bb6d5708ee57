// Package resp has the part of the protocol of Redis and Valkey (RESP2) that is needed to put one
// of them under load: [AppendCommand] writes any command, and a [Scanner] finds the end of its
// reply, wherever reads divide it, and says whether it is what a [Want] asks for. Nothing is
// allocated.
//
// A reply is a line, which says what it is by its first byte:
//
//	+OK        a simple string
//	:42        an integer
//	-ERR why   an error
//	$5         a bulk string of so many bytes, which follow, and CR LF
//	*3         an array of so many replies, which follow
//
// The format is described in the Redis documentation, "Redis serialization
// protocol specification".
package resp
