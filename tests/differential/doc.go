// Package differential compares the proxy with memcached: streams of commands
// go to a memcached and to a proxy with the same version of memcached behind
// it, pipelined and cut at odd places, and every byte that comes back must be
// the same.
//
// Both protocols are spoken: the text protocol, the binary one, or both by turns about the same
// keys, on a connection for each (protocol.go).
//
// A stream (generator.go) is made of commands that a random number generator
// chooses and fills in: valid, half valid and hostile (classic.go, meta.go,
// hostile.go, global.go, binary.go). Keys are few, so that commands meet. Streams are sent
// in batches (runner.go); probes among the commands, whose answers can't be
// mistaken, tell which answers belong together. Then the answers are compared
// (compare.go). What is bound to differ is told apart and not just ignored:
//
//   - CAS ids must always stand for the same on the other side, and a command
//     that names one is sent with the id of that side (identities.go).
//   - What is left of a time to live is rounded to what it was.
//   - The answer to version is each side's own.
//   - Where memcached takes the data of a command that it refuses for commands, the
//     proxy skips it: there the data is sent to the proxy only, and nothing else may
//     differ. Where memcached skips more than the packet that it refuses, it is sent more.
//
// What is odd the proxy refuses as the newest memcached does, whichever is behind it.
// So what versions read differently is sent to the newest only. That nobody else is
// reached by it, on any version, is for hostile_test.go to show.
//
// Streams stay clear of what is a matter of luck in memcached itself: counting
// an item while it is being sent (it is not padded then; runner.go waits for the
// end of that), what was flushed and not asked for since, and numbers in values
// behind whose end memcached reads on; the comments in the generator say where.
//
// Where a stream is answered differently, parts of it are left out for as long
// as it still is (minimise.go), and what is left is shown. What was sent and
// answered is counted (tally.go), and a run in which some command or outcome
// did not come up fails. A run is repeated by setting MEMVERBS_DIFFERENTIAL_SEED
// to the seed it printed; only which key lives on which upstream is another
// then, as the ports are.
package differential
