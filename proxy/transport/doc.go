// Package transport has the event loops of gnet, and what works around gnet or beside it, so
// that nothing else needs to know of it: how loops are got hold of and woken, how sockets are
// written to without a queue that grows, how reading is paused, and how large data is read
// without a copy.
//
//	Engine    the event loops
//	└─ Loop      one of them: what is posted to it, and who has something to write
//	   └─ Conn      one socket: its output, and whether it is read
//	      └─ Output    what is to be written, in buffers that are counted
//	events    where gnet's events enter
//	poller    epoll, for what gnet has no call for
//
// The owner of a Conn is told when something was read; what it does then only fills outputs.
// When that is done the owner of the Loop has it flush them, one system call for each
// connection. What a socket does not take waits until the poller says that it takes more,
// and a large output goes on in the next turn, so that others are served in between.
package transport
