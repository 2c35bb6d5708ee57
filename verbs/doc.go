// Package verbs is what the commands that memcached lacks are made of. Each is a
// straight-line program over memcached's own operations.
//
// A verb is a value, a [Verb]: its name, how a request for it is read, what it does to
// the items that it is about, and a function of a [Call], which asks for one operation
// after another (or for several at once) and answers the client:
//
//	var length = verbs.Verb{
//		Verb:  protocol.Verb{Name: "length", Usage: "<key>", Read: readKey},
//		Reads: true, ReadOnly: true,
//		Run: func(c *verbs.Call) {
//			r := c.Ask(verbs.Op{Kind: verbs.Probe, Key: c.Key})
//			…
//			c.Sayf("%d", r.Size)
//		},
//	}
//
// Parsers, help, statistics, the order of a connection's commands and the keys by which
// ordinary commands carry verbs all follow from the value. To add one, write it beside
// its like, name it in the list there, tell of it in README.md, and show it in a
// transcript (tests/transcripts). To add a kind of structure, write a package of its own
// and name its verbs in package catalog.
//
// The packages below this one, each of which imports only those before it:
//
//   - structure keeps structures that are logs of tokens, of whatever kind.
//   - sets has the verbs on sets, which are a kind of those.
//   - eventlogs has the verbs on event logs.
//   - catalog lists all verbs. No other package of the program knows all of them.
//   - verbtest has what their tests share, and knows no verb either.
//
// Each ask suspends the function until the replies are there. A [Routine] runs
// it as a coroutine: [Routine.Start] and [Routine.Resume] return the
// operations that it waits for, and whoever drives the routine carries them
// out, be it the proxy over the network or a test over a model of memcached. A
// change that comes to one append, as most do, goes without (direct.go).
// The packages have no network, no clock and no goroutine: time and what
// is known of the upstreams come from the [Env], so that a run can be repeated.
//
// All items of a structure live on the upstream that owns its key, see [Op.RoutingKey].
// So its operations travel on one connection, in order, and no other server matters.
//
// Some of what a verb asks for is not for memcached but for whoever drives the
// routine, see [Op.Local]: to let others have their turn in the middle of long work
// (pace.go), for room in memory before it reads something large (room.go), and to wait
// for another call (wait.go).
// What was read is valid only until the verb asks for the next thing. So what takes
// more than a slice to work on is copied first; small structures, which are nearly
// all, are worked on where they are, in one go, and ask for nothing.
//
// An operation of which the outcome is unknown is never repeated, and nothing
// is cleaned up behind it. What then lies about is left to memcached to evict.
//
// # What memcached makes of append
//
// Appending answers "not stored" both where there is no item and where the
// item would outgrow the limit, and says nothing more. From 1.6.20 on a meta
// set can append or create in one round trip; before that it takes append,
// add, and append again. See append.go, which every verb uses.
package verbs
