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
// # What is true
//
// A row exists if the anchor has a generation and the row of that generation exists. The
// index is only a hint that is never too short:
//
//  1. The index holds the field of every row whose hset or hadd was acknowledged, as long as
//     the row exists. It may hold more. So a listing looks up the row of each field that the
//     index holds, and lists the rows that it finds.
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
//	hset    get the anchor   set the row     append the field to the index
//	hadd    get the anchor   add the row     append the field to the index   get the anchor
//	hget                     get the row                                     get the anchor
//	hdel    get the anchor   delete the row                                  get the anchor
//	hincr   get the anchor   increment it                                    get the anchor
//
// A hincr with an initial number that finds no row goes on as a hadd of that number. If the hadd finds a row,
// the hincr begins again. What follows is true of each of these calls.
//
// What a proxy remembers may be the generation of a dead table, so each batch also asks for the
// anchor.
//
// Rows and anchor are read by one multi-get, which memcached answers in the order of its keys
// too, and in half the time that a meta get for each takes. A meta command that carries hget
// may ask for the time to live of the row, which only a meta get tells; then hget sends meta gets.
//
// A read asks for the anchor last. If it still has the generation, the table existed when the
// row was read, since a generation never returns. If not, the call begins again with the
// generation that the anchor has now. To ask for the anchor first proves nothing: the table
// may be deleted before the row is read, and a call that remembers it may still write to the
// dead row what it is about to write to a new table.
//
// A change asks for the anchor first, unless the call has seen it already. If it had another
// generation, the change concerned a table that was dead before, so nobody can have seen it,
// and the call begins again. To ask for it only last does not tell whether others have seen
// the row before the table was deleted: begun again, one hset could be seen twice, even with an
// hdel in between that was told DELETED. If the anchor had the generation, an hset is done:
// should the table be deleted before the row is set, that is as if the row had been set just
// before.
//
// The answer to hadd, hdel and hincr says what the row was, so they ask for the anchor last as
// well. If the table was deleted within the batch, it is unknown whether they had an effect,
// and the client is told so, unless the row shows that they had none.
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
//   - An index with the same text may have another history: while one proxy looks for rows, the
//     index may be settled by another one and appended to until it begins with the same text
//     again, and a field without a row then may have one now. So fields are dropped only if the
//     text contains a pointer, whose id is unique, or if the CAS of the index is unchanged.
//
// # What remains
//
// A row may be found by hget a moment before its hset is acknowledged, and is listed only from
// then on. If that hset fails halfway, such a row may stay unlisted until it is set again. A
// listing is no snapshot: it reads the rows one after another. hincr and hdecr change rows
// that exist, so they leave the index alone.
//
// An hset or hadd that finds the index evicted deletes the anchor and stores its row in a new
// table. Others may have seen the row in the old one before.
//
// The anchor has the time to live of the table, for touch; index and rows of an expired table
// are garbage until memcached evicts them. A row's exptime is its own, and ends with the row
// at the latest when the anchor does. The index has none, so it never expires before the
// anchor.
//
// # Files, from the top down
//
// What runs up: a call begins with its generation and prunes its index, a page is a part of a listing, and two verbs
// begin without a coroutine and go on with one, or the other way round.
//
//	verbs.go       the list of verbs
//	describe.go    what inspect tells
//	listing.go     hkeys, hgetall and hlen
//	page.go        pages of hkeys and hgetall
//	prune.go       dropping fields without a row from the index
//	setatonce.go   hset and hadd without a coroutine
//	rows.go        reading or changing rows by their fields: hget, hexists, hdel, hincr, hdecr
//	batch.go       many rows at a time, in batches with the anchor
//	hset.go        hset and hadd; creating a table
//	refresh.go     keeping the index of a table that is only read
//	lost.go        a table of which a part was evicted
//	glance.go      hget of one field, whose two reads are nearly always all it takes
//	generation.go  the generation of a table: remembered, read, validated
//	words.go       how the lines of the verbs are parsed
//	names.go       the keys of index and rows
//	anchor.go      the anchor: its text and kind
//	table.go       the calls of a table
package tables
