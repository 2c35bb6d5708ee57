package metadump

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// patience is a timeout that no test is expected to reach.
const patience = time.Minute

// script is what a server answers to its client, request by request. It does not answer any further
// requests.
type script []string

// serve starts a server that follows the script and returns its address.
func (s script) serve(t *testing.T) string { return serve(t, s.play) }

func (s script) play(conn net.Conn) { _, _ = io.Copy(io.Discard, s.answer(conn)) }

// answer answers as many requests as the script has answers. It returns a reader of what else the client
// sends.
func (s script) answer(conn net.Conn) io.Reader {
	in := bufio.NewReader(conn)
	for _, answer := range s {
		if _, err := in.ReadString('\n'); err != nil {
			break
		}
		_, _ = io.WriteString(conn, answer)
	}
	return in
}

// serve starts a server that talks to one client after another by f, and awaits its end. It returns its address.
func serve(t *testing.T, f func(net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			f(conn)
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() {
		listener.Close()
		<-done
	})
	return listener.Addr().String()
}

// keysOf asks a server for some keys.
func keysOf(t *testing.T, addr string, some int, timeout time.Duration) (keys []string, err error) {
	t.Helper()
	err = list(t, addr, timeout, func(it Item) bool {
		keys = append(keys, string(it.Key))
		return len(keys) < some
	})
	return keys, err
}

// list passes the items of a server to f.
func list(t *testing.T, addr string, timeout time.Duration, f func(Item) bool) error {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	l, err := Open(conn, patience, time.Now().Add(timeout))
	if err != nil {
		return err
	}
	return l.Each(f)
}

func TestAnswersOfServers(t *testing.T) {
	t.Parallel()
	const version = "VERSION 1.6.45\r\n"
	for _, test := range []struct {
		name   string
		script script
		keys   string
		says   string // of the error, empty if there is none
	}{
		{"1.6.18", script{version, "key=a exp=-1 la=1 cas=1 fetch=no cls=1 size=65\nkey=b%20 exp=-1 la=1 cas=1 fetch=no cls=1 size=65\nEND\r\n"}, "a|b ", ""},
		{"1.6.38", script{version, "key=a exp=-1 la=1 cas=1 fetch=no cls=1 size=65 flags=0\nEND\r\n"}, "a", ""},
		{"1.6.45", script{version, "OK\r\nkey=a exp=-1 la=1 cas=1 fetch=no cls=1 size=65 flags=0 \nEND\r\n"}, "a", ""},
		{"empty", script{version, "END\r\n"}, "", ""},
		{"empty, newer", script{version, "OK\r\nEND\r\n"}, "", ""},
		{"empty, by another word", script{version, "NOTSTARTED no items to crawl\r\n"}, "", ""},
		{"busy at first", script{version, "BUSY currently processing crawler request\r\n", "BUSY currently processing crawler request\r\n", "key=a\nEND\r\n"}, "a", ""},
		{"enough", script{version, "key=a\nkey=b\nkey=c\nkey=d\nEND\r\n"}, "a|b|c", ""},

		{"without hash", script{"VERSION 1.6.8\r\n", "key=a\nkey=b\nkey=c\nkey=d\nEND\r\n"}, "a|b|c", ""},
		{"without hash, nonsense at the end", script{"VERSION 1.5.22\r\n", "key=a\nkey=b\nkey=c\nkey=d\nnonsense\n"}, "a|b|c", `"nonsense"`},

		{"too old", script{"VERSION 1.4.25\r\n", "ERROR\r\n"}, "", "1.4.25, and memcached 1.4.31"},
		{"no crawler", script{version, "CLIENT_ERROR lru crawler disabled\r\n"}, "", `"CLIENT_ERROR lru crawler disabled" to lru_crawler metadump`},
		{"not allowed", script{"CLIENT_ERROR unauthenticated\r\n"}, "", `it asks for a user and a password`},
		{"another kind", script{"-ERR unknown command 'version'\r\n"}, "", "it is no memcached"},
		{"controls", script{"\x1b[2J\r\n"}, "", `"\x1b[2J"`},
		{"long answer", script{strings.Repeat("x", 3000) + "\n"}, "", `"` + strings.Repeat("x", 100) + `"`},
		{"long line", script{version, "key=a\nkey=" + strings.Repeat("x", longestLine)}, "a", "does not end"},
		{"nonsense", script{version, "key=a\nkey=%x\n"}, "a", `"key=%x"`},
		{"locked", script{version, "OK\r\nERROR locked try again later\r\nEND\r\n"}, "", "busy"},
		{"late error", script{version, "key=a\nERROR\r\n"}, "a", `"ERROR"`},
		{"OK again and again", script{version, strings.Repeat("OK\r\n", 1000)}, "", `"OK"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			keys, err := keysOf(t, test.script.serve(t), 3, patience)
			if got := strings.Join(keys, "|"); got != test.keys {
				t.Errorf("keys %q, expected %q", got, test.keys)
			}
			if (err != nil) != (test.says != "") || err != nil && !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, expected %q", err, test.says)
			}
		})
	}
}

// Versions that don't know the order of the hash table are not asked for it.
func TestOrderOfItems(t *testing.T) {
	t.Parallel()
	for version, order := range map[string]string{
		"1.4.31": "all", "1.6.8": "all", "1.6.8-fork": "all", "0.9.100": "all",
		"1.6.9": "hash", "1.6.9_fork": "hash", "1.6.45": "hash", "1.10.0": "hash", "2.0.0": "hash", "fork": "hash", "": "hash",
	} {
		asked := make(chan string, 1)
		s := serve(t, func(conn net.Conn) {
			in := bufio.NewReader(conn)
			_, _ = in.ReadString('\n')
			_, _ = io.WriteString(conn, "VERSION "+version+"\r\n")
			request, _ := in.ReadString('\n')
			asked <- request
			_, _ = io.WriteString(conn, "END\r\n")
			_, _ = io.Copy(io.Discard, in)
		})
		if _, err := keysOf(t, s, 1, patience); err != nil {
			t.Fatalf("%q: %v", version, err)
		}
		if got := <-asked; got != "lru_crawler metadump "+order+"\r\n" {
			t.Errorf("%q is asked %q, expected %s", version, got, order)
		}
	}
}

// A server that closes the connection in the middle has sent what it has.
func TestClosedConnection(t *testing.T) {
	t.Parallel()
	s := serve(t, func(conn net.Conn) { script{"VERSION 1.6.45\r\n", "key=a\nkey=b"}.answer(conn) })
	keys, err := keysOf(t, s, 3, patience)
	if len(keys) != 1 || err == nil || !strings.Contains(err.Error(), "closed the connection") {
		t.Errorf("%q, %v", keys, err)
	}
}

// Servers that never come to an end are left when there are enough keys, or the time is over.
func TestEndlessServers(t *testing.T) {
	t.Parallel()
	const short = 300 * time.Millisecond
	endless := func(format string) func(net.Conn) {
		return func(conn net.Conn) {
			script{"VERSION 1.6.45\r\n", "OK\r\n"}.answer(conn)
			for i := 0; ; i++ {
				if _, err := fmt.Fprintf(conn, format, i); err != nil {
					return
				}
			}
		}
	}
	for _, test := range []struct {
		name    string
		talk    func(net.Conn)
		timeout time.Duration
		keys    int // -1 for any number but none
		says    string
	}{
		{"keys", endless("key=k%d exp=-1\n"), patience, 1000, ""},
		{"a key of many", endless("key=k%d exp=-1\n"), short, -1, "too long"},
		{"one line", endless("%d"), patience, 0, "does not end"},
		{"silence", script{}.play, short, 0, "too long"},
		{"silence after the version", script{"VERSION 1.6.45\r\n"}.play, short, 0, "too long"},
		{"keys without hash", endlessWithoutHash, short, 1000, "too long"},
		{"silence after keys", script{"VERSION 1.6.45\r\n", "key=a\nkey=b\n"}.play, short, 2, "too long"},
		{"busy", busy, short, 0, "busy with another crawl"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			sample := 1000
			if test.keys < 0 {
				sample = 1 << 62
			}
			keys, err := keysOf(t, serve(t, test.talk), sample, test.timeout)
			if test.keys >= 0 && len(keys) != test.keys || test.keys < 0 && len(keys) == 0 {
				t.Errorf("%d keys, expected %d", len(keys), test.keys)
			}
			if (err != nil) != (test.says != "") || err != nil && !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, expected %q", err, test.says)
			}
		})
	}
}

// endlessWithoutHash is a server that does not list items in the order of its hash table, and
// has no end of them in another order.
func endlessWithoutHash(conn net.Conn) {
	script{"VERSION 1.5.0\r\n", ""}.answer(conn)
	for i := 0; ; i++ {
		if _, err := fmt.Fprintf(conn, "key=k%d exp=-1\n", i); err != nil {
			return
		}
	}
}

// busy is a server that is busy for ever.
func busy(conn net.Conn) {
	in := bufio.NewReader(conn)
	for answer := "VERSION 1.6.45\r\n"; ; answer = "BUSY currently processing crawler request\r\n" {
		if _, err := in.ReadString('\n'); err != nil {
			return
		}
		_, _ = io.WriteString(conn, answer)
	}
}
