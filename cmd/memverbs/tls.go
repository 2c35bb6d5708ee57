package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/proxy"
	"github.com/memverbs/memverbs/proxy/secure"
)

// listenTLS is the settings of TLS with the clients of TCP addresses.
type listenTLS struct {
	cert, key, clientCA string // files; empty for none
	minVersion          string

	built *secure.Server // what build has made; nil without TLS
}

func (l *listenTLS) define(f *pflag.FlagSet) {
	define(f, &l.cert, "", anyText(), "tls-cert", "`file` with a certificate in PEM, followed by intermediate ones if it needs any: clients at TCP\naddresses have to speak TLS")
	define(f, &l.key, "", anyText(), "tls-key", "`file` with the private key of that certificate")
	define(f, &l.clientCA, "", anyText(), "tls-client-ca", "`file` with certificates of authorities: clients must have a certificate issued by one of them")
	define(f, &l.minVersion, "1.2", oneOf("1.2", "1.3"), "tls-min-version", "the lowest version of TLS that clients may speak: 1.2 or 1.3")
	sample(f, "tls-cert", "/etc/memverbs/cert.pem")
	sample(f, "tls-key", "/etc/memverbs/key.pem")
	sample(f, "tls-client-ca", "/etc/memverbs/clients-ca.pem")
}

// build reads the files. Its errors begin with the name of a setting.
func (l *listenTLS) build() (err error) {
	switch {
	case l.cert == "" && l.key == "" && l.clientCA == "":
		return nil
	case l.cert == "":
		return errors.New("tls-cert: TLS needs a certificate: set tls-cert and tls-key")
	case l.key == "":
		return errors.New("tls-key: there is no key for the certificate of tls-cert: set tls-key to the file with it")
	}
	version := uint16(tls.VersionTLS12)
	if l.minVersion == "1.3" {
		version = tls.VersionTLS13
	}
	if l.built, err = secure.NewServer(secure.ServerOptions{Cert: l.cert, Key: l.key, ClientCA: l.clientCA, MinVersion: version}); err != nil {
		return blame("tls-cert", "tls-key", "tls-client-ca", err)
	}
	return nil
}

// serverTLS is the settings of TLS with the servers of a pool.
type serverTLS struct {
	ca, cert, key string // files; empty for none
	name          string
}

func (s *serverTLS) define(f *pflag.FlagSet) {
	define(f, &s.ca, "", anyText(), "server-tls-ca", "`file` with certificates of authorities: memverbs connects to the servers by TLS, and they must have\na certificate issued by one of them. The word system stands for the authorities that the system trusts")
	define(f, &s.cert, "", anyText(), "server-tls-cert", "`file` with a certificate in PEM for servers that ask for one")
	define(f, &s.key, "", anyText(), "server-tls-key", "`file` with the private key of that certificate")
	define(f, &s.name, "", anyText(), "server-tls-name", "`name` that the certificate of every server must have, in place of the server's own\nhost name or address")
	sample(f, "server-tls-ca", "/etc/memverbs/ca.pem")
	sample(f, "server-tls-cert", "/etc/memverbs/cert.pem")
	sample(f, "server-tls-key", "/etc/memverbs/key.pem")
	sample(f, "server-tls-name", "cache.example.com")
}

// anyText is the kind of texts that are checked together with others.
func anyText() kind[string] { return checked(func(string) error { return nil }) }

// buildTLS reads the files of the pool's settings. Its errors begin with the name of a setting.
func (p *pool) buildTLS() (err error) {
	p.secured, err = p.serverTLS.client(p.servers)
	return err
}

// client reads the files, and returns what connects to the servers by TLS; nil without TLS. Its errors
// begin with the name of a setting.
func (s *serverTLS) client(servers []server) (*secure.Client, error) {
	switch {
	case *s == serverTLS{}:
		return nil, nil
	case s.ca == "":
		return nil, errors.New("server-tls-ca: there are no authorities to check the servers' certificates with: set server-tls-ca to a file with certificates of authorities, or to system")
	case s.cert == "" && s.key != "":
		return nil, errors.New("server-tls-cert: there is no certificate for the key of server-tls-key: set server-tls-cert to the file with it")
	case s.cert != "" && s.key == "":
		return nil, errors.New("server-tls-key: there is no key for the certificate of server-tls-cert: set server-tls-key to the file with it")
	case s.name == "" && slices.ContainsFunc(servers, func(s server) bool { return s.Network == "unix" }):
		return nil, errors.New("server-tls-name: a server is a unix socket, which has no host name: set server-tls-name to the name that its certificate has")
	}
	c, err := secure.NewClient(secure.ClientOptions{CA: s.ca, Cert: s.cert, Key: s.key, Name: s.name})
	if err != nil {
		return nil, blame("server-tls-cert", "server-tls-key", "server-tls-ca", err)
	}
	return c, nil
}

// blame puts the name of the setting that names the file before the error of a file.
func blame(cert, key, ca string, err error) error {
	var wrong *secure.FileError
	if errors.As(err, &wrong) {
		names := map[secure.Role]string{secure.Certificate: cert, secure.Key: key, secure.Authorities: ca}
		return fmt.Errorf("%s: %w", names[wrong.Role], err)
	}
	return err
}

// warning returns what is to be warned of; it may be empty.
func (l *listenTLS) warning() string {
	if l.built == nil {
		return ""
	}
	return l.built.Warning()
}

// warning returns what is to be warned of; it may be empty.
func (p *pool) warning() string {
	if p.secured == nil {
		return ""
	}
	return p.secured.Warning()
}

// secureDial makes the connections to an upstream speak TLS. host is the name that its certificate
// must have, unless the settings have another one.
func (p *pool) secureDial(u *proxy.Upstream, host string) {
	if p.secured == nil {
		return
	}
	dial, ended := u.Dial, u.Ended
	u.Dial = func(ctx context.Context) (net.Conn, error) {
		conn, err := dial(ctx)
		if err != nil {
			return nil, err
		}
		session, err := p.secured.Shake(ctx, conn, host)
		if err != nil {
			if ended != nil {
				ended()
			}
			return nil, err
		}
		return session, nil
	}
}

// streaming returns dial followed by a handshake, for programs other than the proxy; dial itself if
// secured is nil.
func streaming(secured *secure.Client, host string, dial dialer) dialer {
	if secured == nil {
		return dial
	}
	secured.SetLog(slog.New(slog.DiscardHandler))
	return func(ctx context.Context) (net.Conn, error) {
		conn, err := dial(ctx)
		if err != nil {
			return nil, err
		}
		return secured.ShakeStream(ctx, conn, host)
	}
}

// secrecy tells how connections to the servers are secured, for a summary.
func (p *pool) secrecy() string {
	switch {
	case p.secured == nil:
		return ""
	case p.serverTLS.cert == "":
		return " by TLS"
	}
	return " by TLS with a certificate of its own"
}

// secrecy tells how connections of clients are secured, for a summary.
func (l *listener) secrecy() string {
	switch {
	case l.tls.built == nil || l.address.Network != "tcp":
		return ""
	case l.tls.clientCA == "":
		return " by TLS"
	}
	return " by TLS, with certificates of clients"
}
