// Package outdated remembers what is outdated on servers that are away: the keys that clients have
// changed or deleted meanwhile, or tried to, and a flush of everything. When a server is back, package
// upstream deletes them before the server is used.
//
//	Memory          all servers of a process, which share its limits
//	└─ Keys           of one server, whichever pools have it
//	   └─ Batch         some of them that are being deleted
//
// A successor gets them from the process that it takes over from (handover.go).
package outdated
