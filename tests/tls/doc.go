// Package tls shows that clients and servers that speak TLS get what they get without, that certificates are
// asked for, checked and replaced, and that floods of handshakes cost nobody else anything.
package tls
