// Package verify finds out whether a layout fits a pool: whether the keys that are in the
// servers are where the layout looks for them.
//
// A [Check] asks all servers at once for some of their keys (dump.go), with memcached's
// command "lru_crawler metadump", and closes the connection when there are enough.
// Each key is tried with each layout when it arrives (tally.go) and then forgotten, so that
// memory does not grow with the sample. Whatever a server sends, it costs no more than a line of
// memory, and Timeout at most.
//
// With n servers, a layout that has nothing to do with the pool finds about every n-th key by
// chance, and the right one finds all. So a few hundred keys tell which it is. Layouts that
// place all keys of the sample alike can't be told apart.
//
// The items of verbs' structures are where the structure's key belongs. They are recognized by
// their keys (see [catalog.AppendOwners]), but keys of other programs may have the same form, so
// such a key is in place both where its owner belongs and where it belongs itself.
//
// Other pools may have keys on the same servers. A key that this layout does not find, but the layout of another
// pool does, is no misfit.
//
// [Result] is the outcome, and has a report of it for an operator to read.
//
// # Files, from the top down
//
//	report.go   what an operator reads
//	result.go   the outcome
//	check.go    asking the servers
//	dump.go     what a server sends
//	tally.go    trying layouts
//	item.go     a key that a server has
//	others.go   pools that have keys there too
//
// Four references run up: a Check returns a Result, and has the layouts that are tried.
package verify
