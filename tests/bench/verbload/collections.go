//go:build linux

package verbload

import (
	"bytes"
	"fmt"

	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/resp"
)

// collections are what sets and lists have in common: keys, under each of which so many
// words are in the beginning.
type collections struct {
	keys, words int
	key, word   func(i int) string
}

// list returns all words in order, a space between.
func (c collections) list() []byte {
	var words []byte
	for i := range c.words {
		words = append(append(words, c.word(i)...), ' ')
	}
	return bytes.TrimSuffix(words, []byte(" "))
}

// newList returns requests by a verb to memverbs for all words of a key, in order.
func (c collections) newList(verb string) load.Source {
	words := c.list()
	return &source{
		heads: each(c.keys, func(i int) []byte { return fmt.Appendf(nil, "%s %s\r\n", verb, c.key(i)) }),
		replies: each(c.keys, func(i int) []byte {
			return fmt.Appendf(nil, "VALUE %s 0 %d\r\n%s\r\nEND\r\n", c.key(i), len(words), words)
		}),
	}
}

// fillVerb empties the memcacheds behind memverbs and adds the words by a verb, some at
// a time, so that what is large is laid out as memverbs does that.
func (c collections) fillVerb(t load.Target, verb string) error { return c.fillLine(t, verb, "") }

// fillLine is fillVerb for a verb whose line ends in a last word after the others, such as " 60". It deletes each key as well:
// flush_all may, rarely, leave an item that was stored in the same second, and then that would be appended to.
func (c collections) fillLine(t load.Target, verb, last string) error {
	if err := Flush(t); err != nil {
		return err
	}
	return c.chunks(t, func(b *load.Batch, key string, from, until int) {
		if from == 0 {
			b.Send([]byte("delete " + key + " noreply\r\n"))
		}
		b.Send([]byte(verb + " " + key))
		for i := from; i < until; i++ {
			b.Send([]byte(" " + c.word(i)))
		}
		b.Send([]byte(last + "\r\n"))
		b.ExpectLast(stored)
	})
}

// fillValkey empties Valkey and adds the words by a command, which must answer with the
// number that answer returns for those from one to another.
func (c collections) fillValkey(t load.Target, command string, answer func(from, until int) int) error {
	if err := ValkeyFlush(t); err != nil {
		return err
	}
	return c.chunks(t, func(b *load.Batch, key string, from, until int) {
		words := []string{command, key}
		for i := from; i < until; i++ {
			words = append(words, c.word(i))
		}
		b.Send(resp.AppendCommand(nil, words...))
		b.ExpectLast(valkeyNumber(answer(from, until)))
	})
}

// chunks fills a target, with a few words of a key at a time.
func (c collections) chunks(t load.Target, add func(b *load.Batch, key string, from, until int)) error {
	few := max(100, c.words/100)
	perKey := (c.words + few - 1) / few
	return load.Fill(t, c.keys*perKey, func(i int, b *load.Batch) {
		from := i % perKey * few
		add(b, c.key(i/perKey), from, min(from+few, c.words))
	})
}

// valkeyAsks returns commands for Valkey about each key.
func (c collections) valkeyAsks(command string, more ...string) [][]byte {
	return each(c.keys, func(i int) []byte {
		return resp.AppendCommand(nil, append([]string{command, c.key(i)}, more...)...)
	})
}
