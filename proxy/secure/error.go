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

// Error is why a connection failed, in words for operators.
type Error struct{ text string }

func (e *Error) Error() string { return "TLS: " + e.text }

// Why an event loop ends a session that crypto/tls would accept.
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

// refused is how the reason begins if the peer has said why it ends the connection.
const refused = "it refuses the connection: "

// reason returns what the error of a handshake, or of a session, says about the peer.
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
	case errors.As(err, &unknown): // its own text guesses at the cause
		return "its certificate is by an unknown authority"
	case errors.As(err, &op) && op.Op == "remote error":
		return refused + clean(op.Err)
	case errors.As(err, &op) && op.Op == "local error":
		return "it breaks the protocol: " + clean(op.Err)
	}
	return clean(err)
}

// reasonOfClient returns what the error of a handshake says about a client.
func reasonOfClient(err error) string {
	var op *net.OpError
	switch {
	case errors.As(err, &op) && op.Op == "local error" && strings.HasSuffix(op.Err.Error(), "bad record MAC"):
		// OpenSSL's clients that refuse the certificate send their alert unencrypted, so that it
		// can't be read here.
		return "it broke off the handshake; does it trust the certificate? (bad record MAC)"
	case strings.HasPrefix(err.Error(), "tls: client offered only unsupported versions"):
		return "it speaks only versions of TLS that are older than tls-min-version"
	}
	return reason(err)
}

// adviceRefused returns what to do if a server has refused our certificate, or the lack of one,
// with the reason why. With TLS 1.3 it refuses after the handshake.
func adviceRefused(why string) string {
	if strings.HasPrefix(why, refused) && strings.Contains(why, "certificate") {
		return "; set server-tls-cert and server-tls-key to a certificate that it accepts"
	}
	return ""
}

// longest is how much of an error is shown, in bytes: it may quote a stranger's certificate, which
// may be long.
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
