// Package structures puts what memverbs keeps in memcached under load, from
// outside: the program as it is shipped, real memcached processes of several
// versions, and everything that can go wrong between them.
//
// # Linearizability
//
// In a soak (soak_test.go) dozens of workers (worker_test.go) change and read a few
// structures of one kind through two memverbs, while a nemesis (nemesis_test.go) has things
// go wrong. There are three soaks of each kind, and two of sets:
//
//   - faults that lose no data: memverbs processes are killed, and the connections to the memcacheds
//     are delayed, throttled, cut into pieces, stalled and cut off by toxiproxy;
//   - memcacheds are killed;
//   - all of this, while the memcacheds have next to no memory and are flooded with other items
//     (flood_test.go), so that they evict any item at any time.
//
// The items are so small that they are rewritten and spread over others all the time.
//
// What was asked, when, and what was answered is the history of a structure
// (history_test.go). Each is checked by porcupine against a model of its kind (model_test.go):
// there must be an order of all actions, each between its call and its return, in which a
// structure that is in one place and changed by one client at a time would have given the
// same answers. An action that was cut off or refused with SERVER_ERROR may have happened at
// any time since its call, or not at all. Since each such action may double the checker's work,
// a history is short: after some actions the workers go on with a fresh structure
// (place_test.go). If the checker finds no verdict in a minute, that is a failure.
//
// When a memcached has died, a structure may be gone, once, but not half of it, nor may it come
// back. Where memcached evicts, a structure may be gone before any action, since nobody can tell when
// memcached evicted it. So histories of evictions prove less about everything else.
//
// A history that is wrong is written to a folder, as text with what is stored under the key,
// and as porcupine's picture.
//
// # The kinds
//
// For each kind there is a file with what the soak has to know of it (kind_test.go): its verbs, how often
// they are asked for, and their commands.
//
//   - sets_test.go: members in the order in which they were added (set_test.go). In half of
//     the places a name stands for dozens of members, which come and go together. Those that are
//     added for a time stay until after the end of a history, as increments in rankings do.
//
//   - lists_test.go: a deque (deque_test.go). A pop that waits is judged as one that does not: its answer has to be right at
//     some time until it comes.
//
//   - tables_test.go: each row is judged by itself (row_test.go, view_test.go), with what
//     concerns the table as a whole. A listing may lack a row only if there is none, or if
//     nobody had been told that it was stored before the listing began. A row may be evicted
//     by itself; if the anchor or the index is evicted, all rows are gone. Only then may an hset take effect twice, in
//     the old table and in a new one. Pages, by verbs and by keys, are compared with what is certain
//     of the other rows (pages_test.go): how many come before and after, and in which sequence.
//
//   - rankings_test.go: scores (scores_test.go). Increments that expire do so after the end of a
//     history; what becomes of them then is tested with the verbs.
//
//   - locks_test.go: who holds a lock, and until when at least (held_test.go): as many
//     seconds as were asked for, from the request on. Workers take, hold on and release a lock
//     like those who know what they do (locker_test.go), but forget it now and then, so that
//     its time has to end it, or try to release what they do not hold.
//
//   - limits_test.go: judged by time stamps and not by a model (judgelimit_test.go). Of what is asked and answered within a
//     window no more is allowed than the count, what is refused would have been too much with all that may have counted
//     then, and what is said to be left lies between what certainly counts and what may. When a memcached has died, as much may
//     be allowed twice more; where memcached evicts, only answers and refusals are judged. Half of the workers' requests are
//     commands on the keys of verbs.
//
// That a model takes right histories and finds wrong ones is tested with some of each
// (judges_test.go).
//
// # Tasks
//
// A queue of tasks is not judged by a model: it promises little about the sequence of tasks, but much about times
// and stamps. Workers take tasks, do them, hold them on, put them off, and hang now and then
// (tasker_test.go), while the same things go wrong (tasks_test.go). What they are told is entered
// into a roster (roster_test.go), which knows when each task is due and until when somebody
// certainly holds it, and why one may be done twice. All tasks have to be done in the end. What
// memcached evicts of a queue is shown with a single client (tasksevicted_test.go).
//
// # Two versions
//
// While proxies are replaced by newer ones, both change the same structures. So in releases_test.go one of the two memverbs
// is the last release.
//
// # Sizes
//
// The other tests are about one claim each: a set of a million members takes items of
// bounded size and little memory (large_test.go); a set that is never read does not grow for
// ever (unread_test.go), nor does one that all add to at once, and no member is lost
// (contended_test.go); no two who count one member of a ranking are told the same sum
// (sums_test.go); a million objects pass through a queue, none lost and none taken twice, and a feed has the last
// hundred posts, in order and without a gap (jobs_test.go); nobody sees half a set when memcached evicts a part of it
// (evicted_test.go); a stretch of a log may take several items (log_test.go); reading a row
// takes the same operations in any table (rows_test.go). What adding and reading cost are
// benchmarks (bench_test.go, rowsbench_test.go, rankingsbench_test.go).
//
// # For how long
//
// "go test" takes a minute or two. With the flag -soak, as in
//
//	make soak DURATION=10m
//
// the tests with faults share that time, one after another, the tests of sizes run at full
// size, and a summary is printed. To soak one kind for long, choose its tests:
//
//	go test -race -count=1 -timeout 0 -v ./tests/structures -run TestLists -soak 50m
//
// takes ten minutes, as lists have a fifth of the time.
package structures
