//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"time"
)

// data is every request of a load, and the reply to it, as the bytes that go
// over the wire, made once: making the load must cost less than bearing it.
type data struct {
	load *load
	keys []dataKey
}

// dataKey is what there is to say about one key.
type dataKey struct {
	word  []byte // " key"
	get   []byte // "get key\r\n"
	set   []byte // "set key 0 0 <size>\r\n<value>\r\n"
	reply []byte // "VALUE key 0 <size>\r\n<value>\r\nEND\r\n"
	value []byte // the same without END
}

var (
	stored = []byte("STORED\r\n")
	end    = []byte("END\r\n")
)

func newData(l *load) *data {
	d := &data{load: l, keys: make([]dataKey, l.keys)}
	for i := range d.keys {
		k, key := &d.keys[i], fmt.Sprintf("compare:%07d", i)
		// A value is its own key, over and over: no part of it fits another.
		value := bytes.Repeat([]byte(key+" "), l.valueSize/(len(key)+1)+1)[:l.valueSize]
		k.word = []byte(" " + key)
		k.get = fmt.Appendf(nil, "get %s\r\n", key)
		k.set = fmt.Appendf(nil, "set %s 0 0 %d\r\n%s\r\n", key, len(value), value)
		k.reply = fmt.Appendf(nil, "VALUE %s 0 %d\r\n%s\r\n%s", key, len(value), value, end)
		k.value = k.reply[:len(k.reply)-len(end)]
	}
	return d
}

// preload sets all keys through the contestant at addr.
func (d *data) preload(addr string) error {
	conn, err := net.DialTimeout("tcp", addr, patience)
	if err != nil {
		return err
	}
	defer conn.Close()
	reply := make([]byte, len(stored))
	for i := range d.keys {
		conn.SetDeadline(time.Now().Add(patience))
		if _, err := conn.Write(d.keys[i].set); err != nil {
			return err
		}
		if _, err := io.ReadFull(conn, reply); err != nil {
			return fmt.Errorf("preloading: %w", err)
		}
		if !bytes.Equal(reply, stored) {
			return fmt.Errorf("preloading: %q instead of %q", reply, stored)
		}
	}
	return nil
}
