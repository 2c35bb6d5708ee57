//go:build linux

package verbload

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/resp"
)

// hashed is the content of Valkey's keys, whose parts it returns in an unknown order: members of sets,
// or rows of tables. All keys have the same parts.
type hashed struct {
	keys, parts int                        // how many keys, and how many parts of each; all parts have the same length
	strings     int                        // how many bulk strings a part is
	part        func(i int) []byte         // a part in a reply
	lookUp      func(key, part int) []byte // the request for a part
	found       *resp.Want                 // the reply to lookUp
}

// source returns a source of requests for all parts, one for each key. Valkey is asked for
// them now, and must give the same again and again.
func (h hashed) source(t load.Target, asks [][]byte) (load.Source, error) {
	if err := h.settle(t); err != nil {
		return nil, err
	}
	n := h.parts * h.strings
	replies, err := learnValkey(t, asks, &resp.Want{Kind: '*', Min: int64(n), Max: int64(n), Strings: n})
	if err != nil {
		return nil, err
	}
	for _, reply := range replies {
		if err := h.whole(reply); err != nil {
			return nil, err
		}
	}
	return &source{heads: asks, replies: replies}, nil
}

// settle makes Valkey finish growing its hash tables, since the order of parts changes until
// then. Each request for a part makes it do some of that.
func (h hashed) settle(t load.Target) error {
	return load.Fill(t, h.keys*h.parts, func(i int, b *load.Batch) {
		b.Send(h.lookUp(i%h.keys, i/h.keys))
		b.ExpectReply(h.found)
	})
}

// whole checks that an array has all parts in it.
func (h hashed) whole(array []byte) error {
	_, strings, _ := bytes.Cut(array, []byte("\r\n"))
	have := map[string]bool{}
	for part := range slices.Chunk(strings, len(h.part(0))) {
		have[string(part)] = true
	}
	for i := range h.parts {
		if part := h.part(i); !have[string(part)] {
			return fmt.Errorf("%.60q is missing in what Valkey has", part)
		}
	}
	return nil
}
