package verify

import "github.com/memverbs/memverbs/sharding"

// Other is another pool that has some of the servers. Its keys are there too, and are where its own layout
// looks for them.
type Other struct {
	Name string
	// Layout locates a key by the number of a server in the Check, or -1 if that is not among them.
	sharding.Layout
}
