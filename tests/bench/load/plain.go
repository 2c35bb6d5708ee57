//go:build linux

package load

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"time"
)

// Mix is what plain requests are about.
type Mix struct {
	Keys      int     // how many there are to ask for
	ValueSize int     // bytes of each value
	GetKeys   int     // keys of a get
	Sets      float64 // share of requests that are sets; the others are gets
	Skew      float64 // exponent of the Zipf distribution of keys; 0 for all alike
}

// Check refuses mixes that make no sense.
func (m Mix) Check() error {
	switch {
	case m.Keys < 1 || m.GetKeys < 1 || m.ValueSize < 1:
		return fmt.Errorf("%d keys, %d of them to a get, values of %d bytes: each must be at least 1", m.Keys, m.GetKeys, m.ValueSize)
	case !(m.Sets >= 0 && m.Sets <= 1):
		return fmt.Errorf("sets: a share from 0 to 1 is wanted, not %v", m.Sets)
	case !(m.Skew >= 0 && m.Skew <= 10):
		return fmt.Errorf("skew: an exponent from 0 to 10 is wanted, not %v", m.Skew)
	}
	return nil
}

// Plain is a source of sets and gets, all of which are answered with values that
// never change. Every request and the reply to it is made once, as the bytes that
// go over the wire: making the load must cost less than bearing it.
type Plain struct {
	mix  Mix
	keys []key
	sets uint64 // out of 2^64 requests
	pick picker
}

// key is what there is to say about one key.
type key struct {
	word  []byte // " key"
	get   []byte // "get key\r\n"
	set   []byte // "set key 0 0 <size>\r\n<value>\r\n"
	reply []byte // "VALUE key 0 <size>\r\n<value>\r\nEND\r\n"
	value []byte // the same without END
}

var (
	get    = []byte("get")
	crlf   = []byte("\r\n")
	stored = []byte("STORED\r\n")
	end    = []byte("END\r\n")
)

// NewPlain returns a source for the mix, which must be one that Check accepts.
func NewPlain(m Mix) *Plain {
	p := &Plain{mix: m, keys: make([]key, m.Keys), sets: share(m.Sets), pick: newPicker(m.Keys, m.Skew)}
	for i := range p.keys {
		k, name := &p.keys[i], fmt.Sprintf("bench:%07d", i)
		// A value is its own key, over and over: no part of it fits another.
		value := bytes.Repeat([]byte(name+" "), m.ValueSize/(len(name)+1)+1)[:m.ValueSize]
		k.word = []byte(" " + name)
		k.get = fmt.Appendf(nil, "get %s\r\n", name)
		k.set = fmt.Appendf(nil, "set %s 0 0 %d\r\n%s\r\n", name, len(value), value)
		k.reply = fmt.Appendf(nil, "VALUE %s 0 %d\r\n%s\r\n%s", name, len(value), value, end)
		k.value = k.reply[:len(k.reply)-len(end)]
	}
	return p
}

// Next adds a set or a get of random keys.
func (p *Plain) Next(b *Batch, random *rand.PCG) {
	switch k := &p.keys[p.pick.pick(random)]; {
	case p.sets > 0 && random.Uint64() <= p.sets:
		b.Send(k.set)
		b.ExpectLast(stored)
	case p.mix.GetKeys > 1:
		p.getMany(b, random)
	default:
		b.Send(k.get)
		b.ExpectLast(k.reply)
	}
}

// Get returns a get of the first key, and the reply.
func (p *Plain) Get() (request, reply string) {
	return string(p.keys[0].get), string(p.keys[0].reply)
}

// getMany adds a get of many keys.
func (p *Plain) getMany(b *Batch, random *rand.PCG) {
	b.Send(get)
	for range p.mix.GetKeys {
		k := &p.keys[p.pick.pick(random)]
		b.Send(k.word)
		b.Expect(k.value)
	}
	b.Send(crlf)
	b.ExpectLast(end)
}

// preloadBytes is how much is sent at a time while preloading.
const preloadBytes = 64 << 10

// Preload sets all keys through a target.
func (p *Plain) Preload(t Target) error {
	conn, err := t.Dial()
	if err != nil {
		return err
	}
	defer conn.Close()
	var sets []byte
	var count int
	for i := range p.keys {
		sets = append(sets, p.keys[i].set...)
		count++
		if len(sets) < preloadBytes && i < len(p.keys)-1 {
			continue
		}
		if err := store(conn, sets, count); err != nil {
			return fmt.Errorf("preloading: %w", err)
		}
		sets, count = sets[:0], 0
	}
	return nil
}

// store sends so many sets and waits for the replies.
func store(conn net.Conn, sets []byte, count int) error {
	conn.SetDeadline(time.Now().Add(patience))
	if _, err := conn.Write(sets); err != nil {
		return err
	}
	replies := make([]byte, count*len(stored))
	if _, err := io.ReadFull(conn, replies); err != nil {
		return err
	}
	if !bytes.Equal(replies, bytes.Repeat(stored, count)) {
		return fmt.Errorf("%q instead of %q", clip(replies), stored)
	}
	return nil
}
