//go:build linux

// Package connload makes a load of new connections with TLS: visitors connect, make a
// handshake, send one request and close the connection when that is answered, again and
// again. They measure the whole visit. Visitors are goroutines, since handshakes cost much more
// than switching between them.
package connload
