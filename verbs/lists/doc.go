// Package lists implements the verbs on lists: rows of elements to which both ends are open.
// The same value may be in a list several times. A list can be a queue, a stack, or a log of
// the last few events.
//
// A list is stored as a log of tokens, see package structure. v is a value:
//
//	l>v   adds v at the right end          l(v   removes the first v, from the left
//	l<v   adds v at the left end           l)v   removes the last v
//	                                       l-v   removes all v
//
// An element may also have data, any bytes with flags. Its tokens have a sign more, and an id that is its own, by which
// it is removed, so that a removal is short, and is of no other element:
//
//	l+>id.flags.data   adds it at the right end, the data escaped (escape.go)
//	l+<id.flags.data   adds it at the left end
//	l+-id              removes it
//
// So "l>a l>b l<c l(a " is the list c, b. Pushes and removals of values are appended without
// reading, in one round trip, by however many clients at the same time. Pops have to know what they
// remove: they choose elements of the list as it was read, and append tokens that remove just
// these, only if nothing has changed, see package structure. If others push all the time, that
// would never succeed. Then they append an order, "remove the first element", whichever that is,
// and then read which one it was (orders.go).
//
// Lists as items to which one appends are an old idea: Couchbase's manual for server 1.8
// ("simple lists") and Andrey Smirnov ("memcached and data structures") describe them, and
// tokens for removals. The manual rewrites a list by means of two items and a pointer to the active
// one. That is not needed here: a head is rewritten by compare-and-swap of its beginning, and keeps
// what is appended meanwhile.
//
// # Folding a part of a log
//
// When a part of a log is folded, a removal can't be cancelled against just any earlier push of the
// same value, since the log before that part may contain the value too:
//
//	before    folded     net
//	(none)    l>a l(a    must leave nothing
//	l>a l>b   l>a l(a    must leave b a, not a b
//
// The net of a log (see [format.Fold]) therefore keeps removals from the far end. Only
// what is certain is cancelled: l)v removes the newest l>v, whatever is before. That holds
// only if no removal of v that was kept comes between the two: in "l>a l(a l<a l)a" the
// first removal takes the pushed a if there is no other, and then the second takes the
// last one. net.go has the rule, and net_test.go tries it on random logs.
//
// As no two elements have the same id, what is certain about an element with data is simpler: a removal makes
// everything before it that is about the same id superfluous, the data too. The removal itself is kept.
//
// So the net of a queue's log, which is pushed at one end and popped at the other, is about as long
// as the log. The log stays short all the same: if the list before the folded part is short, it is
// always folded with it, and then everything that was popped is gone.
//
// # Files, from the top down
//
//	lists.go       the list of verbs
//	trim.go        ltrim
//	pop.go         lpop and rpop
//	push.go        rpush, lpush, rput, lput and lrem
//	range.go       the verbs that read
//	listanswer.go  elements are answered
//	listcall.go    a call of these verbs
//	listfold.go    the fold of a log
//	apply.go       its tokens, one after another
//	net.go         its log, and the net of a log
//	carryout.go    orders are carried out
//	removed.go     what they have removed is remembered
//	places.go      elements by their places
//	index.go       elements by their values
//	list.go        what a list consists of
//	split.go       a log is split into tokens
//	element.go     elements, which are words or have data
//	escape.go      data as one word
//	orders.go      pops and trims as orders, which nothing can prevent
//	work.go        how much is done without a pause
//	listtokens.go  the tokens of a log
//	listwords.go   how the lines of the verbs are parsed
package lists
