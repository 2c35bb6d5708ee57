// Package admission has clients wait, in turn, for what there is too little of: a [Queue]
// holds those whose next request waits for the same [Resource], such as room on a
// connection.
//
//	request ──▶ Queue.Admits ──▶ carried out
//	                 │ too little
//	                 ▼
//	             the queue ──Queues.Serve──▶ Owner.Proceed, which looks at the request again
package admission
