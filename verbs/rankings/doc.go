// Package rankings implements the verbs on rankings: members with scores, which are whole
// numbers of 64 bits, in the order of the scores. Increments may undo themselves after some
// time, so a ranking can be "most viewed today", without a timer anywhere.
//
// A ranking is stored as a log of tokens, see package structure. n is a number, m a member:
//
//	z=n:m                 sets the score of m, and forgets all that was said of it before
//	z+n:m                 adds n
//	z~n@until;n@until:m   adds n until a time, in seconds since 1970, and so on
//	z-m                   removes m, and forgets likewise
//
// So "z=5:a z+1:a z~2@1700000000:a " is a score of 8 for a, and of 6 from that time on. Nearly
// all changes are appended without reading, in one round trip, by however many clients at the
// same time. An increment whose caller wants the new score has to know the old one: it decides
// on the ranking as it was read, and is appended only if nothing has changed, see package
// structure. Where others change the ranking all the time, it would never succeed. There it is
// appended as an order, "add this and note what it came to", and then the note is read
// (orders.go).
//
// The idea, most of the verbs, and increments that undo themselves are those of the server
// ranked (https://github.com/rollrat/ranked), which keeps its tables in its own memory.
//
// # Time
//
// An increment that expires counts until a time by the clock of the proxy that reads. When it
// is made, that time is rounded up, so that the increments of a member have few different
// times, about a hundred, and those of the same time are added up. Its token stays in the log
// for ten seconds after it has expired, since a proxy with a slower clock may still count it, and for five
// by memcached's clock, since the one that rewrites the log may be ahead.
//
// So the same log comes to other scores later. A fold knows when its scores change next, and is
// brought up to the time before it is used again, also if the log is unchanged. It knows when they
// have changed last, and is dropped if the clock was put back before that, see [format.Timed].
//
// # Order
//
// To answer with the best ten, a ranking need not be sorted: see ends.go and sort.go.
//
// # Files, from the top down
//
//	apply.go       the tokens of a log, one after another
//	ahead.go       members are looked up ahead
//	rankings.go    the list of verbs; those that append
//	range.go       those that read
//	increments.go  those that answer with new scores
//	places.go      members by their places
//	ends.go        the best and the worst, in order
//	sort.go        all others
//	net.go         the log, and the net of a log
//	words.go       how the lines of the verbs are parsed
//	ranking.go     the fold of a log
//	orders.go      increments that nothing can prevent
//	expiry.go      increments that expire
//	expiryheap.go  the next of them
//	members.go     what a ranking knows of each member
//	tokens.go      the tokens of a log
package rankings
