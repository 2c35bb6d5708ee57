// Package packet makes packets of memcached's binary protocol for the tests, right ones and
// wrong ones, and reads the answers. It shares nothing with the package that the proxy uses.
package packet
