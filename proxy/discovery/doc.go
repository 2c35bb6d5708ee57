// Package discovery finds the servers of a pool whose settings name no servers, but a [Source] that lists them: a
// name of DNS, or the configuration of a cluster. The source is asked again and again, so that the list follows
// it. The package knows nothing of connections to the servers, nor of where keys are placed.
//
//	Source ──▶ Asker ──Answer──▶ Members ──▶ Watch.List
//	              │                 ▲
//	              ▼                 │ takes the answers over time
//	          Resolver            Watch, on its schedule
//
// An answer without servers, a failed one and one that makes no sense change nothing: the last good list is kept. A
// server that is not in a good answer any more is away, which its pool takes for down; so a server that is restarted
// keeps its keys. It leaves the list when a good answer without it comes after it was away for long enough.
//
// # Files, from the top down
//
//	watch.go      asking a source again and again
//	members.go    the list over time
//	asker.go      asking a source once
//	source.go     what a source is, as it is written
//	addresses.go  asking for all addresses of a name
//	services.go   asking for the SRV records of a name
//	cluster.go    asking a cluster for its configuration
//	resolver.go   looking up a name of DNS
//	records.go    the records in a packet
//	exchange.go   one question to one name server
//	answer.go     what a source has answered
//	order.go      the order of servers
package discovery
