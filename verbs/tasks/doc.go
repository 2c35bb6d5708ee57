// Package tasks implements the verbs on queues of timed tasks: each is done at least once, not
// before its time, and held by one worker at a time.
//
// A task has an id, a time before which it is not due, and content. A worker takes a task that
// is due, which holds it for as many seconds as the worker asks for, and says when it is done.
// If the worker dies, the task is due again when that time is over. The idea is Alberto
// Marchetti's ("Timed tasks using Couchbase and Go"). His workers ask for the ids of tasks that
// are due and try to lock one after another; here the order of a log decides who holds what.
//
// A queue is a log of tokens, see package structure, and the content of each task is an item of
// its own:
//
//	queue     <queue>          t=<when>:<put>:<id> …
//	content   <queue>:<put>    the data and flags of the task
//
// Each put of a task gets a name of its own, 96 random bits in 16 characters of URL-safe base64.
// P is such a name, n counts the attempts at a task from 1, and times are in milliseconds since
// 1970:
//
//	t=<when>:P:<id>                     puts a task; one with the same id is replaced
//	t>P.n.<from>.<until>.<nonce>        takes it: the n-th attempt
//	t~P.n.<until>                       the n-th attempt holds it on, at least until then
//	t)P.n.<when>                        the n-th attempt puts it off, or back
//	t-P.n                               the n-th attempt has ended it
//	t-P                                 drops it, whoever holds it
//	t-:<id>                             drops the task with that id
//	t(<when>.n.<until>.<nonce>:P:<id>   puts a task that has been attempted; in folded logs
//
// A token with a number of an attempt has an effect only if that is the task's latest attempt.
// Taking it has an effect only if n is one more than the attempts so far, and <from> is not
// before the task's time nor before the end of the last hold. So of several that try to take it
// the first in the log has it, and there is no lock that memcached could evict, and no
// compare-and-swap to lose.
//
// # Who appends what
//
//	taskput    adds the content, then appends the token: in one round trip
//	tasktake   reads the queue, appends a token for each task that it would like to have, reads
//	           the queue again, and then the contents of those that it has got
//	taskdone   reads the queue, appends its token, reads the queue again, and deletes the content
//	           if the task is gone. Of several calls that end a task the one that finds its
//	           content has ended it. taskdrop does the same
//	taskkeep   reads the queue, appends its token, and reads the queue again to see whether the
//	           attempt is still the latest. taskretry does the same
//
// No step has to be tried again because others change the queue. The calls of an event
// loop append together and read once: calls that have had to wait choose their tasks after the next
// reading, one after another. So they never want the same tasks, and get the oldest; see offer.go for
// what they do about other loops and proxies.
//
// # What is true
//
//  1. A task whose put was acknowledged is handed out until it is done, dropped or replaced,
//     unless memcached evicts or loses the queue or its content.
//  2. It is not handed out before its time, by the clock of the proxy that hands it out.
//  3. No two calls are given the same stamp, <put>.<n>, and while one holds a task nobody else
//     gets it. If clocks of proxies differ, the holds of one may seem over to another: then a
//     task is done twice, but none is lost.
//  4. Content is there before its token, and deleted after the task has ended. The content of a task that
//     was replaced is left to memcached, which evicts it in time. So if the content of a task is
//     missing although the queue has it, memcached has evicted it: the task is
//     dropped, counted and logged, and not handed out.
//  5. Tasks are in the order of the times at which they can be taken, and those of the same time in
//     the order in which the log puts them. Folding and compacting keep that order.
//
// Content that nobody has read for long is what memcached evicts first. So each take looks at
// the contents of a few other tasks, see lost.go.
//
// # Files, from the top down
//
//	verbs.go    the list of verbs
//	apply.go    the tokens of a log, one after another
//	end.go      taskdone, taskkeep, taskretry and taskdrop
//	list.go     tasklist, tasklen
//	net.go      the log, and the net of a log
//	take.go     tasktake
//	content.go  reading contents
//	put.go      taskput
//	claims.go   who has got which
//	lost.go     contents that were evicted
//	offer.go    which tasks are claimed
//	index.go    tasks by their put and by their id
//	inorder.go  the first of those that are due
//	due.go      tasks by the time they are due
//	reader.go   the parts of a token
//	tasks.go    the calls of a queue
//	words.go    how the lines of the verbs are parsed
//	queue.go    the fold of a log
//	tokens.go   the tokens of a log
package tasks
