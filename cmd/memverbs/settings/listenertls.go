package settings

import (
	"crypto/tls"
	"errors"
	"slices"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/proxy/listen"
	"github.com/memverbs/memverbs/proxy/secure"
)

// listenTLS is the settings of TLS with the clients of TCP addresses.
type listenTLS struct {
	cert, key, clientCA string // files; empty for none
	minVersion          string

	built *secure.Server // what build has made; nil without TLS
}

func (l *listenTLS) define(f *pflag.FlagSet) {
	setting.Define(f, &l.cert, "", setting.Any().Sample("/etc/memverbs/cert.pem"), "tls-cert", "`file` with a certificate in PEM, followed by intermediate ones if it needs any: clients at TCP\naddresses have to speak TLS")
	setting.Define(f, &l.key, "", setting.Any().Sample("/etc/memverbs/key.pem"), "tls-key", "`file` with the private key of that certificate")
	setting.Define(f, &l.clientCA, "", setting.Any().Sample("/etc/memverbs/clients-ca.pem"), "tls-client-ca", "`file` with certificates of authorities: clients must have a certificate issued by one of them")
	setting.Define(f, &l.minVersion, "1.2", setting.OneOf("1.2", "1.3"), "tls-min-version", "the lowest version of TLS that clients may speak: 1.2 or 1.3")
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

// warning returns what is to be warned of; it may be empty.
func (l *listenTLS) warning() string {
	if l.built == nil {
		return ""
	}
	return l.built.Warning()
}

// onlyUnix is what is wrong with TLS for unix sockets alone.
const onlyUnix = "TLS is spoken at TCP addresses, and listen has none: add one, or remove the settings of TLS"

// hasTCP reports whether TLS can be spoken at one of the addresses.
func hasTCP(addresses []listen.Address) bool {
	return slices.ContainsFunc(addresses, func(a listen.Address) bool { return a.Network == "tcp" })
}
