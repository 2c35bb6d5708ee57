// Package limits implements the verb limit: may something be done once more, if it may be done so often in so many
// seconds?
//
// # The idea
//
// The window, so many seconds, has sixteen parts, and each part in which something was allowed has a counter, an item with
// a number. A call adds what it wants to the counter of the present part, reads those of the sixteen parts before it and of
// the next one in the same round trip, and allows it if all together are no more than the limit. Otherwise it takes back
// what it has added. There is no compare-and-swap, so no call is ever refused because of others that ask at the same
// time: memcached's order of the additions decides.
//
// # The laws
//
//  1. Of all that is asked for and answered within any interval as long as the window, no more than the count is
//     allowed. If the clocks of proxies differ, by no more than a sixteenth of the window, that holds of intervals that
//     are shorter by the difference. If they differ by more, each group of proxies with the same time may allow the count,
//     and so may a proxy whose clock has jumped.
//  2. If connections ask for one all the time, sixteen seventeenths of what is allowed are allowed, less what the
//     answers take.
//
// Proof of the first: take the calls that were allowed within such an interval, and of them the one whose addition came
// last, by memcached's order. Let it have asked in part i by its clock. All others asked within the window, so in
// part i-16 or later, and no later than the part after the one in which its reply came, by its clock. The call has read
// the counters of all these parts, after its own addition or, where parts have begun since, after its reply; and what the
// others had added was there. As it was allowed, the sum was no more than the count. A counter holds at least what was allowed, as only
// what was not is taken back.
//
// What is unknown stays counted: an addition without a reply, and one that was to be taken back. A counter that is
// evicted begins anew: it allows as much again as it held, and once more if others take back then what they had added to it
// before.
//
// # Starvation
//
// If every call added what it wants and took it back when refused, connections that ask all the time would be
// refused all the time, as the sum of what is yet to be taken back would never fall below the count. So three things hold: the
// calls of an event loop on one limit take turns, each deciding for all that wait (turns.go); no more is added at once
// than could be allowed; and after a refusal a loop only reads until the time at which something becomes free, by what it
// has read ([verbs.Hint]).
//
// # Files, from the top down
//
//	limits.go      the verb
//	describe.go    what inspect tells of a limit
//	decide.go      what is allowed
//	counters.go    the items
//	turns.go       calls that are decided on together
//	limitwords.go  how its line is parsed
//	windows.go     parts of windows, and what was counted in them
package limits
