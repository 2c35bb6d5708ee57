// Package article keeps sets in memcached without a proxy, as an application
// would: the algorithm that Dustin Sallings describes in "Maintaining a set in
// memcached", over gomemcache. memverbs is measured against it.
//
// A set is a log, "+a +b +c -b " for a and c. It is changed by appending, by
// adding the item if there is none, and, if that loses a race, by appending
// again. It is read by getting the log and folding it into a map. Who finds
// more garbage than members swaps a compacted log in by compare-and-swap, and
// lets it go if anything has changed meanwhile. Since a set that is written and
// hardly read would never be compacted, a write looks after the set once in a
// while too, as the article advises.
//
// It is meant as a fair opponent, so what costs nothing to do well is done
// well: a fold makes one string, of which all members are a part, and a map of
// the right size; repeated additions count as garbage, where the article counts
// removals only; and a log that has grown as long as memcached lets an item be,
// which the article leaves open, is compacted and written again.
package article
