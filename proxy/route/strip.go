package route

import (
	"fmt"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/execution"
)

// A route may strip its prefix from its keys. Routing, hot keys and slow requests use the key that
// the client has sent; the prefix is stripped when a request is sent to an upstream, and when it is
// compared with running verbs. The replies get the prefix back from a gather (gather.go), from the
// verb, or from a sink (restore.go).

// Stripped is a loop's scratch for stripping requests.
type Stripped struct {
	req     protocol.Request
	encoded []byte
	words   []byte
	Line    []byte // the beginning of a reply that gets its prefix back
}

// keptWords is how many bytes of words are kept for the next request.
const keptWords = 64 << 10

// Request returns req with its keys as they are stored: without the prefixes of their routes. r.bare
// must have accepted req. The result is valid until the next call, and only as long as req is.
func (s *Stripped) Request(r *Table, req *protocol.Request) *protocol.Request {
	if !r.Strips || len(req.Key) == 0 {
		return req
	}
	to := r.of(req.Key)
	if takesSeveral(req) && req.NumWords > 0 {
		s.req = *req
		s.req.SetKeys(s.strip(r, req.Words))
	} else if to.cut > 0 {
		s.req = *req
		s.encoded = s.req.SetKey(req.Key[to.cut:], s.encoded)
	} else {
		return req
	}
	s.req.Prefix = to.prefix[:to.cut]
	return &s.req
}

// strip returns the keys in words without their prefixes, with a space between.
func (s *Stripped) strip(r *Table, words []byte) []byte {
	if s.words = s.words[:0]; cap(s.words) > keptWords {
		s.words = nil
	}
	for key := range protocol.Words(words) {
		s.words = append(append(s.words, key[r.of(key).cut:]...), ' ')
	}
	return s.words[:max(0, len(s.words)-1)]
}

// Begin returns what precedes the rest of a value, with its line, to which prefix is restored.
func (s *Stripped) Begin(value, prefix []byte) (begin, rest []byte) {
	begin, n := protocol.RestoreKey(s.Line[:0], value, prefix, nil)
	s.Line = begin
	return begin, value[n:]
}

// takesSeveral reports whether the words of req are keys.
func takesSeveral(req *protocol.Request) bool {
	return req.Command.Retrieval() || execution.TakesKeys(req)
}

// bare returns the error for a request with a key that is nothing but the prefix to be stripped; it
// is empty if there is no such key.
func (r *Table) bare(req *protocol.Request) (refusal string) {
	if !r.Strips || len(req.Key) == 0 {
		return ""
	}
	if !takesSeveral(req) {
		return r.of(req.Key).bare(req.Key)
	}
	for key := range protocol.Words(req.Words) {
		if req.Command.Retrieval() && r.Covers(key) {
			continue
		}
		if refusal = r.of(key).bare(key); refusal != "" {
			break
		}
	}
	return refusal
}

// bare is [Table.bare] for a key of the route.
func (to *way) bare(key []byte) (refusal string) {
	if to.cut == 0 || len(key) > to.cut {
		return ""
	}
	return fmt.Sprintf("CLIENT_ERROR nothing is left of the key %s without its prefix, which is stripped", key)
}
