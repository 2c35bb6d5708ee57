// Package migration is the move of a pool's plain keys when its servers change: how far it has come, and what takes it to its
// end. What becomes of a command on a key that moves is in package moving.
//
// Nobody leads. Each proxy begins when it learns of the change, and goes through the phases by its own clock, each settle long:
//
//	a change ──settle──▶ Moving ──┬──────────────────────── all servers are swept ──▶ Ending ──settle──▶ over
//	  Both                        └─ the servers change again, or time is up ─▶ Leaving ──settle──▶┘
//
// As all proxies learn of it within settle, two of them are always in the same phase or in neighbouring ones. That some proxy
// leaves, or that all servers are swept, is said by an item at each server, which all proxies ask for all the time; a proxy to
// which no server has answered for half of settle makes no changes to keys that move.
//
// # Sweeping
//
// When all proxies are in the phase Moving, each server is gone through, by whichever proxy comes first: its items whose keys have
// moved are moved, so that nothing remains that could come back later. Items of structures stay, see package placement.
//
// # Items from before
//
// A server that keys move to may have items under them from an earlier time, such as when it was in the pool before. They are
// older than the mark that tells of the migration, and so is their CAS. They count as missing, and are deleted.
//
// # A proxy that starts
//
// It asks the servers which list of servers was used last, and whether a migration is under way, which it joins: the time to live of
// the mark tells when that began. One that has just ended it joins for what is left of the last phase, as others may have placeholders.
//
// # Files, from the top down
//
//	keeper.go    what takes a migration to its end
//	sweep.go     going through the items of a server
//	pile.go      items that a sweep has found
//	inquire.go   what a proxy that starts asks the servers
//	migration.go a migration as all event loops see it
//	mark.go      the items that tell of it
//	server.go    asking a server
package migration
