// Package sets has the verbs on sets of members.
//
// A set is a structure that is a log, see package structure, of tokens: "+m " adds the
// member m and "-m " removes it. Adding and removing append without reading. To fold a log
// is most of what this proxy does for a set that has changed: see set.go. Members that are
// chosen at random and removed are removed only if the set is still what they were chosen
// from (pick.go).
package sets
