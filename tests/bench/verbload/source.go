//go:build linux

package verbload

import (
	"math/rand/v2"

	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/resp"
)

// source makes requests of a head, which names a key, and a tail, which says
// what to do with it. It takes both at random.
type source struct {
	heads   [][]byte
	tails   [][]byte   // none if heads are whole requests
	replies [][]byte   // one for each head, or one for all
	rows    [][]byte   // instead of replies, one for each tail
	want    *resp.Want // instead of both, if the bytes of replies are not known
}

var _ load.Source = (*source)(nil)

// Next adds a request.
func (s *source) Next(b *load.Batch, random *rand.PCG) {
	head := int(random.Uint64() % uint64(len(s.heads)))
	b.Send(s.heads[head])
	tail := 0
	if len(s.tails) > 0 {
		tail = int(random.Uint64() % uint64(len(s.tails)))
		b.Send(s.tails[tail])
	}
	switch {
	case s.want != nil:
		b.ExpectReply(s.want)
	case s.rows != nil:
		b.ExpectLast(s.rows[tail])
	default:
		b.ExpectLast(s.replies[head%len(s.replies)])
	}
}

// each makes n texts.
func each(n int, make func(i int) []byte) [][]byte {
	texts := [][]byte{}
	for i := range n {
		texts = append(texts, make(i))
	}
	return texts
}

var (
	stored = []byte("STORED\r\n")
	one    = []byte("1\r\n")
)
