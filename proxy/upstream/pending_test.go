package upstream

import (
	"log/slog"
	"testing"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/clock"
	"github.com/memverbs/memverbs/proxy/outdated"
	"github.com/memverbs/memverbs/proxy/status"
)

// answers are the answers that a sink has received.
type answers []Answer

func (s *answers) Answered(_ *Pending, a *Answer) { *s = append(*s, *a) }

func (s *answers) WasTried() {}

// unconnected returns an upstream without connections, of a pool that deletes what is outdated.
func unconnected() *Upstream {
	ticks := clock.New(time.Millisecond, func(func()) bool { return false }, func() bool { return false })
	remote := NewRemote(Server{Name: "u", ID: "u"}, 1, outdated.New().Of("u"), true, slog.New(slog.DiscardHandler))
	u := &Upstream{}
	u.Init(&Env{Clock: ticks, Timeout: time.Second, OnReturn: Delete, MaxItemSize: 1 << 20, MaxLong: 8 << 20}, remote, &answers{})
	return u
}

// What becomes of a request that is lost, for each Loss: every client is told, and so are the counts, but for the proxy's
// own; only what a change would have changed is remembered.
func TestLosses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		loss       Loss
		refused    uint64
		remembered int
	}{
		{LossRefuses, 1, 0},
		{LossMisses, 1, 0},
		{LossSpares, 1, 0},
		{LossOutdates, 1, 1},
		{LossUnnoticed, 0, 0},
	} {
		u := unconnected()
		var sink answers
		lost := unanswered{expected: Expected{text: []byte("key")}}
		lost.pending.push(&Pending{Sink: &sink, Command: protocol.Set, Loss: test.loss, expected: 3})
		u.First.failAll(lost, []byte("SERVER_ERROR away\r\n"))
		if len(sink) != 1 || sink[0].Outcome != Lost || string(sink[0].Asked) != "key" || sink[0].By != u.Remote {
			t.Errorf("loss %d: %+v", test.loss, sink)
		}
		if n, m := u.Stats.Counts[status.Refused], u.Remote.Outdated().Remembered; n != test.refused || m != test.remembered {
			t.Errorf("loss %d: %d are refused, %d remembered", test.loss, n, m)
		}
	}
}

// How long replies may be, for each Limit.
func TestLimits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		limit   Limit
		value   int
		exceeds bool // a reply of more than maxModest bytes
	}{
		{LimitItem, 1 << 20, false},
		{LimitLong, 8 << 20, false},
		{LimitModest, 8 << 20, true},
	} {
		u := unconnected()
		p := &Pending{Sink: &answers{}, Limit: test.limit}
		if n := u.First.reader.limitFor(p); n != test.value+protocol.MaxLine {
			t.Errorf("limit %d: %d bytes", test.limit, n)
		}
		u.First.pending.push(p)
		if u.First.exceeds(maxModest+1) != test.exceeds || u.First.exceeds(maxModest) {
			t.Errorf("limit %d: %v", test.limit, !test.exceeds)
		}
	}
}
