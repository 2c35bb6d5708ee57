package verbs

import "github.com/memverbs/memverbs/protocol"

// Arguments are what a call has of its request, which ends before the call may do.
type Arguments struct {
	Prefix  []byte // stripped from the client's keys, see [Call.Shown]
	Key     []byte // of the verb's structure
	Words   []byte // the words of the request, see [protocol.Request.Words]
	Data    []byte // the data block, with Flags and When from the line before it
	Flags   uint32
	When    int64
	Exptime int64 // of an item that the call creates, in seconds, with memcached's meaning
	Quiet   bool  // the client gets no answer
	Details bool  // the client may ask for the time to live in [Call.Item]
	Listed  bool  // all values of the answer together are one value, see [Call.AppendItem]

	copied []byte // buffer that Prefix, Key, Words and Data are slices of
}

// borrow makes the request's arguments those of the call.
func (a *Arguments) borrow(req *protocol.Request) {
	*a = Arguments{
		Prefix: req.Prefix, Key: req.Key, Words: req.Words, Data: req.Data,
		Flags: req.Flags, When: req.When, Exptime: req.Exptime,
		Quiet: req.Quiet, Details: req.Details, Listed: req.Listed,
		copied: a.copied,
	}
}

// copyFrom makes a copy of the request's arguments.
func (a *Arguments) copyFrom(req *protocol.Request) {
	b := append(a.copied[:0], req.Prefix...)
	b = append(b, req.Key...)
	b = append(b, req.Words...)
	b = append(b, req.Data...)
	p := len(req.Prefix)
	k := p + len(req.Key)
	w := k + len(req.Words)
	a.borrow(req)
	a.Prefix, a.Key, a.Words, a.Data, a.copied = b[:p:p], b[p:k:k], b[k:w:w], b[w:], b
}

// Word returns the i-th of the words, from 0 on; nil if there are fewer.
func (a *Arguments) Word(i int) (word []byte) {
	rest := a.Words
	for range i + 1 {
		word, rest = protocol.NextWord(rest)
	}
	return word
}
