// Package config has the configuration: a [Config] as the operator has written it, and the [Setup] of pools and
// listeners made of it, which the event loops use. Both are immutable, except for the counts of clients and the
// state of servers ([upstream.Remote]), which all loops share.
//
//	Config ──▶ Setup ──▶ SharedPool ──▶ upstream.Remote, one for each server
//	             └─────▶ Socket, one for each listener
//
// A reload makes another Setup, in which whatever is configured as before is the same object. Two pools are equal if
// the texts of all their settings are, so that no setting can be forgotten in the comparison. When the name of a server
// resolves to another machine, there is another Setup too, with another server in its place ([Setup.Moved]).
//
// # Files, from the top down
//
//	changes.go       what a reload changes, for the log
//	unusable.go      servers that can't be used
//	moved.go         a setup in which some servers are replaced by others
//	fingerprint.go   what all proxies must agree on
//	left.go          servers that have left all pools
//	found.go         pools whose servers are found
//	setup.go         a setup
//	socket.go        listeners' sockets
//	refused.go       the errors for requests that clients of a pool may not send
//	migrate.go       which servers a pool uses whose plain keys move
//	sharedpool.go    a pool as all loops see it
//	gone.go          the memory of which servers reloads have removed, and of what is outdated on unreachable ones
//	config.go        what is configured
//	places.go        how verbs find structures while servers change
//	migrating.go     the move of a pool's plain keys
//	discovery.go     how the servers of a pool are found
//	guard.go         the settings of what clients of a pool may not do
//	ondown.go        what clients get while a server is down
package config
