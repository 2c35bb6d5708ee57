// Package format defines how a structure is laid out in memcached, as a log of tokens.
//
// The item under the structure's key is its head. A change appends tokens to the head, each followed by one
// space. When the head becomes too long, its tokens move to a segment, which never changes afterwards. A
// segment consists of one or more items, its parts. Then the head has pointers to the segments,
// "@<id>:<parts>:<bytes> ", and after them the newest tokens, the tail:
//
//	item "fruits":     @X:2:900000 @Y:1:50000 +fig -plum +kiwi
//	                       │            │     └──── tail ────┘
//	                       ▼            ▼
//	segments:              X            Y
//	their parts:     "fruits:X.0"  "fruits:Y.0"
//	                 "fruits:X.1"
//
//	log, oldest first: fruits:X.0  fruits:X.1  fruits:Y.0  tail
//
// The parts of all segments and the tail, one after another, are the log. Its meaning depends on the [Kind] of the
// structure: a [Fold] of that kind reads the log, token by token. A kind has a letter, with which its tokens begin
// and its pointers end; sets, the oldest kind, have none. So the head shows the kind, whichever verb reads it. All
// kinds have to be registered, see [Register].
//
// The head is swapped or deleted only if it is still the [Version] that was read. A token may contain the
// [OrderID] of an order.
//
// The package asks memcached for nothing, and names no verb and no kind.
//
// # Files, from the top down
//
//	head.go       the item under the structure's key
//	segment.go    the segments that it points to
//	version.go    whether the head is still the one that was read
//	kind.go       what differs from kind to kind
//	results.go    what orders have resulted in
//	orderid.go    the ids of orders
//	lasting.go    what lasts until a time
//	tokens.go     what the tokens of all kinds have in common
package format
