//go:build linux

// Package waitload makes a load of clients that wait: each asks for the next element of a list, and waits until there is one.
// Elements are pushed to random lists at random times, on connections of their own.
//
// Which element a client will get is not known beforehand, so answers are parsed, as package load does not do. There are too
// many clients for a goroutine each: one serves all connections of a [Crew], with epoll.
//
// A ledger checks that each element is delivered once, to a client of its list. It tells the time of delivery, from when the push was
// sent until the client has the element, by whether the client is connected to the process to which the element was pushed, or
// to another one that serves the same lists.
//
// A [Dialect] is how a server is spoken to: memverbs ([Verbs]) or beanstalkd ([Beanstalkd]), whose tubes are the lists.
package waitload
