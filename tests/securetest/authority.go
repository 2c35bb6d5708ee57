// Package securetest makes certificates for tests, and records of TLS 1.3 that crypto/tls does not send.
package securetest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// lifetime is how long a certificate is valid: for so long that nobody warns of its end.
const lifetime = 30 * 24 * time.Hour

// Authority is a certificate authority of its own.
type Authority struct {
	// File has its certificate in PEM.
	File string
	// Pool has its certificate.
	Pool *x509.CertPool

	t    testing.TB
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	made int64 // certificates
}

// Pair is the files of a certificate and its key, in PEM, and both of them read.
type Pair struct {
	Cert, Key string
	tls.Certificate
}

// NewAuthority returns an authority whose files are in a folder of the test.
func NewAuthority(t testing.TB) *Authority {
	t.Helper()
	a := &Authority{t: t, key: newKey(t), Pool: x509.NewCertPool()}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(lifetime),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &a.key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	if a.cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	a.Pool.AddCert(a.cert)
	a.File = filepath.Join(t.TempDir(), "ca.pem")
	write(t, a.File, "CERTIFICATE", der)
	return a
}

// Issue returns a certificate for the name localhost and the address 127.0.0.1, for servers and for
// clients.
func (a *Authority) Issue() Pair { a.t.Helper(); return a.IssueUntil(time.Now().Add(lifetime)) }

// IssueUntil is Issue for a certificate that expires then.
func (a *Authority) IssueUntil(end time.Time) Pair {
	a.t.Helper()
	dir := a.t.TempDir()
	p := Pair{Cert: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem")}
	a.issue(&p, end, "localhost")
	return p
}

// IssueFor is Issue for a name only.
func (a *Authority) IssueFor(name string) Pair {
	a.t.Helper()
	dir := a.t.TempDir()
	p := Pair{Cert: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem")}
	a.issue(&p, time.Now().Add(lifetime), name)
	return p
}

func (a *Authority) issue(p *Pair, end time.Time, name string) {
	a.t.Helper()
	a.made++
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1 + a.made), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: end,
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		DNSNames:    []string{name},
	}
	if name == "localhost" {
		template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	}
	key := newKey(a.t)
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &key.PublicKey, a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		a.t.Fatal(err)
	}
	write(a.t, p.Cert, "CERTIFICATE", der)
	write(a.t, p.Key, "PRIVATE KEY", secret)
	if p.Certificate, err = tls.LoadX509KeyPair(p.Cert, p.Key); err != nil {
		a.t.Fatal(err)
	}
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func write(t testing.TB, path, kind string, der []byte) {
	t.Helper()
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
}
