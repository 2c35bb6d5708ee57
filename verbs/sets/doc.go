// Package sets implements the verbs on sets.
//
// A set is stored as a log of tokens, see package structure: "+m " adds the member m and
// "-m " removes it. sadd and srem append without reading. Folding the log takes most of
// the processor time that this proxy spends on a set that has changed.
//
// spop chooses members, then removes them only if the set is still unchanged (pick.go).
//
// # Files, from the top down
//
// The list of verbs names those of the first two files; a set and how its tokens are looked up know each other.
//
//	algebra.go  sunion, sinter, sdiff
//	pick.go     spop, srandmember
//	sets.go     the list of verbs; sadd, srem, smembers, sismember, scard
//	members.go  what a set answers, and its log
//	set.go      the set that a log comes to
//	fold.go     how the tokens of a log are looked up
//	hash.go     the hashes of members
//	tokens.go   the tokens of the log
//	words.go    how the lines of the verbs are parsed
package sets
