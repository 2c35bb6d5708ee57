// Package tests holds the documents to what the program is. What tests the program itself, as it is shipped and
// before real memcacheds, is in the folders below, which the README lists.
//
// Every test that can holds over several kinds of store: two memcacheds 1.6.18 (Debian 12's, where append-or-create
// takes three operations), two 1.6.38 (Debian 13's, where it takes one), two 1.6.45 (the newest), and the store that
// memverbs embeds. See [github.com/memverbs/memverbs/tests/harness] for how they are started.
//
// "make test" fetches what the tests need and runs everything.
package tests
