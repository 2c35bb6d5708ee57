package plain

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/bradfitz/gomemcache/memcache"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/securetest"
)

const secret = "tr0ub4dor"

// secureGomemcache returns a gomemcache that speaks TLS and shows a password on each connection.
func secureGomemcache(addr string, config *tls.Config, password string) *memcache.Client {
	client := gomemcache(addr)
	client.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := (&tls.Dialer{Config: config}).DialContext(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		if err = showPassword(conn, password); err != nil {
			conn.Close()
			return nil, err
		}
		return conn, nil
	}
	return client
}

// showPassword shows a password as a client would.
func showPassword(conn net.Conn, password string) error {
	if _, err := io.WriteString(conn, harness.ShowingPassword("ann", password)); err != nil {
		return err
	}
	answer := make([]byte, 100)
	n, err := conn.Read(answer)
	if err == nil && string(answer[:n]) != "STORED\r\n" {
		err = fmt.Errorf("the password is refused: %s", answer[:n])
	}
	return err
}

// By TLS and with a password, gomemcache sees what it sees of a memcached. With a wrong password it
// is told so, and nothing is done.
func TestGomemcacheByTLSWithPassword(t *testing.T) {
	t.Parallel()
	want := tour(t, gomemcache(harness.StartMemcached(t, harness.Newest).Addr))
	store := harness.StartMemcached(t, harness.Newest)
	a := securetest.NewAuthority(t)
	m := harness.StartMemverbs(t, append(harness.ShowingCertificate(a), "--upstream", store.Addr, "--auth-file", harness.PrivateFile(t, "ann:"+secret+"\n"))...)
	compareTours(t, want, tour(t, secureGomemcache(m.Addr, harness.Trusting(a), secret)))

	kept := gomemcache(store.Addr)
	defer kept.Close()
	if err := kept.Set(&memcache.Item{Key: "kept", Value: []byte("as it was")}); err != nil {
		t.Fatal(err)
	}
	wrong := secureGomemcache(m.Addr, harness.Trusting(a), "wrong")
	defer wrong.Close()
	for method, err := range map[string]error{
		"Set":      wrong.Set(&memcache.Item{Key: "kept", Value: []byte("x")}),
		"Delete":   wrong.Delete("kept"),
		"FlushAll": wrong.FlushAll(),
	} {
		if err == nil || !strings.Contains(err.Error(), "CLIENT_ERROR authentication failure") {
			t.Errorf("with a wrong password, %s gave %v", method, err)
		}
	}
	if item, err := kept.Get("kept"); err != nil || string(item.Value) != "as it was" {
		t.Errorf("after that there is %v, %v", item, err)
	}
}
