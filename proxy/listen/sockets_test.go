package listen

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bound is a listener with an address.
type bound struct {
	net.Listener
	at net.Addr
}

func (b bound) Addr() net.Addr { return b.at }

// A socket that was passed to the process is found by its address, however that is written.
func TestAddressesOfPassedSockets(t *testing.T) {
	t.Parallel()
	tcp := func(ip string) net.Addr { return &net.TCPAddr{IP: net.ParseIP(ip), Port: 11211} }
	path := &net.UnixAddr{Name: "/run/memverbs/s", Net: "unix"}
	for _, test := range []struct {
		socket  net.Addr
		address string
		is      bool
	}{
		{tcp("127.0.0.1"), "127.0.0.1:11211", true},
		{tcp("127.0.0.1"), "127.0.0.1:11212", false},
		{tcp("127.0.0.1"), "127.0.0.2:11211", false},
		{tcp("127.0.0.1"), ":11211", false},
		{tcp("::ffff:127.0.0.1"), "127.0.0.1:11211", true},
		{tcp("::1"), "[::1]:11211", true},
		{tcp("::"), ":11211", true},
		{tcp("::"), "[::]:11211", true},
		{tcp("::"), "0.0.0.0:11211", true},
		{tcp("::"), "127.0.0.1:11211", false},
		{tcp("0.0.0.0"), ":11211", true},
		{path, "unix:/run/memverbs/s", true},
		{path, "unix:/run//memverbs/s", true},
		{path, "unix:/run/memverbs/t", false},
		{path, "127.0.0.1:11211", false},
		{tcp("127.0.0.1"), "unix:/run/memverbs/s", false},
	} {
		a, err := Parse(test.address)
		if err != nil {
			t.Fatal(err)
		}
		if is := (passed{Listener: bound{at: test.socket}}).isAt(a); is != test.is {
			t.Errorf("%v is at %s: %v, expected %v", test.socket, test.address, is, test.is)
		}
	}
}

// Errors about addresses tell what to do.
func TestAdvice(t *testing.T) {
	t.Parallel()
	var sockets Sockets
	taken, err := sockets.Open(Address{"tcp", "127.0.0.1:0"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	folder := t.TempDir()
	file, link, used := filepath.Join(folder, "file"), filepath.Join(folder, "link"), filepath.Join(folder, "used")
	listening, err := sockets.Open(Address{"unix", used}, Options{Mode: 0o700})
	if err == nil {
		defer func() { _ = listening.Close() }()
		err = os.WriteFile(file, []byte("x"), 0o600)
	}
	if err == nil {
		err = os.Symlink("nowhere", link)
	}
	if err != nil {
		t.Fatal(err)
	}
	for address, says := range map[string]string{
		"unix:" + folder:                            "address already in use: it is a folder; give the path of a socket in it, such as unix:" + folder + "/memverbs.sock",
		"unix:" + file:                              "address already in use: there is a file that is no socket; remove it, or choose another path",
		"unix:" + link:                              "address already in use: there is a file that is no socket; remove it, or choose another path",
		"unix:" + used:                              "address already in use: end the process that listens there, or choose another address",
		taken.Addr().String():                       "address already in use: end the process that listens there, or choose another address",
		"192.0.2.1:11211":                           "it is no address of this machine",
		"unix:" + t.TempDir() + "/nowhere/s":        "no such file or directory: make its folder first",
		"unix:/" + strings.Repeat("x", longestPath): "the path of a socket has at most",
	} {
		a, err := Parse(address)
		if err == nil {
			_, err = sockets.Open(a, Options{})
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, expected %s", address, err, says)
		}
	}
}
