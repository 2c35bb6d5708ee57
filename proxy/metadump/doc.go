// Package metadump lists the items of a memcached, by its command "lru_crawler metadump".
//
// [Open] takes a connection, and [Lister.Each] passes each [Item] to a func, which may stop the list.
//
// # What a list is worth
//
// Items are stored and deleted while the list is read. An item that is there all the time is in it, at least once; one that is
// stored or replaced meanwhile may be missing. So whoever wants all items keeps others from storing any, or lists them again. A list
// is whole if Each returns nil and the func has not stopped it.
//
// Keys are those of memcached: 1 to 250 bytes of any kind, as binary and base64-encoded keys may have spaces, control characters and
// line ends in them. A command of the text protocol can't ask for these.
//
// # Why the func must return at once
//
// memcached sends the list from a thread of its own, the crawler. If its client does not read, the crawler waits, with its locks, and
// has no limit of time for that. So the func must not wait for the same memcached, and what takes time is done after the list: the
// func takes as many items as there is memory for, and stops the list; once they are moved or deleted, the next list has others. Seen
// while a client does not read:
//
//	memcached               1.6.18                      1.6.38  1.6.45
//	commands on some keys   wait, soon all commands     -       -
//	another list            waits, and the other clients of its thread with it, in all three
//
// # Which list
//
// memcached 1.6.9 and later is asked for the items in the order of its hash table, which is as good as at random. The list may be
// broken off by closing the connection. Earlier versions can only list them by when they were used. That list is read to its end:
// closing the connection before may leave memcached in a deadlock, even 1.6.38 (the crawler unlocks what it has not locked); and it
// misses items that are used meanwhile. Asked for the other list, the earlier versions would unlock the crawler's own lock.
//
// By its sources, memcached may begin anew with the line that it was sending when a client has read nothing for a second. The line that comes
// of it has a key within the fields of another one, and is refused.
//
// # Files, from the top down
//
//	lister.go  a list
//	item.go    a line of it
//	lines.go   what a server sends, line by line, and in time
//	errors.go  what a server did wrong
package metadump
