package sharding

import (
	"fmt"
	"net"
	"strconv"
	"strings"
	"testing"
)

func mustParse(t testing.TB, s string) ServerAddr {
	t.Helper()
	server, err := ParseServer(s)
	if err != nil {
		t.Fatal(err)
	}
	return server
}

func TestParseServer(t *testing.T) {
	for in, want := range map[string]ServerAddr{
		"cache":                     {Server{Host: "cache", Port: 11211, Weight: 1, Name: ""}, "tcp", "cache:11211"},
		"cache:11311":               {Server{Host: "cache", Port: 11311, Weight: 1, Name: ""}, "tcp", "cache:11311"},
		"cache:11311:5":             {Server{Host: "cache", Port: 11311, Weight: 5, Name: ""}, "tcp", "cache:11311"},
		"Cache-1.db_2.Example:1:1":  {Server{Host: "Cache-1.db_2.Example", Port: 1, Weight: 1, Name: ""}, "tcp", "Cache-1.db_2.Example:1"},
		"10.0.0.1:65535:65535":      {Server{Host: "10.0.0.1", Port: 65535, Weight: 65535, Name: ""}, "tcp", "10.0.0.1:65535"},
		"bücher.example":            {Server{Host: "bücher.example", Port: 11211, Weight: 1, Name: ""}, "tcp", "bücher.example:11211"},
		"[::1]":                     {Server{Host: "::1", Port: 11211, Weight: 1, Name: ""}, "tcp", "[::1]:11211"},
		"[2001:db8::2]:11222":       {Server{Host: "2001:db8::2", Port: 11222, Weight: 1, Name: ""}, "tcp", "[2001:db8::2]:11222"},
		"[fe80::1%eth0]:11222:3":    {Server{Host: "fe80::1%eth0", Port: 11222, Weight: 3, Name: ""}, "tcp", "[fe80::1%eth0]:11222"},
		"unix:/run/memcached.sock":  {Server{Host: "/run/memcached.sock", Port: 0, Weight: 1, Name: ""}, "unix", "/run/memcached.sock"},
		"unix:/run/m.sock:7":        {Server{Host: "/run/m.sock", Port: 0, Weight: 7, Name: ""}, "unix", "/run/m.sock"},
		"unix:/srv/my cache:11:2":   {Server{Host: "/srv/my cache:11", Port: 0, Weight: 2, Name: ""}, "unix", "/srv/my cache:11"},
		"cache:1:0.3":               {Server{Host: "cache", Port: 1, Fraction: 0.3}, "tcp", "cache:1"},
		"cache:1:0.0 alpha":         {Server{Host: "cache", Port: 1, Name: "alpha"}, "tcp", "cache:1"},
		"cache:1:2 alpha":           {Server{Host: "cache", Port: 1, Weight: 2, Name: "alpha"}, "tcp", "cache:1"},
		"cache:1:2 a/b:1":           {Server{Host: "cache", Port: 1, Weight: 2, Name: "a/b:1"}, "tcp", "cache:1"},
		"[::1]:11211:1 bücher":      {Server{Host: "::1", Port: 11211, Weight: 1, Name: "bücher"}, "tcp", "[::1]:11211"},
		"unix:/run/m.sock:7 beta":   {Server{Host: "/run/m.sock", Port: 0, Weight: 7, Name: "beta"}, "unix", "/run/m.sock"},
		"/run/m.sock:7 beta":        {Server{Host: "/run/m.sock", Port: 0, Weight: 7, Name: "beta"}, "unix", "/run/m.sock"},
		"/run/memcached.sock":       {Server{Host: "/run/memcached.sock", Port: 0, Weight: 1, Name: ""}, "unix", "/run/memcached.sock"},
		"localhost:0000011211:0001": {Server{Host: "localhost", Port: 11211, Weight: 1, Name: ""}, "tcp", "localhost:11211"},
	} {
		got, err := ParseServer(in)
		if err != nil || got != want {
			t.Errorf("ParseServer(%q) = %+v, %v, expected %+v", in, got, err, want)
		}
	}
}

func TestParseServerRefuses(t *testing.T) {
	for in, want := range map[string]string{
		"":                       `"" is not a host name or IP address`,
		":11211":                 `"" is not a host name or IP address`,
		"::1":                    `"" is not a host name or IP address`,
		"fe80::1":                `port "" is not a number from 1 to 65535`,
		"2001:db8::2:11211":      `port "db8" is not`,
		"cache:":                 `port "" is not a number from 1 to 65535`,
		"cache:0":                `port "0" is not`,
		"cache:65536":            `port "65536" is not`,
		"cache:-1":               `port "-1" is not`,
		"cache:+1":               `port "+1" is not`,
		"cache:http":             `port "http" is not`,
		"cache:1:":               `weight "" is not a number from 1 to 65535`,
		"cache:1:0":              `weight "0" is not`,
		"cache:1:99999999999999": `weight "99999999999999" is not`,
		"cache:1:.5":             `weight ".5" is not`,
		"cache:1:0.":             `weight "0." is not`,
		"cache:1:0.3e1":          `weight "0.3e1" is not`,
		"cache:1:-0.5":           `weight "-0.5" is not`,
		"cache:1:1.5":            `weight "1.5" is not`,
		"cache:1:2:3":            `weight "2:3" is not`,
		"cache:1:2 ":             `"" is not a name`,
		"cache:1:2  a":           `" a" is not a name`,
		"cache:1:2 a b":          `"a b" is not a name`,
		"cache:1:2 a\x01":        `"a\x01" is not a name`,
		"cache:1 alpha":          `port "1 alpha" is not`,
		"unix:/run/m.sock:7 ":    `"" is not a name`,
		"cache 1:11211":          `"cache 1" is not a host name`,
		"cache\n":                `"cache\n" is not a host name`,
		"http://cache:11211":     `port "//cache" is not`,
		"a,b":                    `"a,b" is not a host name`,
		"\xff":                   `is not a host name`,
		"[::1":                   "no IPv6 address between brackets",
		"[":                      "no IPv6 address between brackets",
		"[]:1":                   "no IPv6 address between brackets",
		"[10.0.0.1]:1":           "no IPv6 address between brackets",
		"[fe80::1%e 0]:1":        "no IPv6 address between brackets",
		"[::1]11211":             `"11211" follows the bracket`,
		"[::1]:1:2:3":            `weight "2:3" is not`,
		"unix":                   `"" is not an absolute path`,
		"unix:":                  `"" is not an absolute path`,
		"unix:run/m.sock":        `"run/m.sock" is not an absolute path`,
		"unix:/run/m.sock:":      `weight "" is not`,
		"unix:/run/m.sock:heavy": `weight "heavy" is not`,
		"unix:/run/m\x00.sock":   "is not an absolute path",
	} {
		_, err := ParseServer(in)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseServer(%q): error %v, expected %q in it", in, err, want)
			continue
		}
		checkRefusal(t, in, err)
	}
}

// checkRefusal checks the form of an error: one line with the input and what was
// expected.
func checkRefusal(t *testing.T, in string, err error) {
	t.Helper()
	text := err.Error()
	if strings.Contains(text, "\n") || !strings.Contains(text, strconv.Quote(in)) || !strings.HasSuffix(text, serverForms) {
		t.Errorf("ParseServer(%q): malformed error %q", in, text)
	}
}

func FuzzParseServer(f *testing.F) {
	for _, seed := range []string{
		"", ":", "cache:11211:1", "cache:11211:1 alpha", "/run/m:1 b", "[::1]:11211:2", "[fe80::1%eth0]", "unix:/a:b:3", "unix", "[", "[]", "a:b:c:d", "\x00\xff",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		server, err := ParseServer(in)
		if err != nil {
			checkRefusal(t, in, err)
			return
		}
		if again, err := ParseServer(spelt(t, server)); err != nil || again != server {
			t.Errorf("ParseServer(%q) = %+v, and spelt out %+v, %v", in, server, again, err)
		}
		if _, err := ByName("rendezvous", []Server{server.Server}); err != nil {
			t.Errorf("ParseServer(%q) = %+v, which no pool takes: %v", in, server, err)
		}
	})
}

// spelt formats a server with all its fields, and checks that its address is its host
// and port.
func spelt(t *testing.T, s ServerAddr) string {
	t.Helper()
	if s.Network == "unix" {
		if s.Address != s.Host || s.Port != 0 {
			t.Errorf("%+v: address is not the path", s)
		}
		return strings.TrimSuffix(fmt.Sprintf("unix:%s:%d %s", s.Host, s.Weight, s.Name), " ")
	}
	host, port, err := net.SplitHostPort(s.Address)
	if err != nil || host != s.Host || port != strconv.Itoa(s.Port) || s.Network != "tcp" {
		t.Errorf("%+v: address is not host and port", s)
	}
	return strings.TrimSuffix(fmt.Sprintf("%s:%d %s", s.Address, s.Weight, s.Name), " ")
}
