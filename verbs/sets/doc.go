// Package sets implements the verbs on sets.
//
// A set is stored as a log of tokens, see package structure: "+m " adds the member m and
// "-m " removes it. sadd and srem append without reading. Folding the log takes most of
// the processor time that this proxy spends on a set that has changed: see set.go. spop
// removes the members that it has chosen only if the set has not changed since (pick.go).
package sets
