// Package transport runs gnet's event loops. It hides gnet, and the workarounds for what gnet can't
// do, from the rest of the proxy: finding and waking loops, writing to sockets with a bounded
// queue, pausing reads, and reading large data without copies.
//
//	Engine    the event loops
//	└─ Loop      one of them: functions posted to it, and sockets with output to write
//	   └─ Conn      one socket: its output, and whether it is being read
//	      ├─ life      whether gnet has the socket, and reads it
//	      ├─ schedule  when the output is written
//	      ├─ Output    the bytes to write, in buffers of a pool
//	      └─ secured   what a Conn with TLS has in addition: its session, and ciphertext to write
//	events    receives gnet's events
//	poller    uses epoll for what gnet has no function for
//
// gnet registers and closes sockets, and calls functions that were posted. On Linux, the loop itself waits for sockets and reads them:
// when gnet has called it at the end of a turn, it goes back to gnet only for what it can't do. On other systems, gnet reads.
//
// An event is handled in memory first, which fills outputs. The loop flushes them at the
// end of the event, with one system call for each connection if possible:
//
//	gnet ─▶ events ──────┐
//	Loop.serveSockets ───┴─▶ Owner.Opened, Read, Closed    a client or an upstream: handles the
//	                            └─▶ Conn.Out, Conn.Send    event, and marks outputs to write
//	        end of the event
//	        Loop.handled ─▶ LoopOwner.EndCallback ─▶ Loop.Flush ─▶ Conn.flush ─▶ poller.write
//	                                                                │ too long for one turn:
//	        all readable sockets were read                          ▼
//	        Loop.endTurn ─▶ LoopOwner.EndTurn ─▶ Loop.WriteOn ─▶ Conn.Send
//	            └─▶ Loop.serveSockets                     waits until something is to be read
//	        a full socket is writable again
//	        Loop.sendOn ─▶ Conn.writable ─▶ Conn.Send
//
// With TLS, what gnet has read goes through the session to the owner, and the front of the output
// goes through it to the socket. The output keeps its plaintext until the socket has accepted all
// of its ciphertext, so that owners see no difference:
//
//	gnet ─▶ events, Loop.read ─▶ secured.receive ─▶ Session.Feed, Open ─▶ Owner.Read
//	Conn.flush, Pass ─▶ secured.write ─▶ Session.Seal ─▶ secured.sealed ─▶ poller.write
//
// # Files, from the top down
//
//	engine.go           the event loops
//	events.go           what gnet calls
//	endofturn.go        how a loop ends a turn
//	serving_linux.go    how it waits for sockets, and reads them
//	enroll.go           how a loop gets sockets
//	move.go             how a Conn moves what it receives to another
//	ends.go             how a Conn ends
//	turns.go            what a loop writes at the end of an event, and of a turn
//	writable.go         sockets that accept no more for now
//	write.go            how a Conn writes
//	secured.go seal.go  TLS
//	due.go              when a Conn writes
//	connection.go       a Conn, and how it is read
//	sealed.go           what it has besides with TLS
//	loop.go             a loop
//	sockets.go          its sockets, by descriptor
//	handover.go         what it is handed by others while it waits
//	yielding.go         when it lets other goroutines go on
//	turnstate.go life.go writeschedule.go output.go
//	poller_linux.go poller_other.go
//	epolls_linux.go cause.go handle.go
//	pipe_linux.go pipe_other.go
//
// References from a file to one above it: a loop lists the Conns that have output, or wait until they can write more.
package transport
