// Package structures puts what memverbs keeps in memcached under load, from
// outside: the program as it is shipped, real memcached processes of two
// versions, and everything that can go wrong between them.
//
// # Linearizability
//
// Dozens of workers (worker_test.go) add to, remove from and read a few sets
// through two memverbs, while a nemesis (nemesis_test.go) kills memverbs
// processes and has the connections to the memcacheds delayed, throttled, cut
// into pieces, stalled and cut off by toxiproxy. In a second test it kills
// memcacheds. The items of the sets are so small that they are rewritten and
// spread over others all the time.
//
// What was asked, when, and what was answered is the history of a set
// (history_test.go). Each is checked by porcupine against a model of a set
// (model_test.go): there must be an order of all actions, each between its call
// and its return, in which a set that is in one place and changed by one client
// at a time would have given the same answers. An action that was cut off or
// refused with SERVER_ERROR may have happened at any time since its call, or not
// at all. As the checker's work may double with each of these, a history is
// short, and when it has had its share the workers go on with a fresh set
// (place_test.go). That the checker finds no verdict in a minute is a failure.
//
// A history that is not linearizable is written to a folder, as text with what
// is stored under the key, and as porcupine's picture.
//
// # Locks
//
// Workers take, hold on and release locks through the same two memverbs while the
// same goes wrong (locks_test.go). Where only the holder of a lock may be, nobody
// must meet another before its time is over, nor be told that the lock is not its
// own.
//
// # Sizes
//
// The other tests are about one claim each: a set of a million members takes
// items of bounded size and little memory (large_test.go); a set that is never
// read does not grow for ever (unread_test.go), nor does one that all add to at
// once, and no member is lost (contended_test.go); nobody sees half a set when
// memcached evicts a part of it (evicted_test.go); a stretch of a log may take
// several items (log_test.go); reading a row takes the same operations in any
// table (rows_test.go). What adding and reading cost are benchmarks (bench_test.go,
// rowsbench_test.go).
//
// # For how long
//
// "go test" takes a minute or two. With the flag -soak, as in
//
//	make soak DURATION=10m
//
// the tests share that time, those of sizes run at full size, and what has come
// of it is printed.
package structures
