// Package carried holds sessions of unmodified clients that use verbs through
// ordinary commands: each adds to, removes from and reads a set, writes and reads
// an event log, and takes, holds on and releases a lock. They also show how that
// looks in each language.
//
// A session is started with the host and the port of a memverbs with
// --verb-keys verb/, shows what its calls return, checks it, and ends with ok.
package carried
