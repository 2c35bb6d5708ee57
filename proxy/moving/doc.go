// Package moving is what becomes of a plain command while its key moves from one server to another, because the servers of a pool
// change: which of the two is asked for what, one operation after another, and how the client is answered. It knows neither
// network nor clock.
//
// # Phases
//
// Not all proxies learn of the change at the same moment. Each goes through phases ([Phase]), and takes so long for each of them
// that two proxies are always in the same phase or in neighbouring ones:
//
//	          reads ask       changes are made      moves items
//	(before)  old             old
//	Both      new, old, new   old                   no
//	Moving    new, old, new   new                   yes
//	Leaving   new             new, old is cleared   no, what the old server still has is lost
//	Ending    new             new                   no
//	(after)   new             new
//
// If the old server is found to be empty, a proxy may go on from Moving to Ending at once, while others are in Moving, too. The phase
// Leaving is for an old server that can't be emptied, because it is down, or there is no time: it ends what reads it. Its items stay
// there, and nobody reads them again.
//
// In Leaving, others may still be in Moving and find what is on the old server. So whoever stores or deletes something in Leaving
// clears the old server first, or refuses if it can't. Others may also be in Ending, where the old server is not cleared, and what
// it has may be older than what they have stored. So in Leaving nothing is brought over, and nobody is told of it. A client may be told that
// an item is missing which one of a proxy in Moving still finds.
//
// # What is promised
//
// An item may be missing, never old: no item comes back after a newer one, or its deletion, was acknowledged. An add is not
// acknowledged while there is an item, and no two are. What incr, append and the like have acknowledged is lost only together with
// the item. So it is as with one memcached that may evict the item at any time; there are two more things that a client may see. While
// some proxies are in Both and others in Moving: an item that a set, not acknowledged yet, has stored on the old server, and then once more
// the item before. While some are in Moving and others in Leaving: an item, none, and once more the item.
//
// # Strays
//
// When a move begins, the new server may have an item of the key from long ago, when it was the key's server before: a stray.
// In the phase Both, before anybody moves items, an item is added on the new server as a mark, and each proxy knows its CAS
// before it carries out any [Operation] there. As a server counts all its changes, a stray has a lower CAS than the mark, and what
// is stored during the move has a higher one. Whoever carries out a [Look] on the new server and finds a stray deletes it by its CAS, and replies
// [Absent]; so a command that something has kept from storing gets on. Nothing else needs to know of strays: a [Reserve] and a [Create] fail on
// one as on any item, and the call looks then; what deletes or replaces whatever is there is right to do so with a stray. Before
// proxies pass commands on as they are, the new server is swept for strays, which are deleted by their CAS. If the mark is evicted or
// flushed, somebody adds another one. A proxy goes on by the first one that it has seen while its connection to the server lasts; those
// that go by a later one lose items which were moved, or stored, before that.
//
// # How an item is moved
//
// The new server is given a placeholder by add ([Placeholder]), which to clients is no item. Its CAS is a token: whoever deletes or
// replaces the placeholder makes it invalid.
//
//	proxy                         old server        new server
//	                              V                 -
//	reserve                       V                 placeholder, token 7
//	look                          V, CAS 3          placeholder, token 7
//	delete if the CAS is 3        -                 placeholder, token 7
//	fill if the CAS is 7          -                 V
//
// Five rules make it safe. Each is there because of an order of events that the tests find without it.
//
// Nothing is stored on the new server but in place of an item, or of a placeholder that was there before the old server was seen
// empty, or made so; by its CAS, too. A change in the phase Both is made on the old server, and then deletes whatever is on the new one.
// So what was acknowledged on the old server is never hidden by an item on the new one, which would reveal it when it
// is evicted. To clear the old server, store on the new one, and clear the old one again, is not enough:
//
//	in Both          in Moving              in Moving
//	                 set W: clears old
//	set V at old
//	deletes at new
//	                 stores W at new
//	                                        append x: Wx, acknowledged
//	                 the new server evicts Wx
//	get: V, older than Wx
//	                 clears old again
//
// The item is deleted on the old server before it is stored on the new one. The other way round, an item is on both for a
// moment, and then a change of the one is undone by what has become of the other:
//
//	in Moving            in Moving
//	fills V at new
//	                     incr at new: V+1, acknowledged
//	the new server evicts V+1
//	get: V
//
// It is looked at after the reservation, although a get has seen it before, as it may have been touched in between, which does not
// change its CAS. It is deleted by its CAS, or a change that was made on it in between would be lost with it.
//
// A delete goes to the old server first. The other way round, the item could be moved between the two.
//
// A sweep moves items for no client ([Bring]). If it meets one on both servers, a change in the phase Both has stored that on the old
// server, and is not acknowledged yet, or failed. The sweep deletes it, but by the CAS with which it was there before the other one was seen.
// Without that, what was acknowledged meanwhile would be lost:
//
//	in Moving                  in Moving        in Both
//	bring: V at new
//	                           delete V
//	                                            set W at old, acknowledged
//	deletes W at old
//
// An add reserves the key on the new server in every phase but the last, and the reservation has to be there still when
// the item was created on the old one: so of an add there and one on the new server, one sees the other. If it is not, the
// client is told that the outcome is unknown.
//
// The phase Ending is needed because proxies after it pass commands on as they are. If some still made placeholders, append and
// replace would take them for items, and gets would show them.
//
// # What is not kept
//
// An item has another CAS when it has moved, so a cas with the one before is answered with EXISTS. (A CAS of one server could be by
// chance that of the other's item. As each counts all its changes, that is as improbable as with clients that know of
// no move.) A proxy that fails between deleting an item and storing it loses the item. A command that meets a placeholder looks
// again; after eight times it takes the owner for dead: a change deletes the placeholder, a get is told that there is no item.
//
// # Files, from the top down
//
//	command.go begin.go          of what kind a command is; it begins
//	get.go change.go             commands that read, commands on an item that is there
//	create.go set.go remove.go   commands that create an item, store one, delete it
//	bring.go                     moving an item for no client
//	fetch.go clear.go            how an item is moved; how the old server is cleared
//	call.go                      a command under way
//	reply.go item.go             what a server replies
//	answer.go operation.go       how the client is answered; what a server is asked
//	kind.go phase.go             the kinds of commands; how far a proxy has come
//
// Two references run up: a call is begun anew, and an add that finds an item may change that.
package moving
