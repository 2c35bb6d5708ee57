// Package memory counts and bounds the memory that clients make the event loops of a
// proxy use.
//
//	Budget     the limit that all loops share
//	└─ Account     what one loop has leased of it and uses
//	   ├─ Quota    a part of the budget for one purpose, which is never overdrawn
//	   └─ Pool     byte buffers of one loop, which its account counts
//	Reuse      objects of one kind of one loop, which are used again
//
// Only a Budget is safe for concurrent use. Memory other than buffers, such as a list
// that grows with each request, must be reported to the Account.
package memory
