// Package layouts proves that no key moves when memverbs takes the place of a
// client's own sharding, or of another proxy.
//
// For every layout that memverbs has, the original itself places the keys: the
// client library or the proxy that the layout is named after stores 10 000 keys
// in five memcacheds; 2 500 if it does so for another client or pool too, or if the
// layout differs from another in the hash alone. Then, with that layout,
//
//   - every key is read through memverbs, with its value;
//   - every key is read from the very memcached that "memverbs locate" names;
//   - as many keys are named for each memcached as it holds;
//   - and "memverbs verify --guess", which knows nothing but the pool, says that it is
//     this layout.
//
// Clients that put a prefix before keys and don't hash it are run for several
// applications with prefixes of their own; there it is shown too that most keys
// would move if memverbs were not told of the prefixes.
//
// So no table of expected placements is copied from anywhere. The ports are
// others at every run, and most layouts place by them, so each run proves other
// pools.
//
// The programs that drive the clients are in the folder writers; "make needs"
// fetches the clients.
package layouts
