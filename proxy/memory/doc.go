// Package memory counts the memory that the event loops of a proxy take for what clients
// make them keep, and bounds it.
//
//	Budget     the limit that all loops share
//	└─ Account     what one loop has leased of it and uses
//	   └─ Pool     byte buffers of one loop, which its account counts
//
// Only a Budget may be used by several loops at the same time. Who takes memory that is
// not a buffer, such as a list that grows with each request, tells the Account.
package memory
