package secure

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
)

// ShakeStream is [Client.Shake] for programs that have no event loop: the connection that it returns
// reads and writes plaintext, and blocks. If the server breaks it off by an alert, as one does that
// refuses the client's certificate, the error is an [Error].
func (c *Client) ShakeStream(ctx context.Context, conn net.Conn, host string) (net.Conn, error) {
	t, err := c.shake(ctx, conn, host)
	if err != nil {
		return nil, err
	}
	return stream{t}, nil
}

// stream is a tls.Conn that reports alerts in words for operators.
type stream struct{ *tls.Conn }

func (s stream) Read(p []byte) (n int, err error) {
	n, err = s.Conn.Read(p)
	return n, tell(err)
}

func (s stream) Write(p []byte) (n int, err error) {
	n, err = s.Conn.Write(p)
	if err != nil { // the alert that says why may have come before
		if _, why := s.Conn.Read(make([]byte, 1)); alert(why) {
			err = why
		}
	}
	return n, tell(err)
}

// tell converts an error of crypto/tls to an [Error].
func tell(err error) error {
	if alert(err) {
		why := reason(err)
		return &Error{why + adviceRefused(why)}
	}
	return err
}

// alert reports whether a side has broken the session off by an alert.
func alert(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && (op.Op == "remote error" || op.Op == "local error")
}
