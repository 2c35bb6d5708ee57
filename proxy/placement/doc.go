// Package placement says where the verbs of a pool find their structures while the servers of the pool change.
//
// Proxies learn of a change one after another: a reload or an answer of a name server reaches one of them some seconds
// before another. Meanwhile a structure must not come to be in two places, nor must a lock be granted twice. So there are
// three rules, which [History] knows:
//
//		                        a change                settle later
//		before ────────────────────┬──────────────────────────┬──────────────────────────▶
//		  at the only place        │ verbs are refused on     │ where it was, if it is there still;
//		                           │ keys that the change     │ else at the new place
//		                           │ moves                    │
//
//	 1. After a change, verbs on the keys that it moves are refused for as long as it may take until all proxies have
//	    learned of it, the time called settle. Several changes within that time add up.
//	 2. Later, a structure is looked for at its former places first. If it is there, verbs go on using it there, for as long
//	    as it lives. They never make it anew there; what is made anew is made at the new place. So once a structure is
//	    gone from its former places, it stays gone there, whichever proxy looks.
//	    Event logs and limits consist of independent items that end by themselves, at times that proxies may see differently. So
//	    they remain nowhere as a whole: what is added comes to the new place, and what is left at the former ones is read as well.
//	 3. A server that has left the pool is not asked any more: what it has is lost, as if it had been switched off.
//
// A proxy that starts does not know what was before. So each server has an item that says which lists of servers verbs
// have used, a [Record]: first the list on which its writer has settled, then the others, those marked as pending that some
// proxies may use and others not. A proxy that starts while a list is pending, or finds that its own is not the first, settles itself.
//
// # Files, from the top down
//
//	places.go   the history of one pool as all event loops see it
//	history.go  the lists that were used, and what follows for a key
//	record.go   the item that says which lists were used
package placement
