// Package latency measures how long things take on an event loop, at a cost of a few
// nanoseconds each: a [Clock] that is read at most once in each callback, stamps of four
// bytes, and a [Histogram] of fixed buckets.
//
// Nothing is locked. A loop adds to its histograms; whoever wants to see them asks the loop
// for a copy.
package latency
