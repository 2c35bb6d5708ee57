// Package outdated remembers what is outdated on unreachable servers: the keys that clients have
// changed or deleted meanwhile, or tried to, and flushes. When a server is back, package upstream
// deletes these keys before the server is used.
//
//	Memory          all servers of a process, which share its limits
//	└─ Keys           of one server, whichever pools have it
//	   └─ Batch         some of them that are being deleted
//
// A process that takes over from another one inherits them (handover.go).
//
// # Files, from the top down
//
//	handover.go              handing everything on to a successor
//	allservers.go            all servers
//	oneserver.go flushes.go  one server
//	ledger.go                what all servers share
//	heir.go limits.go        what a successor has not been told yet; how much is remembered
package outdated
