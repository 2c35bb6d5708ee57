// Package article keeps structures in memcached without a proxy, as an application
// would, over gomemcache. memverbs is measured against it.
//
// # Sets
//
// [Sets] has the algorithm that Dustin Sallings describes in "Maintaining a set in
// memcached". A set is a log, "+a +b +c -b " for a and c. It is changed by appending, by
// adding the item if there is none, and, if that loses a race, by appending
// again. It is read by getting the log and folding it into a map. A reader that finds more garbage
// than members replaces the log by a compacted one, by compare-and-swap, and gives up if anything
// has changed meanwhile. Since a set that is written and hardly read would never be compacted, a
// write compacts the set once in a while too, as the article advises.
//
// It is meant as a fair opponent, so everything that is easy to do well is done well: a fold makes
// one string, of which all members are a part, and a map of the right size; repeated additions
// count as garbage, where the article counts removals only; and a log that has grown as long as
// memcached lets an item be, which the article leaves open, is compacted and written again.
//
// # Lists, tables, locks and tasks
//
// The others are as simple as they are usually written, and no more correct. [Lists] are
// appended to, and popped from by getting and comparing and swapping the whole item.
// [Tables] are an item for each row and one that lists them, as Andrey Smirnov describes in
// "memcached and data structures"; a row whose field is listed is set alone. [Locks] are
// taken by add, and released by get and delete. [Tasks] are listed in an item; as in Alberto
// Marchetti's "Timed tasks using Couchbase and Go", whoever wants one asks which are due and tries
// to lock one after another.
package article
