//go:build linux

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
)

// setEvery is one set to nine gets.
const setEvery = 10

// conn is one connection of a load and the batch of requests on it. It does no
// input or output; its worker does.
type conn struct {
	fd      int
	data    *data
	out     []byte   // what is to be sent yet
	want    [][]byte // the replies expected, piece by piece
	at      int      // the piece that comes next,
	off     int      // and how much of it has come
	refused bool     // in the middle of a SERVER_ERROR line
	failed  uint64   // requests of the batch answered so
	sent    int64    // when the batch was
	buf     []byte   // where out is if it had to be put together
}

// ask makes the next batch.
func (c *conn) ask(random *rand.PCG) {
	c.buf, c.want, c.at, c.off, c.failed = c.buf[:0], c.want[:0], 0, 0, 0
	for range c.data.load.pipeline {
		switch key := c.data.pick(random); {
		case random.Uint64()%setEvery == 0:
			c.put(key.set)
			c.want = append(c.want, stored)
		case c.data.load.getKeys > 1:
			c.getMany(random)
		default:
			c.put(key.get)
			c.want = append(c.want, key.reply)
		}
	}
}

// put adds a request to the batch. One that is alone is not copied.
func (c *conn) put(request []byte) {
	if c.data.load.pipeline == 1 {
		c.out = request
		return
	}
	c.buf = append(c.buf, request...)
	c.out = c.buf
}

// getMany adds a get of many keys.
func (c *conn) getMany(random *rand.PCG) {
	c.buf = append(c.buf, "get"...)
	for range c.data.load.getKeys {
		key := c.data.pick(random)
		c.buf = append(c.buf, key.word...)
		c.want = append(c.want, key.value)
	}
	c.buf = append(c.buf, "\r\n"...)
	c.want = append(c.want, end)
	c.out = c.buf
}

func (d *data) pick(random *rand.PCG) *dataKey {
	return &d.keys[random.Uint64()%uint64(len(d.keys))]
}

// answered reports whether the whole batch is.
func (c *conn) answered() bool { return c.at == len(c.want) && !c.refused }

// take compares what came with what is expected.
func (c *conn) take(b []byte) error {
	for len(b) > 0 {
		if c.refused {
			i := bytes.IndexByte(b, '\n')
			if i < 0 {
				return nil
			}
			b, c.refused = b[i+1:], false
			continue
		}
		if c.at == len(c.want) {
			return fmt.Errorf("a reply that nobody waits for: %q", clip(b))
		}
		want := c.want[c.at][c.off:]
		n := min(len(want), len(b))
		if !bytes.Equal(b[:n], want[:n]) {
			if err := c.refuse(b); err != nil {
				return err
			}
			continue
		}
		b = b[n:]
		if c.off += n; n == len(want) {
			c.at, c.off = c.at+1, 0
		}
	}
	return nil
}

// refuse goes on behind the request that b, which is not the reply to it, says
// is refused. If b says something else, replies are mixed up.
func (c *conn) refuse(b []byte) error {
	const word = "SERVER_ERROR"
	want := c.want[c.at]
	got := append(bytes.Clone(want[:c.off]), clip(b)...) // STORED begins as SERVER_ERROR does
	if n := min(len(got), len(word)); string(got[:n]) != word[:n] {
		return fmt.Errorf("%q… instead of %q…", clip(got), clip(want))
	}
	c.failed++
	c.refused = true
	c.off = 0
	if c.data.load.getKeys > 1 {
		c.at = len(c.want) // one line for all the keys
	} else {
		c.at++
	}
	return nil
}

// clip is the beginning of b, for telling.
func clip(b []byte) []byte { return b[:min(len(b), 60)] }
