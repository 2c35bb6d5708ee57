// Package transport has what works around gnet or beside it, so that nothing else needs to
// know of it: how sockets are written to without a queue that grows, how reading is paused,
// and how large data is read without a copy.
//
//	Loop      the connections of an event loop that have something to write
//	Conn      one socket: its output, and whether it is read
//	Output    what is to be written, in buffers that are counted
//	poller    epoll, for what gnet has no call for
//
// gnet calls whoever owns a connection when something was read; what the owner does then
// only fills outputs. When it is done it has the loop flush them, one system call for each
// connection. What a socket does not take waits until the poller says that it takes more,
// and a large output goes on in the next turn, so that others are served in between.
package transport
