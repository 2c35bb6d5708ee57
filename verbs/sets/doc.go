// Package sets implements the verbs on sets.
//
// A set is stored as a log of tokens, see package structure: "+m " adds the member m and
// "-m " removes it. sadd and srem append without reading. Folding the log takes most of
// the processor time that this proxy spends on a set that has changed.
//
//	sets.go              the list of verbs; sadd, srem, smembers, sismember, scard
//	pick.go, algebra.go  the other verbs
//	words.go             how their lines are parsed
//	tokens.go            the tokens of the log
//	set.go, fold.go, hash.go, members.go  the set that a log comes to
//
// spop chooses members, then removes them only if the set is still unchanged (pick.go).
package sets
