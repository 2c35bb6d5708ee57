// Package eventlogs has the verbs on event logs, which keep what happened in the last while.
//
// An event log is a ring of items, each holding the events of one stretch of
// time, the chunk, and expiring before its place in the ring is used again.
// The idea is Andrey Smirnov's ("memcached and data structures"). See
// renew.go for what becomes of events that are early, and overflow.go for a
// chunk that outgrows an item.
package eventlogs
