// Package verbkeys lets ordinary commands carry verbs, for clients that can't
// be changed: a set or a get of a key that begins with an agreed prefix runs a
// verb and is answered as that set or get would be. With the prefix verb/
//
//	set verb/sadd/<set>, members as the value        sadd
//	set verb/srem/<set>, members as the value        srem
//	set verb/logput/<log>, an event as the value     logput, at the present time
//	get verb/smembers/<set>                          smembers
//	get verb/scard/<set>                             scard
//	get verb/sismember/<set>/<member>                sismember
//	get verb/logfetch/<log>[/<first>[/<last>]]       logfetch
//
// get stands for gets, mg and each key of a multi-get too, set for ms.
//
// The key of a set may hold slashes: a member is what follows the last of them,
// so a member that holds one can't be asked for this way. A time is what
// follows one of the last two slashes and is a number, so a log whose name ends
// like that is to be asked for with both times.
//
// The way of a request is: [Keys] tells by its key that it carries a verb and
// translates it to the verb's request; the verb is carried out as any other;
// [Understand] reads what the verb answered, and a [Form] puts that into the
// reply which the carrying command has. Nothing here does I/O or knows what
// else is under way.
package verbkeys
