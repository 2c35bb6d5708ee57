package sharding

import (
	"testing"

	"github.com/bradfitz/gomemcache/memcache"
)

// The original is a dependency of the tests, so its answers need no recording. A weight
// is expressed by listing a server several times.
func TestGomemcacheAgreesWithItsServerList(t *testing.T) {
	weighted := equals(4)
	weighted[1].Weight, weighted[3].Weight = 3, 2
	for _, servers := range [][]Server{equals(1), equals(7), equals(100), weighted} {
		var list memcache.ServerList
		var names []string
		for _, s := range servers {
			for range s.Weight {
				names = append(names, s.hostPort())
			}
		}
		if err := list.SetServers(names...); err != nil {
			t.Fatal(err)
		}
		layout := mustLayout(t, "gomemcache", servers)
		keys := strangeKeys()
		for i := range 2000 {
			keys = append(keys, testKey(i))
		}
		for _, key := range keys {
			want, err := list.PickServer(string(key))
			if err != nil {
				t.Fatal(err)
			}
			if got := servers[layout.Locate(key)]; got.hostPort() != want.String() {
				t.Errorf("%.20q on %v, gomemcache has it on %v", key, got, want)
			}
		}
	}
}
