package secure

import (
	"crypto/tls"
	"log/slog"
)

// ServerOptions are the TLS settings of a listener. Files are in PEM.
type ServerOptions struct {
	// Cert is the file with the certificate, followed by the chain to its authority, and Key the
	// file with its private key.
	Cert, Key string
	// ClientCA is a file with certificates of authorities. If it is not empty, a client must
	// have a certificate by one of them.
	ClientCA string
	// MinVersion is the lowest version that clients may speak, such as [tls.VersionTLS12].
	MinVersion uint16
}

// Server accepts TLS connections from the clients of a listener. It is safe for concurrent use.
type Server struct {
	watched *watched
	asks    bool // for certificates
	log     *slog.Logger
}

// NewServer returns a Server. If a file can't be used, the error says what to do about it. Call
// SetLog before the Server is used.
func NewServer(o ServerOptions) (*Server, error) {
	w, err := watch([]string{o.Cert, o.Key, o.ClientCA}, func() (*tls.Config, error) { return o.config() })
	if err != nil {
		return nil, err
	}
	return &Server{watched: w, asks: o.ClientCA != ""}, nil
}

// SetLog sets where changes of the files are logged, with the Warning of a new certificate.
func (s *Server) SetLog(log *slog.Logger) { s.log = log }

// Warning returns what operators should know of the certificate: that it has expired, is not valid
// yet, or expires within a week. It is empty if there is nothing to be said.
func (s *Server) Warning() string { return s.watched.warning() }

// AsksForCertificates reports whether only clients with a certificate are served.
func (s *Server) AsksForCertificates() bool { return s.asks }

func (o *ServerOptions) config() (*tls.Config, error) {
	pair, err := readPair(o.Cert, o.Key)
	if err != nil {
		return nil, err
	}
	c := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: o.MinVersion, DynamicRecordSizingDisabled: true}
	if o.ClientCA == "" {
		return c, nil
	}
	c.ClientAuth = tls.RequireAndVerifyClientCert
	c.ClientCAs, err = readAuthorities(o.ClientCA)
	return c, err
}

// Validity returns the validity of the listener's certificate as it was last read. If the file was not checked
// lately, it starts a check, but does not wait for it.
func (s *Server) Validity() (v Validity, has bool) { return s.watched.validity(s.log) }

// Remind checks the files, and logs the Warning, if there is one.
func (s *Server) Remind() { s.watched.remind(s.log) }
