package sharding_test

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"testing"

	"github.com/bradfitz/gomemcache/memcache"

	"github.com/memverbs/memverbs/sharding"
)

var _ memcache.ServerSelector = (*sharding.Selector)(nil)

func pool(t *testing.T) []sharding.ServerAddr {
	t.Helper()
	var addrs []sharding.ServerAddr
	for _, s := range []string{"cache-a", "cache-b:11311:2", "[::1]:11212", "unix:/run/memcached.sock"} {
		addr, err := sharding.ParseServer(s)
		if err != nil {
			t.Fatal(err)
		}
		addrs = append(addrs, addr)
	}
	return addrs
}

// ring builds the default layout.
func ring(servers []sharding.Server) (sharding.Layout, error) {
	return sharding.ByName(sharding.Default, servers)
}

func selector(t *testing.T) *sharding.Selector {
	t.Helper()
	s, err := sharding.NewSelector(pool(t), ring)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSelectorPicksTheServerOfTheLayout(t *testing.T) {
	addrs := pool(t)
	var servers []sharding.Server
	for _, a := range addrs {
		servers = append(servers, a.Server)
	}
	layout, err := ring(servers)
	if err != nil {
		t.Fatal(err)
	}
	s := selector(t)
	for i := range 1000 {
		key := fmt.Sprintf("key:%d", i)
		want := addrs[layout.Locate([]byte(key))]
		got, err := s.PickServer(key)
		if err != nil || got.Network() != want.Network || got.String() != want.Address {
			t.Errorf("%s on %v, %v, expected %s", key, got, err, want.Address)
		}
	}
}

func TestSelectorVisitsEachServerOnce(t *testing.T) {
	var got []string
	err := selector(t).Each(func(a net.Addr) error {
		got = append(got, a.Network()+" "+a.String())
		return nil
	})
	want := []string{"tcp cache-a:11211", "tcp cache-b:11311", "tcp [::1]:11212", "unix /run/memcached.sock"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("visited %q, %v, expected %q", got, err, want)
	}
}

func TestSelectorStopsAtAnError(t *testing.T) {
	failure, visits := errors.New("out of reach"), 0
	err := selector(t).Each(func(net.Addr) error {
		visits++
		return failure
	})
	if err != failure || visits != 1 {
		t.Errorf("error %v after %d visits, expected %v after 1", err, visits, failure)
	}
}

func TestNewSelectorRefusesWhatItsLayoutRefuses(t *testing.T) {
	if s, err := sharding.NewSelector(nil, ring); err == nil || s != nil {
		t.Errorf("an empty pool gives %v, %v", s, err)
	}
}

// first is the simplest layout.
type first struct{}

func (first) Locate([]byte) int { return 0 }

func TestSelectorTakesAnyLayout(t *testing.T) {
	layout := func([]sharding.Server) (sharding.Layout, error) { return first{}, nil }
	s, err := sharding.NewSelector(pool(t), layout)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.PickServer("key"); err != nil || got.String() != "cache-a:11211" {
		t.Errorf("PickServer = %v, %v", got, err)
	}
}

func TestSelectorTakesALayoutByName(t *testing.T) {
	layout, err := sharding.Constructor("twemproxy:ketama:fnv1a_64")
	if err != nil {
		t.Fatal(err)
	}
	s, err := sharding.NewSelector(pool(t), layout)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.PickServer("key"); err != nil || got == nil {
		t.Errorf("PickServer = %v, %v", got, err)
	}
}

func ExampleSelector() {
	var pool []sharding.ServerAddr
	for _, s := range []string{"10.0.0.1:11211", "10.0.0.2:11211:2"} {
		addr, err := sharding.ParseServer(s)
		if err != nil {
			fmt.Println(err)
			return
		}
		pool = append(pool, addr)
	}
	layout, err := sharding.Constructor(sharding.Default)
	if err != nil {
		fmt.Println(err)
		return
	}
	selector, err := sharding.NewSelector(pool, layout)
	if err != nil {
		fmt.Println(err)
		return
	}
	client := memcache.NewFromSelector(selector)
	defer client.Close()

	addr, err := selector.PickServer("key:0")
	fmt.Println(addr, err)
	// Output: 10.0.0.2:11211 <nil>
}
