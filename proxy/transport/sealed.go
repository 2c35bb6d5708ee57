package transport

import "github.com/memverbs/memverbs/proxy/secure"

// secured is what a Conn with TLS has in addition. The output of the Conn contains plaintext. One part at a time,
// from the front, is sealed: encrypted into records. It remains in the output until the socket has accepted all of
// its ciphertext, so that the owner need not know what has been sealed.
type secured struct {
	session *secure.Session
	divider Divider // nil if the owner does not mind how its output is divided
	sealed  Output  // ciphertext
	covers  int     // bytes at the front of Conn.Out whose ciphertext is in sealed, or was
	begun   int     // bytes of the ciphertext that the socket has accepted
	counted int     // memory of the session, in bytes, as counted in the account
	reason  error   // why nothing more will be received; nil while that may be
	shut    bool    // CloseWrite waits for sealed to be written
}

// Divider is an [Owner] that decides how its output is divided into records.
type Divider interface {
	// Divide returns how many bytes of the output, after the first from bytes, are to be one
	// record: at least 1 and no more than most.
	Divide(from, most int) int
}
