// Package admission makes clients wait for scarce resources, and serves them round-robin: a [Queue]
// has the clients whose next request waits for the same [Resource], such as room on a connection.
//
//	request ──▶ Queue.Admits ──▶ carried out
//	                 │ too little
//	                 ▼
//	             the queue ──Queues.Serve──▶ Owner.Proceed, which tries the request again
package admission
