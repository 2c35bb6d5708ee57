package execution

import (
	"bytes"
	"slices"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/placement"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs"
)

// recordReading reads the records of all upstreams of a pool that are up, of which servers verbs have used.
type recordReading struct {
	executor *Executor
	waiting  int                // upstreams that have not answered
	answered []bool             // for each upstream: whether it has answered
	found    []placement.Record // likewise, nil if it has none
	then     func(*recordReading)
}

// readRecords reads the records of all upstreams and calls then.
func (x *Executor) readRecords(then func(*recordReading)) *recordReading {
	r := &recordReading{executor: x, waiting: 1, then: then}
	r.answered, r.found = make([]bool, len(x.Pool.All)), make([]placement.Record, len(x.Pool.All))
	x.running++ // so that the upstreams are kept
	for i, u := range x.Pool.All {
		r.waiting++
		u.WhenTried(func() { r.ask(i, u) })
	}
	r.goOn()
	return r
}

func (r *recordReading) ask(i int, u *pool.Member) {
	if u.State != upstream.Up {
		r.goOn()
		return
	}
	var req protocol.Request
	req.SetRetrieval(protocol.Get, r.executor.RecordKey, 1, true)
	u.First.Request(&req, &upstream.Pending{Sink: r, Slot: uint32(i), Command: protocol.Get, Keys: 1, Limit: upstream.LimitLong})
}

// Answered implements [upstream.Sink].
func (r *recordReading) Answered(p *upstream.Pending, a *upstream.Answer) {
	if !a.Failed() && a.Last.Kind != protocol.ReplyError {
		r.answered[p.Slot] = true
		_, value, _ := bytes.Cut(a.Data, []byte("\r\n"))
		value, _ = bytes.CutSuffix(value, []byte("\r\nEND\r\n"))
		r.found[p.Slot] = placement.ParseRecord(value)
	}
	r.goOn()
}

func (r *recordReading) goOn() {
	if r.waiting--; r.waiting == 0 {
		r.executor.running--
		r.then(r)
	}
}

// recordPatience is how long verbs wait for the records at the start. What a server says later is learned then.
const recordPatience = 500 * time.Millisecond

// askRecords has the records learned: those that have come in time, and then all.
func (x *Executor) askRecords() {
	learn := func(r *recordReading) {
		x.Learn(slices.DeleteFunc(slices.Clone(r.found), func(one placement.Record) bool { return one == nil }))
	}
	reading := x.readRecords(learn)
	time.AfterFunc(recordPatience, func() {
		x.Post(func() {
			if reading.waiting > 0 {
				learn(reading)
			}
		})
	})
}

// AskRecords has what the upstreams have recorded learned, once.
func (x *Executor) AskRecords() bool { return x.Places.Await(x.askRecords, func() {}) }

// KeepRecords has the upstreams say which servers verbs use, and learns what they say that this process does not know.
func (x *Executor) KeepRecords() {
	if x.AskRecords() || x.recording {
		return
	}
	x.recording = true
	x.readRecords(func(r *recordReading) {
		x.recording = false
		x.learn(r)
		r.store(x.Places.History().Record(time.Now()))
	})
}

// learn learns what the upstreams say that this process does not know.
func (x *Executor) learn(r *recordReading) {
	if news := r.unknown(); news != nil {
		x.env.warnings.disagreement.Log(x.Log, "another proxy uses other servers for this pool: verbs are refused on keys that have another place there until all proxies may be taken to know; if this comes again and again, the proxies' settings differ",
			"servers-of-the-other", news[0].Servers)
		x.Learn([]placement.Record{news})
	}
}

// unknown returns a record with a list that this process does not know, nil if there is none.
func (r *recordReading) unknown() placement.Record {
	h := r.executor.Places.History()
	for _, record := range r.found {
		if !h.Knows(record) {
			return record
		}
	}
	return nil
}

// store stores a record at the upstreams that have answered and do not have it.
func (r *recordReading) store(own placement.Record) {
	if own == nil {
		return
	}
	x, text := r.executor, own.String()
	for i, u := range x.Pool.All {
		if r.answered[i] && r.found[i].String() != text {
			x.operate(u, &verbs.Op{Kind: verbs.Set, Key: x.RecordKey, Data: []byte(text)}, upstream.Pending{Sink: upstream.Ignored, Command: protocol.Set})
		}
	}
}
