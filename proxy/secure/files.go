package secure

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// read returns the content of a file; what it is for is said in the error.
func read(what, path string) ([]byte, error) {
	content, err := os.ReadFile(path)
	switch wrong := (*fs.PathError)(nil); {
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("cannot read the %s %s: permission denied; let the user read it that memverbs runs as", what, path)
	case errors.As(err, &wrong):
		return nil, fmt.Errorf("cannot read the %s %s: %w", what, path, wrong.Err)
	case err != nil:
		return nil, fmt.Errorf("cannot read the %s %s: %w", what, path, err)
	}
	return content, nil
}

// readPair reads a certificate, with those that lead to its authority, and its key.
func readPair(certFile, keyFile string) (pair tls.Certificate, err error) {
	cert, err := read("certificate", certFile)
	if err != nil {
		return pair, err
	}
	key, err := read("key", keyFile)
	if err != nil {
		return pair, err
	}
	if _, err = parseAll("certificate", certFile, cert); err != nil {
		return pair, err
	}
	if bytes.Contains(key, []byte("ENCRYPTED")) {
		return pair, fmt.Errorf("the key %s is encrypted, and memverbs can't ask for its passphrase: decrypt it, with openssl pkey, and protect it by its permissions", keyFile)
	}
	pair, err = tls.X509KeyPair(cert, key)
	switch {
	case err == nil:
	case strings.Contains(err.Error(), "does not match"):
		err = fmt.Errorf("the key %s is not that of the certificate %s: give the one that it was made with; the server's own certificate must be the first in its file", keyFile, certFile)
	default:
		err = fmt.Errorf("the key %s can't be used: %s; a private key in PEM is expected", keyFile, clean(err))
	}
	return pair, err
}

// readAuthorities reads the certificates of authorities. Their subjects are sent to clients.
func readAuthorities(path string) (*x509.CertPool, error) {
	content, err := read("CA certificates", path)
	if err != nil {
		return nil, err
	}
	all, err := parseAll("CA certificates", path, content)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	for _, c := range all {
		pool.AddCert(c)
	}
	return pool, nil
}

// parseAll parses all certificates in the content of a file. There must be one.
func parseAll(what, path string, content []byte) (all []*x509.Certificate, err error) {
	for {
		var block *pem.Block
		if block, content = pem.Decode(content); block == nil {
			break
		}
		if block.Type != "CERTIFICATE" {
			continue
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("the %s %s can't be used: %s", what, path, clean(err))
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("the %s %s can't be used: there is no certificate in it; PEM is expected, which begins with -----BEGIN CERTIFICATE-----", what, path)
	}
	return all, nil
}
