// Package verbtest is what the tests of verbs share. It knows no verb: each test says which
// a client knows.
//
// A [Model] is a memcached as far as verbs can tell, to which operations go as their bytes
// say them (wire.go), and a [Caller] makes calls on it, one operation at a time. A [World]
// is both, for tests in which one call follows another. A [Schedule] has several callers at
// work at the same time, and things go wrong (mishap.go), as a [Chooser] decides: at
// random, in every way there is, or as it did before. A [Race] is such a schedule of calls on
// one structure, after which the answers have to be right by the [Rules] of its kind;
// [TryEach] and [TryRandom] run many, and show the shortest that is wrong. [Interfere], [FailEach] and
// [ReplySenselessly] do to a list of requests what every verb has to withstand, and a
// [Loop] makes the same call again and again, for benchmarks.
package verbtest
