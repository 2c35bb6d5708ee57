// Package limits shows that memory, waiting and turns have bounds, whatever clients and servers do: large values,
// full structures, clients that do not read or finish, input that is no request, and servers that break the protocol.
package limits
