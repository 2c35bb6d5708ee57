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
// References from a file to one above it: the list of verbs (sets.go) names those of the first three files;
// set.go, until.go and fold.go use each other.
//
//	algebra.go   sunion, sinter, sdiff
//	pick.go      spop, srandmember
//	addnew.go    saddnew
//	sets.go      the list of verbs; smembers, sismember, scard
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
