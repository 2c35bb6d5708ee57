// Package secure speaks TLS, with crypto/tls, on the sockets of event loops.
//
// A handshake takes several round trips, and processor time for signatures. So it runs on a
// goroutine, on a net.Conn as usual: [Handshakes.Shake] for clients, [Client.Shake] towards
// servers. After it there is no goroutine: the socket is enrolled with an event loop, and the
// [Session] turns received bytes into plaintext, and plaintext into bytes to send, in memory.
//
// For that, the [tls.Conn] is on a wire, which is switched when the handshake is over:
//
//	handshake   tls.Conn ─▶ wire ─▶ socket
//	after it    tls.Conn ─▶ wire ◀── Session.Feed: received bytes
//	                          └────▶ the writer of Session.Begin: bytes to send
//
// When a wire has no more bytes, it returns a temporary error. crypto/tls does not store such an
// error: it returns it to the reader, keeps the part of a record that it has, and goes on with the
// next call. Session tickets and key updates, which come after the handshake, are handled in the
// same way.
//
//	Server        the certificate for clients of a listener, and what certificate they need
//	Client        the same towards the servers of a pool
//	└─ Watched      the configuration of either, read from files, and read again when
//	                these change
//	Handshakes    limits the handshakes with clients, counts them, and logs those that fail
//	Session       a connection after the handshake
//	└─ wire         the connection under its tls.Conn
//	Error         why a connection failed, in words for operators
//
// A client may resume its session with any listener, even after a reload, because all servers of
// the process have the same keys for tickets. crypto/tls checks the certificate of a client that
// resumes a session against the certificate authorities of the listener that it comes to.
//
// # Files, from the top down
//
//	place.go                a handshake with a client
//	stream.go               connections without an event loop
//	poolside.go             the side of a pool towards its servers
//	handshakes.go           the limit of handshakes
//	session.go wire.go      a connection after the handshake, and what is under its tls.Conn
//	listenerside.go         a listener's side
//	watched.go validity.go  the configuration made of files; until when a certificate is valid
//	files.go error.go records.go
package secure
