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
// A wire that has no more bytes returns an error that is temporary. crypto/tls does not keep such
// an error: it returns it to the reader, keeps the part of a record that it has, and goes on with
// the next call. Session tickets and changes of keys, which come after the handshake, take the same
// way.
//
//	Server        what clients of a listener are shown, and what they have to show
//	Client        the same towards the servers of a pool
//	└─ watched      the configuration of either, which is made of files, and made again when
//	                these change
//	Handshakes    limits the handshakes with clients, counts them, and logs those that fail
//	Session       a connection after the handshake
//	└─ wire         what is under its tls.Conn
//	Error         why a connection is no good, in words for operators
//
// Sessions are resumed, if the client can: all servers of the process have the same keys for
// tickets, so that a reload changes nothing. crypto/tls checks the certificate of a client that
// resumes a session against the certificate authorities of the listener that it comes to.
package secure
