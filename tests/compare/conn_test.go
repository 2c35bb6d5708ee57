//go:build linux

package main

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// batch makes a batch of requests and the bytes that answer it.
func batch(t *testing.T, pipeline, getKeys int) (c *conn, reply []byte) {
	t.Helper()
	d := newData(&load{pipeline: pipeline, getKeys: getKeys, valueSize: 100, keys: 10})
	c = &conn{data: d}
	c.ask(rand.NewPCG(1, 1))
	return c, slices.Concat(c.want...)
}

func TestTakeInPieces(t *testing.T) {
	for _, keys := range []int{1, 100} {
		for _, size := range []int{1, 7, 100_000} {
			c, reply := batch(t, 16, keys)
			for piece := range slices.Chunk(reply, size) {
				if c.answered() {
					t.Fatal("answered before the end")
				}
				if err := c.take(piece); err != nil {
					t.Fatal(err)
				}
			}
			if !c.answered() || c.failed != 0 {
				t.Errorf("keys %d, pieces of %d: answered %v, failed %d", keys, size, c.answered(), c.failed)
			}
		}
	}
}

func TestTakeRefusesMixedUpReplies(t *testing.T) {
	c, reply := batch(t, 16, 1)
	i := slices.IndexFunc(c.want, func(b []byte) bool { return string(b) != string(c.want[0]) })
	for _, wrong := range []string{
		string(slices.Concat(c.want[i], c.want[0])),
		"END\r\n",
		"ERROR\r\n",
		strings.Replace(string(reply), "compare:", "compare;", 1),
		string(reply) + "STORED\r\n",
	} {
		c, _ := batch(t, 16, 1)
		if err := c.take([]byte(wrong)); err == nil {
			t.Errorf("taken: %.80q…", wrong)
		}
	}
}

func TestTakeCountsServerErrors(t *testing.T) {
	for size := 1; size < 40; size++ {
		c, _ := batch(t, 16, 1)
		reply := slices.Concat(c.want[1:]...)
		reply = slices.Concat([]byte("SERVER_ERROR timeout\r\n"), reply, []byte{})
		for piece := range slices.Chunk(reply, size) {
			if err := c.take(piece); err != nil {
				t.Fatal(err)
			}
		}
		if !c.answered() || c.failed != 1 {
			t.Errorf("pieces of %d: answered %v, failed %d", size, c.answered(), c.failed)
		}
	}
}
