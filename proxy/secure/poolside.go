package secure

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
)

// SystemCA, in place of a file with authorities, means the authorities that the system trusts.
const SystemCA = "system"

// ClientOptions are the TLS settings for connections to the servers of a pool. Files are in PEM.
type ClientOptions struct {
	// CA is a file with the certificates of authorities, one of which a server's certificate must
	// be by, or SystemCA.
	CA string
	// Cert and Key are files with a certificate, and its key, to be shown to servers; empty for
	// none.
	Cert, Key string
	// Name is the name that the certificates of all servers must have. If it is empty, each must
	// have the host name, or the address, by which it is connected to.
	Name string
}

// Client makes TLS connections to the servers of a pool. It is safe for concurrent use.
type Client struct {
	*Watched
	options ClientOptions
}

// keptSessions is how many sessions are kept to be resumed, the last one with each server.
const keptSessions = 1024

// NewClient returns a Client. If a file can't be used, the error says what to do about it.
func NewClient(o ClientOptions) (*Client, error) {
	sessions := tls.NewLRUClientSessionCache(keptSessions)
	files := []string{o.Cert, o.Key}
	if o.CA != SystemCA {
		files = append(files, o.CA)
	}
	w, err := watch(files, func() (*tls.Config, error) { return o.config(sessions) })
	if err != nil {
		return nil, err
	}
	return &Client{w, o}, nil
}

func (o *ClientOptions) config(sessions tls.ClientSessionCache) (c *tls.Config, err error) {
	c = &tls.Config{MinVersion: tls.VersionTLS12, ClientSessionCache: sessions, DynamicRecordSizingDisabled: true}
	if o.Cert != "" {
		pair, err := readPair(o.Cert, o.Key)
		if err != nil {
			return nil, err
		}
		c.Certificates = []tls.Certificate{pair}
	}
	if o.CA != SystemCA {
		c.RootCAs, err = readAuthorities(o.CA)
	}
	return c, err
}

// Shake makes a handshake on a connection to a server, whose certificate must have the name host
// unless the options have another. It returns an [Error], and closes the connection, if the server
// is not to be trusted, or if that takes longer than ctx allows.
func (c *Client) Shake(ctx context.Context, conn net.Conn, host string) (*Session, error) {
	w := &wire{Conn: conn}
	t, err := c.shake(ctx, w, host)
	if err != nil {
		return nil, err
	}
	return newSession(w, t), nil
}

// shake is Shake on conn, which will be under the tls.Conn.
func (c *Client) shake(ctx context.Context, conn net.Conn, host string) (*tls.Conn, error) {
	config := c.Watched.config().Clone()
	if config.ServerName = c.options.Name; c.options.Name == "" {
		config.ServerName = host
	}
	t := tls.Client(conn, config)
	if err := t.HandshakeContext(ctx); err != nil {
		_ = conn.Close()
		if ctx.Err() == context.Canceled {
			return nil, ctx.Err()
		}
		return nil, &Error{reason(err) + c.options.advice(err)}
	}
	return t, nil
}

// advice returns what to do about an error of a handshake with a server; it may be empty.
func (o *ClientOptions) advice(err error) string {
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch why := reason(err); {
	case why == errPlain.Error():
		return ": make it speak TLS, or remove server-tls-ca"
	case errors.As(err, &unknown) && o.CA == SystemCA:
		return ": set server-tls-ca to a file with that, in place of system"
	case errors.As(err, &unknown):
		return ": add that to the file of server-tls-ca"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "; replace it on the server, or set the clock right"
	case errors.As(err, &name):
		return "; set server-tls-name to a name that the certificate has"
	default:
		return adviceRefused(why)
	}
}
