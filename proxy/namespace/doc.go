// Package namespace is how a family of keys is flushed at once. It knows neither network nor clock.
//
// The keys of a namespace, such as user:, are stored with a generation in them, a random word that each server keeps in an
// item of its own, under the text of the namespace. Whoever deletes that item hides all items under the generation, and
// the next who needs one makes another:
//
//	                 the client's key   is stored as
//	user: ─▶ Xq0_Ab3d     user:7         user:Xq0_Ab3d7
//	          deleted
//	user: ─▶ m-2Rt9Zk     user:7         user:m-2Rt9Zk7
//
// A proxy remembers a generation, so that it need not ask before each command. It may be outdated, so each command asks
// the server for the present one, too, in the same batch ([Order]). A generation never comes back, so whoever sees it in
// place knows that it was in place ever since the proxy learned of it.
//
// # Why reads ask afterwards
//
// A proxy that remembers a dead generation sends a set under it. The set asks first, so the proxy learns that nobody will
// see it, and repeats it. Meanwhile the item is there:
//
//	proxy 1                     proxy 2
//	get, asks: X in place
//	                            flush
//	                            set under X (remembered), asked: not in place
//	reads under X: the value
//	                            another get asks: Y in place, reads under Y: a miss
//	                            set again, under Y
//
// So the value would be seen, gone, and seen again. A read that asks after the value learns that X is not in place any
// more. A change that answers nothing of what was there (set) needs only to ask before: if the generation was in place then,
// and is flushed before the change is carried out, the order is that the change came first. A change that tells what was
// there is a read, too, so it asks before and after.
//
// A verb takes several operations, which are sent under one generation. It asks before the first and after the last one, as a
// command does: a generation that is in place at the end was in place throughout.
//
// # Files, from the top down
//
//	call.go        what follows from the replies to a command
//	order.go verborder.go          when a command asks for the generation; a verb
//	space.go                       a namespace of a server, as an event loop knows it
//	spaces.go
//	lookup.go                      how its generation is found or made
//	patterns.go                    which keys are in which namespace
//	generation.go                  generations, and keys with one
package namespace
