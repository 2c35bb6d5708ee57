package secure

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"unicode"
)

// Error is why a connection is no good, in words for operators.
type Error struct{ text string }

func (e *Error) Error() string { return "TLS: " + e.text }

// Why an event loop ends a session although crypto/tls has nothing against it.
var (
	ErrRekeys = &Error{"it asks for too many changes of keys"}
	ErrUnread = &Error{"it does not read the answers to its changes of keys"}
)

var (
	errPlain   = errors.New("it does not speak TLS")
	errEvicted = errors.New("its handshake took long, while others waited for theirs")
	errLong    = errors.New("what it sends in the handshake is too long")
	errIdle    = errors.New("it sends too much that is no data")
)

// reason returns what the error of a handshake, or of a session, says of the peer.
func reason(err error) string {
	var header tls.RecordHeaderError
	var op *net.OpError
	var unknown x509.UnknownAuthorityError
	switch {
	case errors.Is(err, errPlain), errors.As(err, &header) && header.Conn != nil:
		return errPlain.Error()
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return "it did not finish the handshake in time; does it speak TLS?"
	case errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "it closed the connection during the handshake"
	case errors.As(err, &unknown): // whose own text guesses at the cause
		return "its certificate is by an unknown authority"
	case errors.As(err, &op) && op.Op == "remote error":
		return "it refuses the connection: " + clean(op.Err)
	case errors.As(err, &op) && op.Op == "local error":
		return "it breaks the protocol: " + clean(op.Err)
	}
	return clean(err)
}

// advice returns what to do about an error of a handshake with a server; it may be empty.
func advice(err error) string {
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	switch {
	case errors.As(err, &unknown):
		return ": add that to the file of server-tls-ca"
	case errors.As(err, &name):
		return "; set server-tls-name to a name that the certificate has"
	}
	return ""
}

// longest is how much of an error is shown, in bytes: certificates of strangers can make it long.
const longest = 200

// clean returns the text of an error in one short line: it may quote what a peer has sent.
func clean(err error) string {
	text := strings.TrimPrefix(err.Error(), "tls: ")
	text = strings.TrimPrefix(text, "failed to verify certificate: ")
	if len(text) > longest {
		text = text[:longest] + "…"
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return '?'
		}
		return r
	}, text)
}
