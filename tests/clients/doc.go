// Package clients runs client libraries, as Debian and npm ship them, through
// memverbs.
//
// There is a script for each, which goes through all that the client can do and
// compares every result with the one expected. It is configured as a user would
// configure it, so it also shows what has to be set. Each script runs directly
// against a memcached of both versions, which proves the script right, and then
// through memverbs over two of them and over the store that memverbs embeds.
//
// A script is given the address to connect to, and can be run by hand:
//
//	python3 tests/clients/python-pymemcache.py 127.0.0.1:11211 </dev/null
//
// The scripts of clients that also speak the binary protocol do so if "binary" is the second
// argument. Those of clients that can speak TLS or show a password take from their environment
//
//	MEMCACHED_CA        a file with the authority of the server's certificate: speak TLS
//	MEMCACHED_USERNAME  show this user and
//	MEMCACHED_PASSWORD  this password
//
// and "refused" as their last argument says that the password is wrong, as the script then checks.
//
// It empties that store. It says on its standard output
//
//	<client> <version>  in its first line
//	freeze              to have one of two memcacheds frozen; it is answered by a line "frozen" on its standard
//	                    input, or by anything else if there are no two memcacheds
//	thaw                to have that go on; answered by "thawed" when memverbs uses it again
//	<n> checks          in the last line but one
//	ok                  in the last
//
// and, of the first difference, what client, operation, expected and got on its
// standard error.
//
// The scripts held-*, of some of the clients, are of another kind: ten clients of one process ask for one page, which
// whoever misses it makes, and they say how many have (held_test.go).
//
// tests/fetch-clients.sh gets the clients. What else gomemcache does is tested
// with the other end-to-end tests.
package clients
