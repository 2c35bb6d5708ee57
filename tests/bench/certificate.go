//go:build linux

package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// certificate is one for 127.0.0.1 that all servers with TLS show, and its own authority.
type certificate struct {
	cert, key string      // files, in PEM
	client    *tls.Config // of a client that trusts it
}

// certificate returns the certificate of the stage. It is made when it is first wanted.
func (s *stage) certificate() (*certificate, error) {
	if s.shown != nil {
		return s.shown, nil
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := selfSigned(key)
	if err != nil {
		return nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	trusted := x509.NewCertPool()
	trusted.AddCert(parsed)
	c := &certificate{
		cert: filepath.Join(s.folder, "cert.pem"), key: filepath.Join(s.folder, "key.pem"),
		// Records of full size from the beginning, as all servers send them.
		client: &tls.Config{RootCAs: trusted, ServerName: "127.0.0.1", DynamicRecordSizingDisabled: true},
	}
	s.shown = c
	return c, errors.Join(writePEM(c.cert, "CERTIFICATE", der), writePEM(c.key, "PRIVATE KEY", secret))
}

// selfSigned returns a certificate that a key has signed itself.
func selfSigned(key *ecdsa.PrivateKey) (der []byte, err error) {
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "memverbs-bench"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true,
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	return x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
}

func writePEM(path, kind string, der []byte) error {
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
}
