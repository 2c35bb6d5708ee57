//go:build linux

package load

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/bench/resp"
)

// batch makes a batch of requests and the bytes that answer it.
func batch(pipeline, getKeys int) (b *Batch, reply []byte) {
	p := NewPlain(Mix{Keys: 10, ValueSize: 100, GetKeys: getKeys, Sets: 0.1})
	b, random := &Batch{}, rand.NewPCG(1, 1)
	for range pipeline {
		p.Next(b, random)
	}
	return b, replies(b.want)
}

func replies(pieces []piece) (text []byte) {
	for _, p := range pieces {
		text = append(text, p.text...)
	}
	return text
}

func TestTakeInPieces(t *testing.T) {
	for _, keys := range []int{1, 100} {
		for _, size := range []int{1, 7, 100_000} {
			b, reply := batch(16, keys)
			for piece := range slices.Chunk(reply, size) {
				if b.answered() {
					t.Fatal("answered before the end")
				}
				if err := b.take(piece); err != nil {
					t.Fatal(err)
				}
			}
			if !b.answered() || b.failed != 0 || b.requests != 16 {
				t.Errorf("keys %d, pieces of %d: answered %v, %d of %d failed", keys, size, b.answered(), b.failed, b.requests)
			}
		}
	}
}

// A line of numbers is taken, whichever they are; a refusal is counted; and anything else is wrong.
func TestTakeNumbers(t *testing.T) {
	for size := 1; size < 40; size++ {
		b := &Batch{}
		b.ExpectNumbers()
		b.ExpectNumbers()
		b.ExpectNumbers()
		for piece := range slices.Chunk([]byte("1 20 0\r\nSERVER_ERROR timeout\r\n7\r\n"), size) {
			if err := b.take(piece); err != nil {
				t.Fatal(err)
			}
		}
		if !b.answered() || b.failed != 1 || b.requests != 3 {
			t.Errorf("pieces of %d: answered %v, %d of %d failed", size, b.answered(), b.failed, b.requests)
		}
	}
	b := &Batch{}
	if b.ExpectNumbers(); b.take([]byte("STORED\r\n")) == nil {
		t.Error("a word is taken")
	}
}

func TestTakeRefusesMixedUpReplies(t *testing.T) {
	b, reply := batch(16, 1)
	first := string(b.want[0].text)
	i := slices.IndexFunc(b.want, func(p piece) bool { return string(p.text) != first })
	for _, wrong := range []string{
		string(b.want[i].text) + first,
		"END\r\n",
		"ERROR\r\n",
		strings.Replace(string(reply), "bench:", "bench;", 1),
		string(reply) + "STORED\r\n",
	} {
		b, _ := batch(16, 1)
		if err := b.take([]byte(wrong)); err == nil {
			t.Errorf("taken: %.80q…", wrong)
		}
	}
}

func TestTakeCountsServerErrors(t *testing.T) {
	for _, keys := range []int{1, 5} {
		for size := 1; size < 40; size++ {
			b, _ := batch(16, keys)
			first := 1 + slices.IndexFunc(b.want, func(p piece) bool { return p.last })
			reply := append([]byte("SERVER_ERROR timeout\r\n"), replies(b.want[first:])...)
			for piece := range slices.Chunk(reply, size) {
				if err := b.take(piece); err != nil {
					t.Fatal(err)
				}
			}
			if !b.answered() || b.failed != 1 {
				t.Errorf("keys %d, pieces of %d: answered %v, failed %d", keys, size, b.answered(), b.failed)
			}
		}
	}
}

func TestSendPutsTogether(t *testing.T) {
	b := &Batch{}
	for range 2 {
		b.reset()
		for _, text := range []string{"get", " a", " b", "\r\n"} {
			b.Send([]byte(text))
		}
		if got := string(b.out); got != "get a b\r\n" {
			t.Errorf("sent %q", got)
		}
	}
	whole := []byte("get a\r\n")
	b.reset()
	b.Send(whole)
	if &b.out[0] != &whole[0] {
		t.Error("a text that is alone was copied")
	}
}

func TestTakeAnyBytes(t *testing.T) {
	for size := 1; size < 20; size++ {
		b := &Batch{}
		b.Expect([]byte("VALUE a 0 3\r\n"))
		b.ExpectAny(3)
		b.ExpectLast([]byte("\r\nEND\r\n"))
		b.ExpectLast([]byte("STORED\r\n"))
		for piece := range slices.Chunk([]byte("VALUE a 0 3\r\nxyz\r\nEND\r\nSTORED\r\n"), size) {
			if b.answered() {
				t.Fatal("answered before the end")
			}
			if err := b.take(piece); err != nil {
				t.Fatal(err)
			}
		}
		if !b.answered() || b.requests != 2 || b.failed != 0 {
			t.Errorf("pieces of %d: answered %v, %d requests, %d failed", size, b.answered(), b.requests, b.failed)
		}
	}
}

func TestTakeRepliesOfValkey(t *testing.T) {
	want := &resp.Want{Kind: ':', Max: 1}
	for size := 1; size < 20; size++ {
		b := &Batch{}
		b.ExpectReply(want)
		b.ExpectLast([]byte("STORED\r\n"))
		b.ExpectReply(want)
		for piece := range slices.Chunk([]byte(":1\r\nSTORED\r\n:0\r\n"), size) {
			if b.answered() {
				t.Fatal("answered before the end")
			}
			if err := b.take(piece); err != nil {
				t.Fatal(err)
			}
		}
		if !b.answered() || b.requests != 3 {
			t.Errorf("pieces of %d: answered %v, %d requests", size, b.answered(), b.requests)
		}
		b.reset()
		b.ExpectReply(want)
		if err := b.take([]byte(":2\r\n")); err == nil {
			t.Error("a wrong reply is taken")
		}
	}
}

// A batch that follows another is sent when the other is answered, and is not counted.
func TestThen(t *testing.T) {
	b := &Batch{}
	for range 2 {
		b.reset()
		for _, name := range []string{"a", "b"} {
			b.Send([]byte("lock " + name + "\r\n"))
			b.ExpectLast(stored)
			b.Then().Send([]byte("unlock " + name + "\r\n"))
			b.Then().ExpectLast(end)
		}
		for _, step := range []struct {
			out, reply string
			more       bool
		}{
			{"lock a\r\nlock b\r\n", "STORED\r\nSTORED\r\n", true},
			{"unlock a\r\nunlock b\r\n", "END\r\nEND\r\n", false},
		} {
			if got := string(b.out); got != step.out {
				t.Errorf("sent %q instead of %q", got, step.out)
			}
			if err := b.take([]byte(step.reply)); err != nil || !b.answered() {
				t.Fatalf("after %q: answered %v, %v", step.reply, b.answered(), err)
			}
			if more := b.goOn(); more != step.more {
				t.Fatalf("after %q: more is %v", step.reply, more)
			}
		}
		if b.requests != 2 {
			t.Errorf("%d requests", b.requests)
		}
	}
}
