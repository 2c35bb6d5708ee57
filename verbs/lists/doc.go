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
// So "l>a l>b l<c l(a " is the list c, b. Pushes and removals of values are appended without
// reading, in one round trip, by however many clients at the same time. Pops have to know
// what they remove: they decide on the list as it was read, and append the tokens that
// remove just that only if nothing has changed, see package structure. Where others push all
// the time, they would never succeed. There they append an order, "remove the first element",
// whatever that is, and then read which one it was (orders.go).
//
// Lists as items to which one appends are an old idea: Couchbase's manual for server 1.8
// ("simple lists") and Andrey Smirnov ("memcached and data structures") describe them, and
// tokens for removals. The manual's remedy for a list that is being rewritten, two items and
// a pointer to the active one, is not needed here: a head is rewritten by compare-and-swap
// of its beginning, and keeps what is appended meanwhile.
//
// # Folding a part of a log
//
// A removal can't be cancelled against any earlier push of the same value, since what is
// before the part of the log that is folded may hold the value too:
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
// So the net of a queue's log, which is pushed at one end and popped at the other, is about
// as long as the log. A queue is short all the same, because a short list before the folded
// part is always folded with it, and then everything that was popped is gone.
//
// # Files, from the top down
//
//	net.go     its log, and the net of a log
//	trim.go    ltrim, which decides too
//	lists.go   the list of verbs; those that append
//	pop.go     lpop and rpop, which decide
//	orders.go  pops that nothing can prevent
//	range.go   the verbs that read
//	places.go  elements by their places
//	list.go    the list that a log comes to
//	index.go   its elements by their values
//	tokens.go  the tokens of a log
//	words.go   how the lines of the verbs are parsed
package lists
