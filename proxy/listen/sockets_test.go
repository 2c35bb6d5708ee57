package listen

import (
	"net"
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
