// Package copies is how a key is kept in several pools at once, so that clients go on while the server of one copy is down. It
// knows neither network nor clock.
//
// The copies of a key have an order, which is configured, and all proxies must have the same. The first that is up leads: it is
// read first and changed last.
//
//	get:     the lead ──a miss or an error──▶ the next ──▶ …        (Set.After)
//	change:  the others, together ──all have answered──▶ the lead   (Change)
//	fill:    a value that the lead lacks and another copy has       (Fill)
//
// # Why the lead is changed last
//
// A fill reads a value from another copy and stores it in the lead. If the lead were changed first, or at the same time, a
// fill could begin after that, read the other copy before it is changed, and store what is older than the change:
//
//	change                      fill
//	delete at the lead
//	                            the lead has nothing: mark it
//	                            read the other copy: the old value
//	delete at the other copy
//	                            store the old value in the lead
//
// With the lead last, whoever reads the other copy before it is changed has marked the lead before that, too, and the
// change of the lead removes or replaces the mark.
//
// # Why a fill marks the lead first
//
// The mark is an item with a CAS of its own ([Fill]). The value is stored only in place of it. So it can't be stored after the
// lead was changed, whoever did it. The other copy is read after that, although the get has read it already: what was read
// before the mark may be older than a change that came before the mark.
//
// Clients see a mark as a miss ([IsMark]). It lives for seconds, unless a touch makes it live longer.
//
// # Files, from the top down
//
//	change.go   the order of a change
//	kind.go     what a request does to copies
//	fill.go     how the lead is filled, and what a fill sends
//	answers.go  what a fill is told
//	mark.go     what marks the lead
//	set.go      sets of copies
package copies
