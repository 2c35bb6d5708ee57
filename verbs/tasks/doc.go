// Package tasks implements the verbs on queues of timed tasks: each task is done at least once, not
// before its time, and held by one worker at a time.
//
// A task has an id, a time before which it is not due, and content. A worker takes a task that is
// due, holds it for as many seconds as it asks for, and says when the task is done. If the worker
// dies, the task is due again when that time is over. The idea is Alberto Marchetti's ("Timed tasks
// using Couchbase and Go"). His workers ask for the ids of tasks that are due and try to lock one
// after another; here the order of tokens in a log decides who holds a task.
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
//	t~P.n.<until>                       the n-th attempt prolongs its hold, at least until then
//	t)P.n.<when>                        the n-th attempt gives it back, to be due at that time
//	t-P.n                               the n-th attempt has ended it
//	t-P                                 drops it, whoever holds it
//	t-:<id>                             drops the task with that id
//	t(<when>.n.<until>.<nonce>:P:<id>   puts a task that has been attempted; in folded logs
//
// A token with the number of an attempt has an effect only if that is the task's latest attempt. A
// token that takes a task has an effect only if n is one more than the attempts so far, and <from>
// is neither before the task's time nor before the end of the last hold. So of several calls that
// try to take it, the one whose token is first in the log gets it. There is no lock that memcached
// could evict, and taking and ending tasks needs no compare-and-swap that could fail.
//
// # Who appends what
//
//	taskput    adds the content, then appends the token: in one round trip
//	taskadd    adds the content, and appends the same token, but only if the queue is as it was when
//	           it was found to have no task with that id: in one round trip if a view of it is kept
//	taskmove   puts the task anew under its old name, with its attempts and the new time, likewise: so
//	           its content and its last stamp stay good, and older builds understand it
//	taskpeek   reads the queue, and the content: in one round trip if a view is kept
//	tasktake   reads the queue, appends a token for each task that it would like to have, reads
//	           the queue again, and then the contents of those that it has got
//	taskdone   reads the queue, appends its token, reads the queue again, and deletes the content
//	           if the task is gone. Of several calls that end a task the one that finds its
//	           content has ended it, even if its token was too late to have an effect. taskdrop
//	           does the same
//	taskkeep   reads the queue, appends its token, and reads the queue again to see whether the
//	           attempt is still the latest. taskretry does the same
//
// Only taskadd and taskmove have to be repeated when others change the queue. The calls of an event loop append
// together and read once: calls that have waited choose their tasks after the next read, one after
// another. So they never try to take the same tasks, and get the oldest ones; see offer.go for how
// they compete with other loops and proxies.
//
// # What is true
//
//  1. A task whose put was acknowledged is handed out until it is done, dropped or replaced, or was taken
//     as often as the calls say that take tasks, unless memcached evicts or loses the queue or its content.
//  2. It is not handed out before its time, by the clock of the proxy that hands it out.
//  3. No two calls are given the same stamp, <put>.<n>, and while one holds a task nobody else
//     gets it. If the clocks of proxies differ, a hold may seem over to one proxy although it is
//     not: then a task may be done twice, but none is lost.
//  4. Content is stored before its token is appended, and deleted after the task has ended. The content
//     of a task that was replaced is left to memcached, which evicts it in time. So if the content of a
//     task is missing although the queue has it, memcached has evicted it: the task is dropped, counted
//     and logged, and not handed out.
//  5. Tasks are ordered by the times at which they can be taken, and those of the same time by the
//     place of their puts in the log, where a task that was moved counts as put anew. Folding and
//     compacting keep that order.
//
// memcached evicts content that has not been read for long first. So each take probes the contents
// of a few other tasks, see lost.go.
//
// # Files, from the top down
//
//	verbs.go       the list of verbs
//	end.go         taskdone, taskkeep, taskretry and taskdrop
//	tasklist.go    tasklist, tasklen
//	peek.go        taskpeek
//	take.go        tasktake
//	taskmove.go    taskmove
//	add.go         taskadd
//	put.go         taskput
//	content.go     reading contents
//	claims.go      which tasks a call has got
//	lost.go        contents that were evicted
//	offer.go       which tasks calls try to take
//	taskcall.go    a call of these verbs
//	queuefold.go   the fold of a log
//	apply.go       its tokens, one after another
//	net.go         its log, and the net of a log
//	change.go      what a token changes
//	inorder.go     tasks in the order of their times
//	due.go         tasks by the time they are due
//	index.go       finding tasks by their put and by their id
//	queue.go       what a queue consists of
//	taskwords.go   how the lines of the verbs are parsed
//	reader.go      the parts of a token
//	tasktokens.go  the tokens of a log
package tasks
