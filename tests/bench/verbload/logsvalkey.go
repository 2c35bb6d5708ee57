//go:build linux

package verbload

import (
	"bytes"
	"fmt"
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/resp"
)

// ValkeyXadd adds an event, that is now, to a stream of Valkey. The stream is not
// trimmed.
func (l Logs) ValkeyXadd() load.Source {
	return &source{
		heads: each(l.Keys, func(i int) []byte { return valkeyHead(5, "XADD", l.Key(i), "*", "e") }),
		tails: each(kinds, func(i int) []byte { return valkeyString(l.event(i)) }),
		want:  &resp.Want{Kind: '$', Min: int64(len("1-0")), Max: 41}, // two numbers of 64 bits
	}
}

// ValkeyXrange empties Valkey, adds the events to streams, each with its time for
// an id, and returns a source of requests for all of a stream.
func (l Logs) ValkeyXrange(t load.Target) (load.Source, error) {
	if err := ValkeyFlush(t); err != nil {
		return nil, err
	}
	times := l.times(time.Now())
	id := func(event int) string { return fmt.Sprintf("%d-0", times[event]) }
	if err := load.Fill(t, l.Keys*l.Events, func(i int, b *load.Batch) {
		event := i % l.Events
		b.Send(resp.AppendCommand(nil, "XADD", l.Key(i/l.Events), id(event), "e", l.event(event)))
		b.ExpectLast(valkeyString(id(event)))
	}); err != nil {
		return nil, err
	}
	var reply bytes.Buffer
	fmt.Fprintf(&reply, "*%d\r\n", l.Events)
	for event := range times {
		fmt.Fprintf(&reply, "*2\r\n%s*2\r\n%s%s", valkeyString(id(event)), valkeyString("e"), valkeyString(l.event(event)))
	}
	return &source{
		heads:   each(l.Keys, func(i int) []byte { return resp.AppendCommand(nil, "XRANGE", l.Key(i), "-", "+") }),
		replies: [][]byte{reply.Bytes()},
	}, nil
}
