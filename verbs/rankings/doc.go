// Package rankings implements the verbs on rankings: members with scores, which are whole
// numbers of 64 bits, in the order of the scores. Increments may undo themselves after some
// time, so a ranking can be "most viewed today", without a timer anywhere.
//
// A ranking is stored as a log of tokens, see package structure. n is a number, m a member:
//
//	z=n:m                 sets the score of m; earlier tokens about m lose their effect
//	z+n:m                 adds n
//	z~n@until;n@until:m   adds n until a time, in seconds since 1970; and so on
//	z(n:m                 raises the score of m to n, if it is lower or there is none
//	z)n:m                 lowers the score of m to n, if it is higher or there is none
//	z-m                   removes m; earlier tokens about m lose their effect
//
// So "z=5:a z+1:a z~2@1700000000:a " is a score of 8 for a, and of 6 from that time on. Nearly
// all changes are appended without reading, in one round trip, by however many clients at the
// same time. An increment whose caller wants the new score needs the old one: the call computes the
// new score from the ranking as it was read, and appends its tokens only if nothing has changed,
// see package structure. If others change the ranking all the time, that would never succeed. Then
// the increment is appended as an order, "add this and note the new score", and then the note is
// read (orders.go).
//
// The idea, most of the verbs, and increments that undo themselves come from the server ranked
// (https://github.com/rollrat/ranked), which keeps its tables in its own memory.
//
// # Time
//
// An increment that expires counts until a time by the clock of the proxy that reads. That time is rounded
// up when the increment is made, so that the increments of a member have few different times, about a
// hundred, and those of the same time are added up. Its token stays in the log for ten seconds after it
// has expired, since a proxy with a slower clock may still count it. By memcached's clock it stays at
// least five seconds, since the clock of the proxy that rewrites the log may be ahead.
//
// So the same log has other scores later. A fold knows when its scores change next, and is brought
// up to date before it is used again, even if the log is unchanged. It also knows when they last
// changed, and is dropped if the clock was put back to before that, see [format.Timed].
//
// # Order
//
// To answer with the best ten, a ranking need not be sorted: see ends.go and sort.go. To find members by their scores
// again and again, it is sorted once, and then kept in order: see inorder.go.
//
// # Files, from the top down
//
//	rankings.go       the list of verbs
//	pop.go            those that remove members at the ends
//	increments.go     those that answer with new scores
//	byscore.go        those that read a range of scores, or what is around a member
//	range.go          the others that read
//	encode.go         those that append
//	rankingcall.go    a call of these verbs
//	rankingfold.go    the fold of a log
//	applytoken.go     its tokens, one after another
//	ahead.go          prefetching the entries of members
//	rankingnet.go     the log of a ranking, and the net of a log
//	orders.go         increments as orders, which nothing can prevent
//	places.go         members by their places, and how many there are before a score or a member
//	expiry.go         increments that expire
//	clamp.go          what raises and lowers scores, and depends on increments that expire
//	scoreparts.go     what a score is the sum of
//	scorechange.go    the score of a member changes
//	inorder.go        all members in order
//	ends.go           the best and the worst, in order
//	sort.go           all others
//	members.go        members by their names
//	cut.go            places between members
//	ranking.go        what a ranking consists of
//	entry.go          what it knows of each member
//	expiryheap.go     increments that expire, the next of them first
//	rankingwords.go   how the lines of the verbs are parsed
//	rankingtokens.go  the tokens of a log
package rankings
