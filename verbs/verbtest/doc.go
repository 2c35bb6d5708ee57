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
package verbtest
