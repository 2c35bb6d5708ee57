package secure

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/tls"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/proxy/secure/securetest"
)

// A message of TLS itself after the handshake that gets longer and longer counts as memory, and ends
// the session before it takes much.
func TestSessionLongMessage(t *testing.T) {
	t.Parallel()
	p := connect(t, tls.VersionTLS13, "x")
	if p.client.ConnectionState().CipherSuite != tls.TLS_AES_128_GCM_SHA256 {
		t.Skip("this machine prefers a cipher that the test has not got")
	}
	p.receive(t, 1, 1000)
	before := p.Memory()
	s := newSealer(t, &p.keys)
	piece := append([]byte{11, 0x04, 0x00, 0x00}, make([]byte, 8000)...) // of a certificate
	for sent, kept := 1, 0; ; sent++ {
		record := s.seal(uint64(sent), piece)
		p.Feed(record)
		_, _, err := p.Open(make([]byte, 10))
		if wrong := (*Error)(nil); errors.As(err, &wrong) && strings.Contains(err.Error(), errIdle.Error()) {
			return
		}
		if kept += len(record); err != nil || kept > mostIdle {
			t.Fatalf("after %d bytes: %v", kept, err)
		}
		if grown := p.Memory() - before; grown < kept-MaxRecord-MaxOverhead {
			t.Fatalf("%d bytes count as %d", kept, grown)
		}
		piece = make([]byte, 8000)
	}
}

// sealer makes records of any kind, as a client of TLS 1.3 does.
type sealer struct {
	gcm cipher.AEAD
	iv  []byte
}

// newSealer takes the client's secret from keys, which has it as the last word of its line.
func newSealer(t *testing.T, keys io.Reader) *sealer {
	t.Helper()
	log, _ := io.ReadAll(keys)
	_, line, _ := strings.Cut(string(log), "CLIENT_TRAFFIC_SECRET_0 ")
	line, _, _ = strings.Cut(line, "\n")
	secret, err := hex.DecodeString(line[strings.IndexByte(line, ' ')+1:])
	if err != nil {
		t.Fatal(err)
	}
	expand := func(label string, size int) []byte {
		info := "\x00" + string(rune(size)) + string(rune(len("tls13 "+label))) + "tls13 " + label + "\x00"
		b, err := hkdf.Expand(sha256.New, secret, info, size)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	block, err := aes.NewCipher(expand("key", 16))
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	return &sealer{gcm, expand("iv", 12)}
}

// seal returns the nth record of the client, with a part of a message of TLS itself.
func (s *sealer) seal(n uint64, part []byte) []byte {
	const handshake = 22
	plain := append(append([]byte{}, part...), handshake)
	nonce := append([]byte{}, s.iv...)
	binary.BigEndian.PutUint64(nonce[4:], binary.BigEndian.Uint64(nonce[4:])^n)
	record := binary.BigEndian.AppendUint16([]byte{23, 3, 3}, uint16(len(plain)+s.gcm.Overhead()))
	return s.gcm.Seal(record, nonce, plain, record)
}

// What a client may send in its handshake is limited.
func TestHandshakeTooLong(t *testing.T) {
	t.Parallel()
	s := newServer(t, securetest.NewAuthority(t))
	near, far := net.Pipe()
	defer far.Close()
	go func() {
		hello := append([]byte{1, 0, 0xff, 0xff, 3, 3}, make([]byte, mostShaking)...)
		for len(hello) > 0 {
			n := min(len(hello), 1000)
			far.Write(append(binary.BigEndian.AppendUint16([]byte{FirstByte, 3, 1}, uint16(n)), hello[:n]...))
			hello = hello[n:]
		}
	}()
	_, err := NewHandshakes(slog.New(slog.DiscardHandler)).Take(near).Shake(s)
	if !errors.Is(err, errLong) {
		t.Errorf("the handshake ends with %v", err)
	}
}
