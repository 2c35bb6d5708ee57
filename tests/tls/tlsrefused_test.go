package tls

import (
	"crypto/tls"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/securetest"
)

// Clients without a certificate, with a foreign one and with one that has expired are refused where
// certificates are asked for; those with the right one are served.
func TestTLSCertificatesOfClients(t *testing.T) {
	t.Parallel()
	a, foreign := securetest.NewAuthority(t), securetest.NewAuthority(t)
	m := startTLS(t, a, "--tls-client-ca", a.File)
	with := func(certificates ...tls.Certificate) *tls.Config {
		config := harness.Trusting(a)
		config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			return &append(certificates, tls.Certificate{})[0], nil
		}
		return config
	}
	right := harness.DialTLS(t, m.Addr, with(a.Issue().Certificate))
	right.InStep()
	for i, wrong := range []struct {
		config *tls.Config
		says   string
	}{
		{with(), "client didn't provide a certificate"},
		{with(foreign.Issue().Certificate), "its certificate is by an unknown authority"},
		{with(a.IssueUntil(time.Now().Add(-time.Minute)).Certificate), "x509: certificate has expired or is not yet valid"},
	} {
		for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
			wrong.config.MaxVersion = version
			if line, err := tlsVersion(m.Addr, wrong.config); err == nil {
				t.Errorf("a client with wrong certificate %d is served: %q", i, line)
			}
		}
		harness.Await(t, "the log to say "+wrong.says, func() bool {
			tlsVersion(m.Addr, wrong.config) // as the log has a line a second
			return strings.Contains(m.Log(), `msg="TLS handshake with a client failed"`) && strings.Contains(m.Log(), wrong.says)
		})
	}
	right.InStep()
	if counts := strings.Fields(tlsCounts(right)); counts[0] != "1" || counts[1] != "0" || counts[2] < "6" && len(counts[2]) == 1 {
		t.Errorf("the statistics have %q full, resumed and failed handshakes, expected 1, 0 and at least 6", counts)
	}
}

// tlsVersion asks a server for its version.
func tlsVersion(addr string, config *tls.Config) (line string, err error) {
	conn, err := tls.Dial("tcp", addr, config)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(harness.Patience))
	fmt.Fprint(conn, "version\r\n")
	answer := make([]byte, 100)
	n, err := conn.Read(answer)
	return string(answer[:n]), err
}

// A client that speaks a lower version than the listener asks for is refused.
func TestTLSMinVersion(t *testing.T) {
	t.Parallel()
	a := securetest.NewAuthority(t)
	m := startTLS(t, a, "--tls-min-version", "1.3")
	config := harness.Trusting(a)
	config.MaxVersion = tls.VersionTLS12
	if _, err := tls.Dial("tcp", m.Addr, config); err == nil || !strings.Contains(err.Error(), "protocol version") {
		t.Errorf("a client with TLS 1.2 gets %v", err)
	}
	harness.DialTLS(t, m.Addr, harness.Trusting(a)).InStep()
}

// Servers that are not to be trusted, or that do not trust memverbs, are down, and the reason is
// in the log and in the answers. When they are, they are used.
func TestTLSCertificatesOfServers(t *testing.T) {
	t.Parallel()
	a, foreign := securetest.NewAuthority(t), securetest.NewAuthority(t)
	own, strange := a.Issue(), foreign.Issue()
	for _, test := range []struct {
		name  string
		pair  securetest.Pair
		more  []string
		flags []string
		says  string // empty if all is well
	}{
		{"a foreign one", strange, nil, nil, "TLS: its certificate is by an unknown authority: add that to the file of server-tls-ca"},
		{"one that the system does not trust", own, nil, []string{"--server-tls-ca", "system"}, "TLS: its certificate is by an unknown authority: set server-tls-ca to a file with that, in place of system"},
		{"an expired one", a.IssueUntil(time.Now().Add(-time.Minute)), nil, nil, "; replace it on the server, or set the clock right"},
		{"one of another name", a.IssueFor("other"), nil, nil, "set server-tls-name to a name that the certificate has"},
		{"one of that name", a.IssueFor("other"), nil, []string{"--server-tls-name", "other"}, ""},
		{"one of no such name", own, nil, []string{"--server-tls-name", "other"}, "not other; set server-tls-name to a name that the certificate has"},
		{"no one for memcached", own, []string{"-o", "ssl_verify_mode=2,ssl_ca_cert=" + a.File}, nil, "; set server-tls-cert and server-tls-key to a certificate that it accepts"},
		{"a foreign one for memcached", own, []string{"-o", "ssl_verify_mode=2,ssl_ca_cert=" + a.File}, []string{"--server-tls-cert", strange.Cert, "--server-tls-key", strange.Key}, "TLS: it refuses the connection"},
		{"one for memcached", own, []string{"-o", "ssl_verify_mode=2,ssl_ca_cert=" + a.File}, []string{"--server-tls-cert", own.Cert, "--server-tls-key", own.Key}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, secure := harness.StartSecureMemcached(t, harness.Newest, test.pair.Cert, test.pair.Key, test.more...)
			m := harness.StartMemverbs(t, append([]string{"--upstream", secure, "--server-tls-ca", a.File, "--connect-timeout", harness.Patience.String()}, test.flags...)...)
			c := harness.Dial(t, m.Addr)
			if test.says == "" {
				harness.Await(t, "a get to be answered", func() bool { // as memcached may refuse a handshake by an internal error
					c.Send("get k\r\n")
					return c.Line() == "END"
				})
				return
			}
			harness.Await(t, "the refusal", func() bool {
				c.Send("get k\r\n")
				line := c.Line()
				return strings.HasPrefix(line, "SERVER_ERROR upstream "+secure) && strings.Contains(line, test.says)
			})
			harness.Await(t, "the log to say it", func() bool {
				return strings.Contains(m.Log(), `msg="upstream can't be reached"`) && strings.Contains(m.Log(), test.says)
			})
		})
	}
}

// A server that does not speak TLS is down.
func TestTLSToAPlainServer(t *testing.T) {
	t.Parallel()
	a := securetest.NewAuthority(t)
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for addr, says := range map[string]string{
		silent.Addr().String():                         "TLS: it did not finish the handshake in time; does it speak TLS?",
		harness.StartMemcached(t, harness.Newest).Addr: "TLS: it does not speak TLS: make it speak TLS, or remove server-tls-ca",
		harness.StartMemverbs(t).Addr:                  "TLS: it does not speak TLS: make it speak TLS, or remove server-tls-ca",
	} {
		m := harness.StartMemverbs(t, "--upstream", addr, "--server-tls-ca", a.File)
		c := harness.Dial(t, m.Addr)
		c.Ask("get k\r\n", "SERVER_ERROR upstream "+addr+" is down: "+says+"\r\n")
	}
}

// mute is why a server that closes the connection in place of an answer is down.
const mute = "closed the connection before it answered; if it speaks TLS, set server-tls-ca; if it is a proxy such as nutcracker, give its servers instead"

// A nutcracker in place of a server, which takes version for a mistake, is told from one that hangs.
func TestNutcrackerAsAServer(t *testing.T) {
	t.Parallel()
	n := harness.StartNutcracker(t, []string{harness.StartMemcached(t, harness.Newest).Addr + ":1"})
	c := harness.Dial(t, harness.StartMemverbs(t, "--upstream", n.Addr).Addr)
	c.Ask("get k\r\n", "SERVER_ERROR upstream "+n.Addr+" is down: "+mute+"\r\n")
}

// A server that speaks TLS, and to which memverbs does not, is down.
func TestPlainToATLSServer(t *testing.T) {
	t.Parallel()
	a := securetest.NewAuthority(t)
	m, p := startTLS(t, a), a.Issue()
	_, secure := harness.StartSecureMemcached(t, harness.Newest, p.Cert, p.Key)
	for addr, says := range map[string]string{
		m.Addr: "refuses connections: SERVER_ERROR this address speaks TLS only",
		secure: mute,
	} {
		c := harness.Dial(t, harness.StartMemverbs(t, "--upstream", addr).Addr)
		c.Ask("get k\r\n", "SERVER_ERROR upstream "+addr+" is down: "+says+"\r\n")
	}
}

// A listener that goes from plain text to TLS by a reload leaves its clients as they are, and a
// pool that comes to speak TLS makes new connections.
func TestTLSByReload(t *testing.T) {
	t.Parallel()
	a := securetest.NewAuthority(t)
	p := a.Issue()
	plain, secured := harness.StartSecureMemcached(t, harness.Newest, p.Cert, p.Key)
	r := harness.StartReloading(t, plain.Addr)
	before := harness.Dial(t, r.Addr)
	before.Ask("set k 0 0 1\r\nv\r\n", "STORED\r\n")
	secure(t, r, secured, p, fmt.Sprintf("    server-tls-ca: %q\n", a.File))
	before.Ask("get k\r\n", "VALUE k 0 1\r\nv\r\nEND\r\n")
	harness.DialTLS(t, r.Addr, harness.Trusting(a)).Ask("get k\r\n", "VALUE k 0 1\r\nv\r\nEND\r\n")
	file := r.File
	appendTo(t, file, "    tls-min-version: 1.1\n")
	r.Reload(t, "tls-min-version")
	harness.DialTLS(t, r.Addr, harness.Trusting(a)).Ask("get k\r\n", "VALUE k 0 1\r\nv\r\nEND\r\n")
}

// A successor goes on with TLS at the same socket, and nobody is refused meanwhile.
func TestTLSTakeover(t *testing.T) {
	t.Parallel()
	a := securetest.NewAuthority(t)
	p := a.Issue()
	addr := harness.FreeAddr(t)
	s := harness.StartSuccession(t, "--listen", addr, "--tls-cert", p.Cert, "--tls-key", p.Key)
	idle, err := net.Dial("tcp", addr) // never makes its handshake
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	harness.DialTLS(t, addr, harness.Trusting(a)).InStep()
	s.Succeed(t)
	harness.DialTLS(t, addr, harness.Trusting(a)).InStep()
	s.AwaitStopped(t, 1)
}
