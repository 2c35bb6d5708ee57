// Package verbs is the framework for commands that memcached lacks, called verbs. Each
// verb is a straight-line program over memcached's own operations.
//
// A verb is a value of type [Verb]: its name, how its requests are parsed, how it uses
// its items, and how a [Call] of it runs. Most are a function that asks for one operation after
// another (or several at once), and answers the client:
//
//	var length = verbs.Verb{
//		Verb:  protocol.Verb{Name: "length", Usage: "<key>", Read: verbs.ReadOneKey},
//		Does:  "answers with the number of bytes of an item",
//		Reads: true, ReadOnly: true,
//		Run: verbs.Coroutine(func(c *verbs.Call) {
//			r := c.Ask(verbs.Op{Kind: verbs.Probe, Key: c.Key})
//			…
//			c.Sayf("%d", r.Size)
//		}),
//	}
//
// Parsers, help, statistics, the order of a connection's commands and the keys by which ordinary
// commands carry verbs are all derived from that value.
//
// # To add a verb
//
// Write it next to similar ones, in the package of its kind, and add it to the list there (setverbs.go of package
// sets). Package structure has what makes verbs on structures: Tells for one that only answers from a structure (scard
// is the shortest example), Appends for one that only adds tokens (sadd), Deciding for one whose change depends on
// what it has read (spop).
//
// A test fails until the verb is in each of these, so run the command to see what is missing:
//
//	go test ./tests                     verbs/README.md, protocol/README.md and README.md name it, and
//	                                    proxy/verbkeys/README.md if ordinary commands carry it
//	go test ./verbs/catalog             a line of it is parsed (requests_test.go)
//	go test -short ./verbs/sets         or the kind that it belongs to: its arguments (randomRequest, beside the random
//	                                    schedules; in sets, words of requests_test.go too) and its effect
//	                                    (the model in history_test.go or plain_test.go)
//	go test -run TestTranscripts/embedded ./tests/transcripts
//	                                    the list in verbs/help.txt; if ordinary commands carry it, the answers in
//	                                    verbkeys/refused.txt and verbkeys/meta.txt that list such verbs
//	go test -run TestEachVerbReads ./tests/golden
//	                                    it is asked of what the newest release has stored, in a file *.read.txt there
//
// No test fails if these are missing: a transcript of what it answers (tests/transcripts/verbs, and verbkeys if
// ordinary commands carry it); the README.md of its kind; races with the verbs that may run at the same time (races_test.go,
// everyrace_test.go); the second model of its kind, in tests/structures (the list of its verbs, and what each does
// there); a session of tests/carried, if clients can carry it; a method in cmd/memverbs/adapters, if these have its
// kind; and a cell of tests/bench, if its speed matters.
//
// To add a kind of structure, write a package for it, with a README.md that tells how it behaves and how it is
// stored, and add its verbs to package catalog.
//
// # The packages
//
// These packages are built on this one. None imports one that is listed after it:
//
//   - structure/format is how structures of any kind are laid out, as logs of tokens.
//   - structure/views keeps those that were read.
//   - structure reads, changes and compacts them.
//   - sets has the verbs on sets, which are one kind of such structures.
//   - lists has the verbs on lists.
//   - tables has the verbs on tables, whose index is such a set.
//   - rankings has the verbs on rankings.
//   - tasks has the verbs on queues of timed tasks.
//   - eventlogs has the verbs on event logs.
//   - locks has the verbs on locks.
//   - limits has the verb on limits.
//   - catalog lists all verbs. It is the only package that names them all.
//   - waiters has the calls that wait until there is something for them. It knows no other of these packages but its own alarms.
//   - verbtest is shared by the tests of all of these and knows no verb.
//
// # How a verb runs
//
// The function that [Coroutine] is given runs on a coroutine: each Ask suspends it until the replies have arrived. Most calls
// need one round trip, or a few in a fixed sequence, and run without a coroutine. Such a call is a chain
// of steps, see [Step]: a step asks for operations, and the function that takes the replies returns
// the next step. If that turns out not to suffice, a step continues on the coroutine. A [Routine]
// runs a call either way: [Routine.Start] and [Routine.Resume] return the operations that it waits
// for (progress.go), and the driver of the routine carries them out: the proxy over the network, or a
// test over a model of memcached. The packages use no network, clock or goroutines: time and
// knowledge of the upstreams come from the [Env], so that a call can be repeated exactly.
//
// All items of a structure are on the upstream that owns its key, see [Op.RoutingKey]. So an outage
// of other servers does not affect it.
//
// Some operations are not sent to memcached: the proxy, or a test, handles them itself,
// see [Op.Local]: to let other requests run during long work (pace.go), to reserve memory
// before reading something large (reservation.go), and to wait for another call (wait.go).
// Replies are valid only until the verb asks for the next operation. So data that takes more than
// one slice of work is copied first. Small structures, as nearly all are, are processed in the
// reply buffer at once, without such operations.
//
// An operation whose outcome is unknown is never repeated, and nothing is cleaned up
// after it: memcached evicts what is left over.
//
// # How memcached appends
//
// memcached answers an append with the same "not stored" if there is no item and if the
// item would exceed the size limit. From 1.6.20 on, a meta set can append or create in
// one round trip; before that it takes append, add, and append again. All verbs use
// append.go for this.
//
// # Files, from the top down
//
// References from a file to one above it: a verb is a function of a call, and a call is an execution of a verb that ends
// with a step; a call has a reservation, which it changes itself; and an operation names the call that waits.
//
//	append.go       appending to an item, whatever memcached can do
//	block.go        lines that are followed by a data block
//	id.go           random ids
//	verblist.go     a list of verbs
//	routine.go      one call after another, with or without a coroutine
//	glance.go       calls that answer from memory
//	counts.go       lines with a count
//	wait.go         calls that wait for another
//	step.go         what a call does next
//	waitwords.go    how long a call waits until there is something for it
//	memberwords.go  lines with members
//	words.go        why a line is refused
//	answer.go       the answer to the client
//	swap.go         replacing an item
//	part.go         the keys of the parts of a structure
//	call.go         a call: its answer, what it asks for
//	reservation.go  memory that is reserved for a call
//	scratch.go      memory that one call leaves to the next
//	arguments.go    what a call has of its request
//	hashtable.go    hash tables of folds
//	verb.go         a verb and all its properties
//	pace.go         pauses in long work
//	env.go          what verbs know of the world outside
//	shared.go       what calls have in common
//	extent.go       what there is to tell of items
//	seen.go         what a call has seen that has found too little
//	hints.go        what is remembered of structures between calls
//	op.go           operations and their replies
//	progress.go     how far a call has come
package verbs
