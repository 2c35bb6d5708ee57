package metadump

import (
	"errors"
	"io"
	"net"
	"os"
	"syscall"

	"github.com/memverbs/memverbs/proxy/transport"
)

var (
	// ErrBusy is the error of a server that crawls its items for somebody else. It may be asked again, on another connection.
	ErrBusy = errors.New("it is busy with another crawl of its items")
	// ErrTooSlow is the error of a server that was silent for too long, or whose time is over.
	ErrTooSlow = errors.New("it took too long")
	// ErrClosed is the error of a server that says nothing more.
	ErrClosed = errors.New("it closed the connection")
	// ErrPassword is the error of a server that obeys only those who log in.
	ErrPassword = errors.New("it asks for a user and a password")
)

// Cause turns an error of a connection into what the server did.
func Cause(err error) error {
	var op *net.OpError
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return ErrTooSlow
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET):
		return ErrClosed
	case errors.As(err, &op):
		return transport.Cause(op.Err)
	}
	return err
}

// shorten returns the beginning of text, to be shown.
func shorten(text []byte) []byte { return text[:min(len(text), 100)] }
