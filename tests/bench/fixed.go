//go:build linux

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// fixed is a [load.Source] of one request, again and again. Its reply is given in
// pieces.
type fixed struct {
	request []byte
	reply   [][]byte
}

// ask returns a request as a source.
func ask(request string, reply ...string) *fixed {
	f := &fixed{request: []byte(request)}
	for _, piece := range reply {
		f.reply = append(f.reply, []byte(piece))
	}
	return f
}

// Next implements [load.Source].
func (f *fixed) Next(b *load.Batch, _ *rand.PCG) {
	b.Send(f.request)
	last := len(f.reply) - 1
	for _, piece := range f.reply[:last] {
		b.Expect(piece)
	}
	b.ExpectLast(f.reply[last])
}

var bystanderValue = bytes.Repeat([]byte{'b'}, 100)

// smallGet is what a bystander asks for.
func smallGet() *fixed {
	return ask("get "+bystanderKey+"\r\n", fmt.Sprintf("VALUE %s 0 %d\r\n%s\r\nEND\r\n", bystanderKey, len(bystanderValue), bystanderValue))
}
