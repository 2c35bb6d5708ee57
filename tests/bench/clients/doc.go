//go:build linux

// Package clients puts memcached under load by clients that keep structures in it without a
// proxy (package article): goroutines, each with a client and a connection, which do one piece
// of work after another. A client library waits for every reply, so nothing is pipelined.
//
// The clients run in a process of their own, [Serve], for two reasons. Their processor time is a
// part of what the algorithm costs, and can be measured separately that way. And they may use all
// processors, as those of an application would, while the program that measures keeps to a few. The
// process that measures talks to it by [Clients]. In comparisons, bear in mind that this processor
// time includes making the load, which is left out for the other contestants.
package clients
