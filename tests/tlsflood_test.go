package tests

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/tls"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/secure/securetest"
	"github.com/memverbs/memverbs/tests/harness"
)

// Types of records, and messages, of TLS 1.3.
const (
	alertRecord, handshakeRecord, dataRecord = 21, 22, 23

	keyUpdate    = "\x18\x00\x00\x01\x01" // which asks for one in return
	userCanceled = "\x01\x5a"             // the alert that changes nothing
)

// sealer seals records of a client of TLS 1.3 that crypto/tls would not send.
type sealer struct {
	*tls.Conn // for what is received
	secret    []byte
	aead      cipher.AEAD
	iv        []byte
	sequence  uint64
}

// dialSealer makes a handshake. Nothing must be written to the Conn, but by send.
func dialSealer(t *testing.T, addr string, config *tls.Config) *sealer {
	t.Helper()
	var keys bytes.Buffer
	config.MinVersion, config.KeyLogWriter = tls.VersionTLS13, &keys
	conn, err := tls.Dial("tcp", addr, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.NetConn().Close() })
	if suite := conn.ConnectionState().CipherSuite; suite != tls.TLS_AES_128_GCM_SHA256 {
		t.Skipf("this machine prefers %s to AES-128", tls.CipherSuiteName(suite))
	}
	conn.SetDeadline(time.Now().Add(harness.Patience))
	_, line, _ := strings.Cut(keys.String(), "CLIENT_TRAFFIC_SECRET_0 ")
	line, _, _ = strings.Cut(line, "\n")
	secret, err := hex.DecodeString(line[strings.IndexByte(line, ' ')+1:])
	if err != nil {
		t.Fatal(err)
	}
	s := &sealer{Conn: conn}
	s.use(secret)
	return s
}

// use makes the keys of a secret those of the next records.
func (s *sealer) use(secret []byte) {
	block, _ := aes.NewCipher(expand(secret, "key", 16))
	s.aead, _ = cipher.NewGCM(block)
	s.secret, s.iv, s.sequence = secret, expand(secret, "iv", 12), 0
}

// expand is HKDF-Expand-Label without a context.
func expand(secret []byte, label string, n int) []byte {
	label = "tls13 " + label
	key, _ := hkdf.Expand(sha256.New, secret, fmt.Sprintf("%c%c%c%s%c", 0, n, len(label), label, 0), n)
	return key
}

// seal returns a record. After a key update, the next one has other keys.
func (s *sealer) seal(kind byte, text string) string {
	header := binary.BigEndian.AppendUint16([]byte{dataRecord, 3, 3}, uint16(len(text)+1+s.aead.Overhead()))
	nonce := bytes.Clone(s.iv)
	binary.BigEndian.PutUint64(nonce[4:], binary.BigEndian.Uint64(nonce[4:])^s.sequence)
	s.sequence++
	record := string(s.aead.Seal(header, nonce, append([]byte(text), kind), header))
	if kind == handshakeRecord && text == keyUpdate {
		s.use(expand(s.secret, "traffic upd", sha256.Size))
	}
	return record
}

// Clients that flood the proxy with what is no data after the handshake are disconnected, and others
// are served.
func TestTLSFloods(t *testing.T) {
	t.Parallel()
	a := securetest.NewAuthority(t)
	m := startTLS(t, a)
	bystander := harness.DialTLS(t, m.Addr, trusting(a))
	for name, record := range map[string]struct {
		kind byte
		text string
	}{
		"key updates":          {handshakeRecord, keyUpdate},
		"alerts":               {alertRecord, userCanceled},
		"empty records":        {dataRecord, ""},
		"empty handshakes":     {handshakeRecord, ""},
		"a new handshake":      {handshakeRecord, string(clientHello(t)[5:])},
		"an endless handshake": {handshakeRecord, "\x18\xff\xff\xff" + strings.Repeat("x", 16000)},
	} {
		s := dialSealer(t, m.Addr, trusting(a))
		if _, err := io.WriteString(s.NetConn(), s.seal(dataRecord, "mn\r\n")); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(s, make([]byte, len("MN\r\n"))); err != nil {
			t.Fatalf("before %s: %v", name, err)
		}
		go func() {
			for err := error(nil); err == nil; {
				_, err = io.WriteString(s.NetConn(), s.seal(record.kind, record.text))
			}
		}()
		if _, err := io.Copy(io.Discard, s.NetConn()); err != nil && !harness.Closed(err) {
			t.Errorf("%s are followed by %v, expected the end", name, err)
		}
		bystander.InStep()
	}
}

// A client that asks for new keys with each of its requests gets its replies. One that asks for more
// keys, and does not read, is disconnected before that takes much memory.
func TestTLSKeyUpdates(t *testing.T) {
	a := securetest.NewAuthority(t)
	m := harness.StartPlainMemverbs(t, shows(a)...)
	bystander := harness.DialTLS(t, m.Addr, trusting(a))
	s := dialSealer(t, m.Addr, trusting(a))
	reply := make([]byte, len("MN\r\n"))
	ask := func(updates int) error {
		text := ""
		for range updates {
			text += s.seal(handshakeRecord, keyUpdate)
		}
		_, err := io.WriteString(s.NetConn(), text+s.seal(dataRecord, "mn\r\n"))
		return err
	}
	for i := range 5000 {
		if err := ask(1); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(s, reply); err != nil || string(reply) != "MN\r\n" {
			t.Fatalf("request %d is answered by %q, %v", i, reply, err)
		}
	}
	s.SetDeadline(time.Now().Add(harness.Patience))
	err := error(nil)
	for err == nil {
		err = ask(10)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("who does not read is not disconnected")
	}
	checkResident(t, m, "key updates and requests, nothing read")
	bystander.InStep()
}
