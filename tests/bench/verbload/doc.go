//go:build linux

// Package verbload thinks out loads of verbs: the same work, said to memverbs
// as verbs, to memverbs as plain appends, and to Valkey as commands of its own.
//
// [Sets], [Logs], [Lists], [Tables], [Rankings] and [Locks] are what the work is about. Each verb makes
// a [load.Source] of them, and for each kind of server something fills it beforehand, so that
// every turn can begin with the same. Members are drawn from a bounded pool: a
// set gets no larger than that, and what a load adds is partly new and partly
// there already.
//
// Replies are compared byte for byte, so that comparing costs the same, whoever
// is asked; only of what a pop takes out, nobody can know more than how long it is.
// Valkey gives members and rows in an order of its own: it is asked for them once when all
// are in place, and again and again must give the same.
package verbload
