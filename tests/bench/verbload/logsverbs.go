//go:build linux

package verbload

import (
	"bytes"
	"fmt"
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// Logput puts an event, whose time is now, into a log.
func (l Logs) Logput() load.Source {
	return &source{
		heads:   each(l.Keys, func(i int) []byte { return fmt.Appendf(nil, "logput %s 0 0 %d\r\n", l.Key(i), l.Size) }),
		tails:   each(kinds, func(i int) []byte { return fmt.Appendf(nil, "%s\r\n", l.event(i)) }),
		replies: [][]byte{stored},
	}
}

// FillItems empties the memcacheds behind memverbs and makes each log an empty item, for
// [Logs.Append].
func (l Logs) FillItems(t load.Target) error {
	return fillItems(t, l.Keys, func(i int) (string, []byte) { return l.Key(i), nil })
}

// Append is the plain command to which [Logs.Logput] is translated.
func (l Logs) Append() load.Source {
	line := fmt.Appendf(nil, "%d 0 %d\r\n", time.Now().UnixMilli(), l.Size)
	return &source{
		heads: each(l.Keys, func(i int) []byte {
			return fmt.Appendf(nil, "append %s 0 0 %d\r\n%s", l.Key(i), len(line)+l.Size+len("\r\n"), line)
		}),
		tails:   each(kinds, func(i int) []byte { return fmt.Appendf(nil, "%s\r\n\r\n", l.event(i)) }),
		replies: [][]byte{stored},
	}
}

// Logfetch empties the memcacheds behind memverbs, puts the events, and returns
// a source of requests for all of a log.
func (l Logs) Logfetch(t load.Target) (load.Source, error) {
	if err := Flush(t); err != nil {
		return nil, err
	}
	times := l.times(time.Now())
	if err := load.Fill(t, l.Keys*l.Events, func(i int, b *load.Batch) {
		event := i % l.Events
		b.Send(fmt.Appendf(nil, "logput %s 0 %d %d\r\n%s\r\n", l.Key(i/l.Events), times[event], l.Size, l.event(event)))
		b.ExpectLast(stored)
	}); err != nil {
		return nil, err
	}
	return &source{
		heads: each(l.Keys, func(i int) []byte { return fmt.Appendf(nil, "logfetch %s\r\n", l.Key(i)) }),
		replies: each(l.Keys, func(i int) []byte {
			var reply bytes.Buffer
			for event, when := range times {
				fmt.Fprintf(&reply, "VALUE %s 0 %d %d\r\n%s\r\n", l.Key(i), l.Size, when, l.event(event))
			}
			reply.WriteString("END\r\n")
			return reply.Bytes()
		}),
	}, nil
}
