package eventlogs

import (
	"cmp"
	"slices"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// logfetch answers with the events of an interval, in order of time.
var logfetch = verbs.Verb{
	Traces: verbs.Scattered,
	Verb:   protocol.Verb{Name: "logfetch", Usage: "<log> [<first> [<last> | [more <n>] wait <ms>]]", Read: readLogFetch},
	Does:   "answers with the events of a log from first to last, in milliseconds since 1970, or before now if negative; with wait, waits so many milliseconds until there are any, or more than <n>",
	Reads:  true, ReadOnly: true, Whole: true, NamedParts: true, Waits: true, Relative: isRelative,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<log>[/<first>[/<last>]][/more/<n>]" + verbs.WaitShape, Times: 2, Named: []string{moreWord}, Listed: true},
	Run:   verbs.Coroutine(func(c *verbs.Call) { logCall{c}.logfetch() }),
}

func (c logCall) logfetch() {
	if !c.logName() {
		return
	}
	first, last := c.interval()
	for range verbs.MaxTries {
		f := fetch{Call: c.Call, first: first, last: last}
		if f.chunks() && f.rest() {
			c.Seen = f.seen()
			f.tell()
		}
		if c.Answered() {
			return
		}
	}
	c.Fail(verbs.Contended(c.Shown(c.Key)))
}

// interval returns the part of the requested interval that is kept. What is relative to now is relative to when the call
// began to wait, if it did.
func (c logCall) interval() (first, last int64) {
	o, now := chunksOf(c.Env), c.Env.Now()
	began := cmp.Or(c.When, now)
	first, last = o.oldest(now), now
	words := wordsOfFetch(c.Words)
	if n, ok := protocol.ParseInt(words.first); ok {
		first = max(first, resolve(n, began))
	}
	if n, ok := protocol.ParseInt(words.last); ok {
		last = min(resolve(n, began), now+o.LogChunk)
	}
	return first, last
}

// fetch is a running logfetch. It has to begin again if there was no memory.
type fetch struct {
	*verbs.Call
	first, last int64
	items       [][]byte
	found       []found
	size        int          // of the items that were read, in bytes
	more        []chunkItems // those that may be more than were read

	events    int          // in the items, inside and outside of the interval
	past      int          // those of them that are not after the interval
	next      int64        // when the first of the others is; 0 if there is none
	length    int          // how long the items were, in bytes
	describes *Description // if not nil, the items are added to it and dropped instead of answered with
}

// chunkItems are the items of a chunk at one place.
type chunkItems struct {
	chunk int64
	at    verbs.Place
}

// chunksAtOnce is how many chunks are read in one round trip, of all places together.
const chunksAtOnce = 16

// chunks reads the first items of all chunks of the interval. It returns false if that is not
// done: then the client was told why, or there was no memory.
func (f *fetch) chunks() bool {
	if f.last < f.first && !f.waits() {
		return true
	}
	o := chunksOf(f.Env)
	from, to := o.at(f.begin()), o.at(f.last)
	places := append(f.Env.FormerPlaces(f.Key), 0)
	for atOnce := max(1, chunksAtOnce/int64(len(places))); from <= to; from += atOnce {
		if !f.fetchChunks(places, from, min(to, from+atOnce-1)) {
			return false
		}
	}
	return true
}

// firstItems is how many items of each chunk are read at first. Usually these are all.
const firstItems = 2

// fetchChunks reads the first items of the chunks from from to to, at all places.
func (f *fetch) fetchChunks(places []verbs.Place, from, to int64) bool {
	var ops []verbs.Op
	var of []chunkItems
	for _, at := range places {
		for chunk := from; chunk <= to; chunk++ {
			of = append(of, chunkItems{chunk, at})
			ops = f.appendReads(ops, of[len(of)-1], 1, firstItems)
		}
	}
	return f.read(ops, func(i int) {
		if i%firstItems == firstItems-1 {
			f.more = append(f.more, of[i/firstItems])
		}
	})
}

// appendReads appends to ops those that read the items from first to last of a chunk.
func (f *fetch) appendReads(ops []verbs.Op, of chunkItems, first, last int64) []verbs.Op {
	for n := first; n <= last; n++ {
		op := f.Part(verbs.Fetch, appendItemKey(nil, f.Key, of.chunk, n))
		op.At = of.at
		ops = append(ops, op)
	}
	return ops
}

// rest reads the other items of chunks that may have more of them.
func (f *fetch) rest() bool {
	for _, of := range f.more {
		for n, hit := int64(firstItems+1), true; hit && n <= maxItems; n += itemsAtOnce {
			ops := f.appendReads(nil, of, n, min(n+itemsAtOnce-1, maxItems))
			hit = false
			if !f.read(ops, func(int) { hit = true }) {
				return false
			}
		}
	}
	return true
}

// read fetches items, takes the events of the interval out of them, and calls hit for each item
// that exists. It returns false if that failed.
func (f *fetch) read(ops []verbs.Op, hit func(i int)) bool {
	for i := 0; i < len(ops); {
		some := ops[i:]
		if f.Singly {
			some = some[:1]
		}
		replies := slices.Clone(f.AskAll(some)) // since reserving memory would overwrite them
		if slices.ContainsFunc(replies, func(r verbs.Reply) bool { return r.Status == verbs.Dropped }) {
			f.Singly = true
			continue
		}
		if !f.take(some, replies, func(n int) { hit(i + n) }) {
			return false
		}
		i += len(some)
	}
	return true
}

// take takes the events out of the replies to ops.
func (f *fetch) take(ops []verbs.Op, replies []verbs.Reply, hit func(i int)) bool {
	for i := range replies {
		if r := &replies[i]; r.Status != verbs.Hit && r.Status != verbs.Missing {
			f.Fail(*r)
			return false
		}
		f.size += len(replies[i].Data)
		f.length += len(replies[i].Data)
	}
	if f.describes == nil && f.TooLong(f.size) || !f.makeRoom() {
		return false
	}
	var keys [][]byte
	for i := range replies {
		r := &replies[i]
		if r.Status != verbs.Hit {
			continue
		}
		r.Keep() // replies are valid only until the next operation
		f.items, keys = append(f.items, r.Data), append(keys, ops[i].Key)
		hit(i)
	}
	for i, key := range keys {
		n, before := len(f.items)-len(keys)+i, len(f.found)
		if !f.search(n) {
			f.Sayf("CLIENT_ERROR %s does not hold events of a log", f.Shown(key))
			return false
		}
		if len(f.found) == before && f.describes == nil { // the item has no event of the interval
			f.size -= len(f.items[n])
			f.items[n] = nil
		}
	}
	if f.describes != nil {
		f.describes.add(f, replies)
	}
	return true
}

// makeRoom reserves memory for the items read so far, and for the events in them. If there is not
// enough, the call waits for twice as much, since more items may follow; but only for as much as is
// needed now if it drops the items soon.
func (f *fetch) makeRoom() bool {
	if f.size <= f.Pace.Freely() || f.Reserve(memoryForItems(f.size)) {
		return true
	}
	if f.describes == nil {
		f.NeedMemory(2 * memoryForItems(f.size))
	}
	return false
}

// memoryForItems returns how much memory so many bytes of items take, with a list of
// their events and another one for sorting.
func memoryForItems(size int) int { return size + 2*size/shortestEvent*foundSize }

// append appends a stored event to the answer.
func (f *fetch) append(e *found, log, stored []byte) {
	if f.Listed {
		end := f.BeginList()
		f.Answer = e.appendListed(f.Answer, stored, end)
		return
	}
	f.Answer = e.appendReply(f.Answer, log, stored)
}

// tell answers with the events that were found, unless there is no memory for that.
func (f *fetch) tell() {
	f.sort()
	log := f.Shown(f.Key)
	size := len("END\r\n") + len(f.found)*(len("VALUE  ")+len(log))
	for i := range f.found {
		size += int(f.found[i].size)
	}
	size = min(size, verbs.MaxAnswer+len("END\r\n"))
	if size > f.Pace.Freely() && !f.Reserve(memoryForItems(f.size)+size) {
		return
	}
	f.Answer = verbs.Grow(&f.Pace, f.Answer, size)
	f.Pace.Each(len(f.found), func(from, to int) {
		for n := from; n < to && !f.Answered(); n++ {
			if e := &f.found[n]; !f.TooLong(int(e.size) + len(log)) {
				f.append(e, log, f.stored(n))
			}
		}
	})
	if !f.Answered() {
		f.End()
	}
}
