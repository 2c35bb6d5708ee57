// Package verbtest is shared by the tests of verbs. It knows no verb: each test passes the
// list of verbs that a client knows.
//
// A [Model] models memcached; it receives operations in their encoded form (wire.go). A
// [Caller] makes calls on it, one operation at a time. A [World] is a Model with one
// Caller, for tests in which one call follows another.
//
// A [Schedule] runs several callers concurrently and lets things go wrong (mishap.go), as
// a [Chooser] decides: at random, in every possible way, or as recorded. A [Race] is such a
// schedule of calls on one structure, whose answers must obey the [Rules] of its kind.
// [TryEach] and [TryRandom] run many races and report the shortest wrong one.
//
// [Interfere], [FailEach] and [ReplySenselessly] subject requests to what every verb has to
// withstand. A loop ([NewLoop]) repeats one call, for benchmarks.
//
// # Files, from the top down
//
//	unread.go        a structure in use stays read
//	loop.go          one call, repeatedly
//	failures.go      each operation of a call fails
//	interference.go  other clients interfere with a call
//	everyrace.go     all schedules of races
//	randomraces.go   random ones
//	shrink.go        the shortest wrong one
//	track.go         races are run and checked
//	randomrace.go    what random races have in common
//	schedules.go     how many schedules are run
//	detector_on.go detector_off.go
//	race.go          races, and their rules
//	run.go           a schedule is run
//	ways.go          what may come next in it
//	waits.go         calls that wait
//	mishap.go        what goes wrong
//	takealong.go     appends that others carry out
//	ledappend.go     appends that others wait for
//	schedule.go      what a schedule consists of
//	history.go       what it notes
//	chooser.go       who decides
//	choices.go       whether some order explains a history in which calls have several effects, or none
//	linearizable.go  whether some order explains a history
//	world.go         one client
//	caller.go        its calls
//	wire.go          operations and replies as they are sent
//	near.go          calls that ask nobody
//	model.go         memcached
//	pile.go          a structure of a kind of its own
//	wordsoflog.go    the words of a log
//
// One reference runs up: a [World] keeps the memory in which schedules on it, one after another, list their next steps.
package verbtest
