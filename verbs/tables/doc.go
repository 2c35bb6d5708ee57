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
// If a hincr with an initial number finds no row, it goes on as a hadd of that number. If the hadd finds a
// row, the hincr begins again. The following is true of each of these calls.
//
// A proxy may remember the generation of a table that was deleted, so each batch also reads the
// anchor.
//
// Rows and anchor are read by one multi-get, which memcached answers in the order of its keys, and
// in half the time that a meta get for each would take. A meta command that carries hget may ask
// for the time to live of the row; only a meta get returns that, so then hget sends meta gets.
//
// A read asks for the anchor last. If it still has the generation, the table existed when the
// row was read, since a generation never returns. If not, the call begins again with the
// generation that the anchor has now. To read the anchor first would prove nothing: the table may
// be deleted before the row is read, and a call that still remembers the old generation may write
// to the old row just before it writes to a new table.
//
// A change asks for the anchor first, unless the call has seen it already. If the anchor had
// another generation, the change was made to a table that had already been deleted, so nobody can
// have seen it, and the call begins again. Reading it only last would not show whether others have
// seen the row before the table was deleted: if the call began again, one hset could be seen twice,
// even with an hdel in between that was answered DELETED. If the anchor had the generation, an hset
// is done: should the table be deleted before the row is set, that is as if the row had been set
// just before the deletion.
//
// The answers to hadd, hdel and hincr depend on the row that was there, so these calls read the
// anchor last as well. If the table was deleted within the batch, it is unknown whether they had an
// effect, and the client is told so, unless the row shows that they had none.
//
// The row is stored before the field is appended to the index, because settling drops the fields
// that have no row: if the field came first, it could be dropped before the row was stored.
//
// A table is created in one batch: the row, the index, then an add of the anchor. Nobody else knows
// the generation before the anchor exists, and then the row and the index exist too. If another
// call has added its anchor first, this one deletes its row and index and begins again with the
// generation of the winner.
//
// # The traps
//
//   - The index is appended to, never created: append-or-create on an evicted index would make the
//     fields that are added later look like the whole table.
//   - The field is always appended, even if it is known to be in the index: before the row is set,
//     the old row may expire and settling may drop the field.
//   - hdel leaves the index alone. A token that removes the field could follow the token of a
//     concurrent hset, and hide its row. Only settling removes fields: it reads the index,
//     then looks for the rows, and changes no more of the index than it has read. If an hset stores
//     a row after settling has looked for it in vain, it appends its field later still.
//   - An index with the same text may have another history (the ABA problem): while one proxy looks
//     for rows, another one may settle the index, and others may append to it until it begins with
//     the same text again; then a field that had no row may have one. So fields are dropped only if
//     the text contains a pointer, whose id is unique, or if the CAS of the index is unchanged.
//
// # What remains
//
// hget may find a row a moment before its hset is acknowledged; listings have it only after that.
// If the hset fails halfway, the row may stay unlisted until it is set again. A listing is not a
// snapshot: it reads the rows one after another. hincr and hdecr change rows that exist, so they
// leave the index alone.
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
// References from a file to one above it: a call begins with its generation and prunes its index, a page is a part
// of a listing, and hget and hset begin without a coroutine and go on with one.
//
//	verbs.go             the list of verbs
//	tabledescription.go  what inspect tells
//	listing.go           hkeys, hgetall and hlen
//	page.go              pages of hkeys and hgetall
//	prune.go             dropping fields without a row from the index
//	setatonce.go         hset and hadd without a coroutine
//	rows.go              reading or changing rows by their fields: hget, hexists, hdel, hincr, hdecr
//	batch.go             many rows at a time, in batches with the anchor
//	hset.go              hset and hadd; creating a table
//	refresh.go           keeping the index of a table that is only read
//	lost.go              a table of which a part was evicted
//	glance.go            hget of one field, usually without a coroutine
//	generation.go        the generation of a table: remembered, read, validated
//	tablewords.go        how the lines of the verbs are parsed
//	names.go             the keys of index and rows
//	anchor.go            the anchor: its text and kind
//	table.go             the calls of a table
package tables
