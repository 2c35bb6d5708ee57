// Package structure keeps structures in memcached that are logs of tokens.
//
// Changing a structure appends tokens, each followed by one space, to the item under its
// key, the head, which memcached does atomically; reading fetches it and folds it, in
// order. A read that finds many dead tokens answers first and then swaps a
// compacted log in, with a compare-and-swap that lets it go if anything has
// changed. The encoding and the idea are Dustin Sallings's ("Maintaining a set
// in memcached").
//
// What a kind of structure has of its own is a [Kind]: the letter of its tokens, and what
// they come to, a [Fold]. All else is the same for all kinds, and done by an [Engine], on
// which a verb's call builds, see [EngineOf]. The kind of a structure is named by its
// head, not by the verb: whoever folds one away, to keep it short, folds it as what it
// is. So all kinds have to be known, see [Register].
//
// What was read of a structure is kept as a view, and used again for as long as a probe of
// the head finds the same CAS and size: see view.go, which has the rules that keep this
// right, and views.go, which bounds the memory. Calls that decide on what they have read
// and change it, such as who takes one member, do so together (decide.go).
//
// A log that outgrows the head goes on in segments: items that never change, to
// which the head points with "@<id>:<parts>:<bytes> " in front of its tokens.
// Together they are a small log-structured store (O'Neil and others, "The
// log-structured merge-tree"): who finds the head too long folds its tokens, and
// small segments, into a new one (settle.go); those that become similar in size
// are merged (merge.go). See segment.go for the format, load.go for reading.
//
// What keeps this right is that three kinds of change are all there are:
//
//   - Tokens are appended to the head. Only this answers a client, and it is
//     one operation.
//   - The beginning of the head is replaced by something that means the same,
//     by compare-and-swap, with what was appended meanwhile left behind it
//     (change.go). It does not matter whether, when or how often that happens.
//   - The whole head is swapped, or appended to, only if nothing was appended since it
//     was read (insert.go, ground.go).
//
// A segment is written before the head points to it and deleted after it does no
// more, and its id is never used again. So a part that is missing while the head
// still points to it was evicted; then the structure is gone as an evicted item
// is, and to make that true its head is deleted before anybody is told.
package structure
