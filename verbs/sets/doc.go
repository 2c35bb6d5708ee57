// Package sets implements the verbs on sets.
//
// A set is stored as a log of tokens, see package structure: "+m " adds the member m,
// "-m " removes it, and "~until:m " adds it until a time. sadd, saddp, srem and schange append without reading. Folding the log takes most of
// the processor time that this proxy spends on a set that has changed.
//
// spop chooses members, then removes them only if the set is still unchanged (pick.go).
//
// # Files, from the top down
//
// References from a file to one above it: hash.go, fold.go and set.go know of members that expire, and until.go of what a
// set is and how a log is written; saddnew goes through a set at the pace of spop.
//
//	setverbs.go  the list of verbs
//	algebra.go   sunion, sinter, sdiff
//	pick.go      spop, srandmember
//	addnew.go    saddnew
//	sets.go      smembers, sismember, scard
//	changing.go  those that append: sadd, saddp, srem, schange
//	members.go   the answers from a set, and the log of a set
//	drop.go      members that are dropped before a log is written
//	set.go       the fold of a log
//	until.go     members that were added until a time
//	fold.go      how the tokens of a log are looked up
//	hash.go      the hashes of members
//	splitter.go  the tokens of the log
//	setwords.go  how the lines of the verbs are parsed
package sets
