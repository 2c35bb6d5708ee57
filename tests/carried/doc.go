// Package carried holds sessions of unmodified clients that use verbs through
// ordinary commands: each changes and reads a set, an event log, a list, a table and a
// ranking, and takes, prolongs and releases a lock and tasks of a queue. It puts objects of its language into a list,
// by whatever serializers and compression the client has, and gets them back; and it waits for elements and tasks. It
// also reads several of them and plain items by one command, and makes changes without replies if the client can. They
// also show how that looks in each language.
//
// A session is started with the host and the port of a memverbs with
// --verb-keys verb/, shows what its calls return, checks it, and ends with ok. Where the client
// speaks the binary protocol too, it does so if "binary" is the third argument. The session of Go's
// client is among the tests.
package carried
