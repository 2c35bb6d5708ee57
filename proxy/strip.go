package proxy

import (
	"fmt"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/execution"
)

// The keys of a route may be stripped of its prefix. What concerns the client (routing, hot keys,
// slow requests) uses the key that it has sent; a request is stripped when it is sent on, and when
// it is compared with running verbs. The replies get the prefix back from a gather (gather.go), from
// the verb, or from a sink (restore.go).

// stripped is a loop's scratch for stripping requests.
type stripped struct {
	req     protocol.Request
	encoded []byte
	words   []byte
	line    []byte // the beginning of a reply that gets its prefix back
}

// keptWords is how many bytes of words are kept for the next request.
const keptWords = 64 << 10

// request returns req with its keys as they are stored: without the prefixes of their routes. r.bare
// must have accepted req. The result is valid until the next call, and only as long as req is.
func (s *stripped) request(r *routing, req *protocol.Request) *protocol.Request {
	if !r.strips || len(req.Key) == 0 {
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
func (s *stripped) strip(r *routing, words []byte) []byte {
	if s.words = s.words[:0]; cap(s.words) > keptWords {
		s.words = nil
	}
	for key := range protocol.Words(words) {
		s.words = append(append(s.words, key[r.of(key).cut:]...), ' ')
	}
	return s.words[:max(0, len(s.words)-1)]
}

// begin returns what precedes the rest of a value, with its line, to which prefix is restored.
func (s *stripped) begin(value, prefix []byte) (begin, rest []byte) {
	begin, n := protocol.RestoreKey(s.line[:0], value, prefix, nil)
	s.line = begin
	return begin, value[n:]
}

// stored returns req, a request with one key that goes to to, as it is sent there.
func (c *client) stored(req *protocol.Request, to target) *protocol.Request {
	if to.strips == nil {
		return req
	}
	return c.loop.scratch.stripped.request(c.routing, req)
}

// stored returns the key under which the pool has key.
func (to *target) stored(key []byte) []byte {
	if to.strips == nil {
		return key
	}
	return key[to.strips.cut:]
}

// takesSeveral reports whether the words of req are keys.
func takesSeveral(req *protocol.Request) bool {
	return req.Command.Retrieval() || execution.TakesKeys(req)
}

// bare returns the error for a request with a key of which stripping would leave nothing, empty if
// it has none.
func (r *routing) bare(req *protocol.Request) (refusal string) {
	if !r.strips || len(req.Key) == 0 {
		return ""
	}
	if !takesSeveral(req) {
		return r.of(req.Key).bare(req.Key)
	}
	for key := range protocol.Words(req.Words) {
		if req.Command.Retrieval() && r.covers(key) {
			continue
		}
		if refusal = r.of(key).bare(key); refusal != "" {
			break
		}
	}
	return refusal
}

// bare is [routing.bare] for a key of the route.
func (to *route) bare(key []byte) (refusal string) {
	if to.cut == 0 || len(key) > to.cut {
		return ""
	}
	return fmt.Sprintf("CLIENT_ERROR nothing is left of the key %s without its prefix, which is stripped", key)
}
