// Package tests tests memverbs from end to end: the program as it is shipped,
// in front of real memcached processes.
//
// Every test that can holds over four kinds of store: two memcacheds 1.6.18
// (Debian 12's, where append-or-create takes three operations), two 1.6.38
// (Debian 13's, where it takes one), two 1.6.45 (the newest), and the store that memverbs
// embeds. See
// [github.com/memverbs/memverbs/tests/harness] for how they are started.
//
// Most of what memverbs says is pinned down by the transcripts in the folder
// of that name, which are read as easily as they are written:
//
//	plain   plain commands. These also run against memcached itself, of all
//	        versions, so what they show is what memcached answers.
//	stripped
//	        keys of a route that strips its prefix.
//	proxy   plain commands where a proxy is not, or can't be, as memcached.
//	verbs   what memcached lacks.
//
// What a transcript can't say is in Go: a client library that does not know it
// talks to a proxy, and long pipelines checked against a model. Where keys go is
// proved in [github.com/memverbs/memverbs/tests/layouts], against the clients and
// proxies that layouts come from.
//
// "make test" fetches what the tests need and runs everything.
package tests
