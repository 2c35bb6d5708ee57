// Package listen opens the listeners for clients, on TCP and unix sockets.
//
// [Sockets] opens them: it uses sockets that were passed to the process, by systemd or by the
// process that it takes over from, and passes them on. So a socket can outlive the process that has
// made it, and clients that connect meanwhile wait instead of being refused.
//
// A unix socket has its permissions before anybody can connect to it, and replaces a socket file
// that a process has left behind. [LeadsTo] reports whether an address is one of this process's
// listeners, so that the proxy does not become its own upstream.
//
// # Files, from the top down
//
//	sockets.go            the sockets of a process
//	mode.go               changing permissions
//	passed.go             sockets that were passed to the process
//	self.go               whether an address leads back to this process
//	opening.go advice.go  opening a socket, and what to do if that fails
//	address.go            where to listen
//	opensocket.go         an open socket
//
// References from a file to one above it: a socket that is closed leaves the list of its Sockets.
package listen
