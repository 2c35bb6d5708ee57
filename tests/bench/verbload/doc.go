//go:build linux

// Package verbload makes loads of verbs: the same work as verbs for memverbs, as plain appends for
// memverbs, and as Valkey's own commands for Valkey.
//
// [Sets], [Logs], [Lists], [Posts], [Tables], [Rankings] and [Locks] are the structures. They have a [load.Source] for
// each verb, and a method for each kind of server that fills it beforehand, so that
// every turn can begin with the same content. Members are drawn from a bounded pool: a
// set gets no larger than the pool, and some of the members that a load adds are new to
// it, and some are not.
//
// Replies are compared byte for byte, so that comparing costs the same for every server; only the
// length of what a pop removes can be known. Valkey returns members and rows in its own order: it
// is asked for them once when all are in place, and must then always return the same.
package verbload
