package layouts

import "fmt"

// shape is a kind of pool.
type shape struct {
	title    string
	server   notation // what the original is told
	upstream notation // what memverbs is told, if that is something else
	spread   bool     // each server has a host of its own and memcached's port, not a free port of one host
}

// notation is how the server i is written.
type notation func(i int, host, port string) string

var (
	equal    = shape{title: "equal servers", server: plain}
	weighted = shape{title: "weights", server: withWeight}
	named    = shape{title: "weights and names", server: withName}
	// Some clients have no regard for weights.
	weightedInVain = shape{title: "weights in vain", server: withWeight, upstream: plain}
	// Some leave memcached's port out of a server's name.
	spread         = shape{title: "hosts", server: plain, spread: true}
	weightedSpread = shape{title: "hosts and weights", server: withWeight, spread: true}
	// Some have the name of a host and the address that was found for it.
	localhost         = shape{title: "localhost", server: asLocalhost}
	weightedLocalhost = shape{title: "localhost and weights", server: asWeightedLocalhost}
	nameAndAddress    = shape{title: "localhost and its address", server: asLocalhost, upstream: asSpymemcachedHasIt}
)

const poolSize = 5

var (
	weights = [poolSize]int{1, 2, 3, 1, 5}
	names   = [poolSize]string{"eve", "dan", "cat", "bob", "amy"} // in no order of hosts or ports
)

func plain(_ int, host, port string) string { return host + ":" + port }

func withWeight(i int, host, port string) string {
	return fmt.Sprintf("%s:%s:%d", host, port, weights[i])
}

func withName(i int, host, port string) string { return withWeight(i, host, port) + " " + names[i] }

func asSpymemcachedHasIt(_ int, host, port string) string {
	return fmt.Sprintf("localhost:%s:1 localhost/%s:%s", port, host, port)
}

func asLocalhost(_ int, _, port string) string { return "localhost:" + port }

func asWeightedLocalhost(i int, _, port string) string { return withWeight(i, "localhost", port) }
