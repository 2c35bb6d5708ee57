// Package verify finds out whether a layout fits a pool: whether the keys on the servers are where
// the layout places them.
//
// A [Check] asks all servers at once for some of their keys ([metadump]), and closes the connection when there are enough.
// Each key is tried with each layout when it arrives (tally.go) and then forgotten, so that
// memory does not grow with the sample. Whatever a server sends, it costs no more memory than a
// line, and no more time than Timeout.
//
// With n servers, a wrong layout finds about every n-th key by chance, and the right one finds all.
// So a few hundred keys show which layout is right. Layouts that place all keys of the sample on
// the same servers can't be distinguished.
//
// The items of a structure are on the server of the structure's key. They are recognized by the
// form of their keys (see [catalog.Bases]), but keys of other programs may have the same
// form. So such a key counts as found on the server of the structure's key and on that of its own.
//
// Other pools may have keys on the same servers. A key that this layout does not find, but that of another pool
// does, does not count against the layout.
//
// [Result] is the outcome, with a report for operators.
//
// # Files, from the top down
//
//	report.go  the report for operators
//	result.go  the outcome
//	check.go   asking the servers
//	advice.go  what an operator can do about a server's error
//	tally.go   trying layouts
//
// Four references go to files above: a Check returns a Result, and has the layouts that are tried.
package verify
