// Package config is what is configured, and what becomes of it: a [Config] as the operator has written it, and the
// [Setup] of pools and listeners that the event loops work by. Nothing here changes once it is made, but for the
// counts of clients and the servers' state ([upstream.Remote]), which all loops share.
//
//	Config ──▶ Setup ──▶ SharedPool ──▶ upstream.Remote, one for each server
//	             └─────▶ Socket, one for each listener
//
// A reload makes another Setup, in which whatever is configured as before is the same object. Whether a pool is as
// before, its settings' texts tell, so none can be forgotten. The name of a server may come to lead to another machine:
// then there is another Setup too, which differs by that server ([Setup.Moved]).
//
// # Files, from the top down
//
//	changes.go       what a reload changes, for the log
//	unusable.go      servers that can't be used
//	moved.go         servers in other servers' places
//	left.go          servers that no pool has any more
//	setup.go         a setup
//	socket.go        listeners' sockets
//	refused.go       what clients of a pool may not ask for
//	sharedpool.go    a pool as all loops see it
//	gone.go          which servers reloads have removed
//	staleness.go     what is outdated on servers that were away
//	config.go        what is configured
//	guard.go         what clients of a pool may not do
//	ondown.go        what they get while a server is down
package config
