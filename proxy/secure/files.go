package secure

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/memverbs/memverbs/cmd/memverbs/smallfile"
)

// Role is what a file is for, in words for operators.
type Role string

// The roles of files.
const (
	Certificate Role = "certificate"
	Key         Role = "key"
	Authorities Role = "CA certificates"
)

// FileError says why a file can't be used, and what to do about that.
type FileError struct {
	// Role tells which of the files it is.
	Role Role
	text string
}

func (e *FileError) Error() string { return e.text }

func (r Role) errorf(format string, args ...any) error {
	return &FileError{r, fmt.Sprintf(format, args...)}
}

// read returns the content of a file.
func (r Role) read(path string) ([]byte, error) {
	content, err := smallfile.Read(path)
	name := smallfile.Name(path)
	switch wrong := (*fs.PathError)(nil); {
	case err == nil:
		return content, nil
	case errors.Is(err, fs.ErrPermission):
		return nil, r.errorf("cannot read the %s %s: permission denied; let the user read it that memverbs runs as", r, name)
	case errors.As(err, &wrong):
		err = wrong.Err
	}
	return nil, r.errorf("cannot read the %s %s: %v", r, name, err)
}

// readPair reads a certificate, with the chain to its authority, and its key.
func readPair(certFile, keyFile string) (pair tls.Certificate, err error) {
	cert, err := Certificate.read(certFile)
	if err != nil {
		return pair, err
	}
	key, err := Key.read(keyFile)
	if err != nil {
		return pair, err
	}
	if _, err = Certificate.parseAll(certFile, cert); err != nil {
		return pair, err
	}
	if bytes.Contains(key, []byte("ENCRYPTED")) {
		return pair, Key.errorf("the key %s is encrypted, and memverbs can't ask for its passphrase: decrypt it, with openssl pkey, and protect it by its permissions", smallfile.Name(keyFile))
	}
	pair, err = tls.X509KeyPair(cert, key)
	switch {
	case err == nil:
	case strings.Contains(err.Error(), "does not match"):
		err = Key.errorf("the key %s is not that of the certificate %s: give the one that it was made with; the server's own certificate must be the first in its file", smallfile.Name(keyFile), smallfile.Name(certFile))
	default:
		err = Key.errorf("the key %s can't be used: %s; a private key in PEM is expected", smallfile.Name(keyFile), clean(err))
	}
	return pair, err
}

// readAuthorities reads the certificates of authorities. Their subjects are sent to clients.
func readAuthorities(path string) (*x509.CertPool, error) {
	content, err := Authorities.read(path)
	if err != nil {
		return nil, err
	}
	all, err := Authorities.parseAll(path, content)
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
func (r Role) parseAll(path string, content []byte) (all []*x509.Certificate, err error) {
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
			return nil, r.errorf("the %s %s can't be used: %s", r, smallfile.Name(path), clean(err))
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		return nil, r.errorf("the %s %s can't be used: there is no certificate in it; PEM is expected, which begins with -----BEGIN CERTIFICATE-----", r, smallfile.Name(path))
	}
	return all, nil
}
