// Package tables implements the verbs on tables, whose rows have data of their own.
//
// A table maps fields to rows. Each row is an item of memcached, with data, flags and an
// exptime of its own, so reading one takes one get, however many rows there are. The idea
// is Andrey Smirnov's ("memcached and data structures"): one key for each row, and one more
// with the list of rows. His list is changed under a lock; this one is a log.
//
//	anchor   <key>                  h:<generation>
//	index    <key>:<generation>     +<field> +<field> …
//	row      <key>:<generation>=<field>
//
// The anchor says that the table exists, and what its parts are called. A generation is 96
// random bits, in 16 characters of URL-safe base64, and is never used again. So deleting
// the anchor deletes the table: nobody finds its index and rows any more, and memcached
// evicts them in time. The index is a set of package sets, stored by package structure under
// its own key. It may be larger than an item, and is settled like any other. If the key is
// so long that the key of a part would be too long, only its beginning precedes the colon;
// the generation alone distinguishes the parts of two tables.
//
//	anchor.go     the anchor: its text and kind
//	names.go      the keys of index and rows
//	table.go      the calls of a table: find its generation, validate it, condemn it
//	hset.go       hset and hadd; creating a table
//	rows.go       reading or changing rows by their fields: hget, hexists, hdel, hincr, hdecr
//	listing.go    hkeys, hgetall and hlen
//	prune.go      dropping fields without a row from the index
//	refresh.go    keeping the index of a table that is only read
//	describe.go   what inspect tells
//
// # What is true
//
// A row exists if the anchor has a generation and the row of that generation exists. The
// index is only a hint that is never too short:
//
//  1. The index holds the field of every row whose hset or hadd was acknowledged, as long as
//     the row exists. It may hold more. So a listing looks up the row of each field that the
//     index holds, and lists those that it finds.
//  2. The generation in the anchor has an index. So if the index is missing, memcached has
//     evicted it, and the table is lost as a whole: the anchor is deleted if its CAS is
//     unchanged, before any client is told, and the loss is counted and logged. A table that
//     lacks only a part of its rows would otherwise pass for a whole one.
//  3. A row that memcached has evicted is one row less. If it has evicted the anchor, there is
//     no table.
//
// # The order of operations
//
// All items of a table are on the upstream that owns its key, and the operations of a batch
// are carried out there in order. So a call is a single batch, provided that the proxy
// remembers the generation, see [verbs.Hints]:
//
//	hset    set the row      append the field to the index      get the anchor
//	hadd    add the row      append the field to the index      get the anchor
//	hget    get the row                                         get the anchor
//	hdel    delete the row                                      get the anchor
//	hincr   increment it                                        get the anchor
//
// The anchor comes last, in reads too. What a proxy remembers may be the generation of a dead
// table. If the anchor still has the generation after the row was read or changed, the table
// existed all the time, since a generation never returns. If it has not, what the batch did
// concerned a dead table, which has no effect, and the call begins again with the generation
// that the anchor has now. Asking for the anchor first proves nothing: the table may be
// deleted and made again between that and the row.
//
// The row precedes the field in the index, because settling looks for rows and drops the
// fields that have none: if the field came first, it could be dropped before the row was
// there.
//
// A table is created in one batch: the row, the index, then an add of the anchor. Nobody
// else knows the generation before the anchor is there, and when it is, so are the others.
// If another call has added its anchor first, this one deletes its row and index and begins
// again with the generation of the winner.
//
// # The traps
//
//   - The index is appended to, never created: append-or-create on an evicted index would
//     show what was added since as the whole table.
//   - The field is always appended, even if it is known to be in the index. Between that
//     knowledge and the set of the row, the row may expire and settling may drop the field.
//   - hdel leaves the index alone. A token that removes the field could follow the token of a
//     concurrent hset, and hide its row. Only settling removes fields: it reads the index,
//     then looks for the rows, and changes no more of the index than it has read. An hset
//     that makes a row after settling has missed it appends its field after that.
//   - What settling has read may be outdated in only one way: a field that had no row is
//     appended again, and what was appended is kept.
//
// # What remains
//
// A row may be found by hget a moment before its hset is acknowledged, and is listed only from
// then on. If that hset fails halfway, such a row may stay unlisted until it is set again. A
// listing is no snapshot: it reads the rows one after another. hincr and hdecr change rows
// that exist, so they leave the index alone.
//
// The anchor has the time to live of the table, for touch; index and rows of an expired table
// are garbage until memcached evicts them. A row's exptime is its own, and ends with the row
// at the latest when the anchor does. The index has none, so it never expires before the
// anchor.
package tables
