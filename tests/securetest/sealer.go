package securetest

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/tls"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"
)

// Kinds of records.
const (
	Alert     = 21
	Handshake = 22 // messages of TLS itself
	Data      = 23
)

// Sealer makes records as a client of TLS 1.3 does, with contents that crypto/tls never sends.
type Sealer struct {
	t      testing.TB
	secret []byte
	gcm    cipher.AEAD
	iv     []byte
	sealed uint64 // records under this key
}

// NewSealer goes on from a client that has sent so many records after its handshake, and whose secrets
// it has written to keys, as [tls.Config] describes for KeyLogWriter. The test is skipped if the
// client uses another cipher than AES with 128 bits, as where that is slow.
func NewSealer(t testing.TB, client *tls.Conn, keys string, sent uint64) *Sealer {
	t.Helper()
	if client.ConnectionState().CipherSuite != tls.TLS_AES_128_GCM_SHA256 {
		t.Skip("this machine prefers another cipher")
	}
	_, line, _ := strings.Cut(keys, "CLIENT_TRAFFIC_SECRET_0 ")
	line, _, _ = strings.Cut(line, "\n")
	secret, err := hex.DecodeString(line[strings.IndexByte(line, ' ')+1:])
	if err != nil {
		t.Fatal(err)
	}
	s := &Sealer{t: t}
	s.use(secret)
	s.sealed = sent
	return s
}

// Seal returns the next record.
func (s *Sealer) Seal(kind byte, content []byte) []byte {
	plain := append(append([]byte{}, content...), kind)
	nonce := append([]byte{}, s.iv...)
	binary.BigEndian.PutUint64(nonce[4:], binary.BigEndian.Uint64(nonce[4:])^s.sealed)
	s.sealed++
	record := binary.BigEndian.AppendUint16([]byte{Data, 3, 3}, uint16(len(plain)+s.gcm.Overhead()))
	return s.gcm.Seal(record, nonce, plain, record)
}

// ChangeKey returns the record by which the client changes its key, and asks the server to change its
// own.
func (s *Sealer) ChangeKey() []byte {
	record := s.Seal(Handshake, []byte{24, 0, 0, 1, 1})
	s.use(s.expand("traffic upd", len(s.secret)))
	return record
}

// use makes the key of a secret the present one.
func (s *Sealer) use(secret []byte) {
	s.secret = secret
	block, err := aes.NewCipher(s.expand("key", 16))
	if err != nil {
		s.t.Fatal(err)
	}
	if s.gcm, err = cipher.NewGCM(block); err != nil {
		s.t.Fatal(err)
	}
	s.iv, s.sealed = s.expand("iv", s.gcm.NonceSize()), 0
}

// expand derives size bytes from the secret.
func (s *Sealer) expand(label string, size int) []byte {
	label = "tls13 " + label
	info := append([]byte{0, byte(size), byte(len(label))}, label...)
	out, err := hkdf.Expand(sha256.New, s.secret, string(append(info, 0)), size)
	if err != nil {
		s.t.Fatal(err)
	}
	return out
}
