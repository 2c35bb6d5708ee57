// Package plain shows that plain commands, of the text and the binary protocol, are answered and counted as
// memcached does, whatever their size and however the connection ends. What is typed and what comes back is in
// [github.com/memverbs/memverbs/tests/transcripts].
package plain
