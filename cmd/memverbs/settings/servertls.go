package settings

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/proxy/secure"
)

// ServerTLS is the settings of TLS with the servers of a pool.
type ServerTLS struct {
	ca, cert, key string // files; empty for none
	name          string
}

// Define defines the settings.
func (s *ServerTLS) Define(f *pflag.FlagSet) {
	setting.Define(f, &s.ca, "", setting.Any().Sample("/etc/memverbs/ca.pem"), "server-tls-ca", "`file` with certificates of authorities: memverbs connects to the servers by TLS, and they must have\na certificate issued by one of them. The word system stands for the authorities that the system trusts")
	setting.Define(f, &s.cert, "", setting.Any().Sample("/etc/memverbs/cert.pem"), "server-tls-cert", "`file` with a certificate in PEM for servers that ask for one")
	setting.Define(f, &s.key, "", setting.Any().Sample("/etc/memverbs/key.pem"), "server-tls-key", "`file` with the private key of that certificate")
	setting.Define(f, &s.name, "", setting.Any().Sample("cache.example.com"), "server-tls-name", "`name` that the certificate of every server must have, in place of the server's own\nhost name or address")
}

// client reads the files, and returns what connects to the servers by TLS; nil without TLS. Its errors
// begin with the name of a setting.
func (s *ServerTLS) client(servers []Server) (*secure.Client, error) {
	switch {
	case *s == ServerTLS{}:
		return nil, nil
	case s.ca == "":
		return nil, errors.New("server-tls-ca: there are no authorities to check the servers' certificates with: set server-tls-ca to a file with certificates of authorities, or to system")
	case s.cert == "" && s.key != "":
		return nil, errors.New("server-tls-cert: there is no certificate for the key of server-tls-key: set server-tls-cert to the file with it")
	case s.cert != "" && s.key == "":
		return nil, errors.New("server-tls-key: there is no key for the certificate of server-tls-cert: set server-tls-key to the file with it")
	case s.name == "" && slices.ContainsFunc(servers, func(s Server) bool { return s.Network == "unix" }):
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
