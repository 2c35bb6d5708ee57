// Package outages asks client libraries for keys of two memcacheds behind memverbs while one of them is away:
// killed, or frozen.
//
// A proxy's error in the midst of a multi-get is what no client of a single memcached meets. Some take it for the end, and
// what follows it for the answers to their next requests, so that they return one key's value for another. So each
// value has the name of its key in it, and none may be returned for any other. Whatever a client returns for a key of the
// memcached that lives is the right value, or an error of its own; for one that is away, a miss or an error,
// or what the client has stored meanwhile, if there is a spare memcached. After the return it is never a value that the
// client has tried to replace.
//
// There is a program for each client, a driver. It is given the address, and perhaps a protocol, and then lines on its
// standard input, each of which it answers by one line on its standard output:
//
//	set <key> <value>   "stored" or "not stored"
//	get <key>           what was found, as <key>=<value>, or nothing
//	multi <key>...      the same, all of them asked for at once
//
// or, if the client raises an error or says that it had one, "error " and what it says. A driver adds nothing of its own: no
// attempt is made again, and it stays at one client. So it shows whether that loses step.
package outages
