package secure

import "crypto/tls"

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
	*Watched
	asks bool // for certificates
}

// NewServer returns a Server. If a file can't be used, the error says what to do about it.
func NewServer(o ServerOptions) (*Server, error) {
	w, err := watch([]string{o.Cert, o.Key, o.ClientCA}, o.config)
	if err != nil {
		return nil, err
	}
	return &Server{w, o.ClientCA != ""}, nil
}

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
