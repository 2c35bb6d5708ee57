// Package wire is how package moving speaks with memcached: it puts an operation into a request, reads the reply, and puts an
// answer into the words of the client's command. It knows no network.
//
//	moving.Operation ──Request──▶ a request to one of the two servers
//	moving.Reply     ◀──Read──── its reply
//	moving.Answer    ──Append──▶ what the client gets
//
// # Files, from the top down
//
//	answer.go  what the client gets
//	read.go    a reply of a server
//	request.go a request to a server
package wire
