package structures

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// What the jobs of a queue of JSON are, and what passes on.
const (
	crew       = 4     // connections that put jobs, and as many that take them, half of them through each memverbs
	mostQueued = 5000  // jobs that are put and not taken
	perTake    = 30    // jobs that one lpop takes
	flagOfJSON = "131" // as some client has it
)

// job is an element of a queue: JSON of some 60 to 700 bytes.
type job struct {
	Putter int      `json:"putter"`
	N      int      `json:"n"`
	Title  string   `json:"title"`
	Tags   []string `json:"tags"`
}

func newJob(putter, n int) job {
	return job{putter, n, fmt.Sprintf("job %d of \"%d\";\n~ +x l>x", n, putter), strings.Fields(strings.Repeat("new paid ", n%40))}
}

// jobs are those that pass through a queue.
type jobs struct {
	t      *testing.T
	each   int // jobs of each putter
	queued chan struct{}
	failed chan struct{} // closed by the first that finds something wrong
	fail   sync.Once
	put    atomic.Int32 // putters that are done
	taken  atomic.Int64
	seen   [crew][]atomic.Bool
}

// wrong ends the test.
func (j *jobs) wrong(format string, args ...any) {
	j.t.Errorf(format, args...)
	j.fail.Do(func() { close(j.failed) })
}

// A queue of objects through which many pass, to and from several at a time, loses none and hands out none twice, keeps
// those of a putter in order, and takes about as much room as those that are in it at a time.
func TestAMillionJobsPassThroughAQueue(t *testing.T) {
	proxies, stores := startPool(t, 2)
	j := &jobs{t: t, each: atLength(4_000, million) / crew, queued: make(chan struct{}, mostQueued), failed: make(chan struct{})}
	for i := range j.seen {
		j.seen[i] = make([]atomic.Bool, j.each)
	}
	began := time.Now()
	var all sync.WaitGroup
	for i := range crew {
		m := proxies[i%len(proxies)]
		all.Go(func() {
			defer j.put.Add(1)
			if err := pump(m.Addr, 0, j.each, "STORED", func(dst []byte, n int) []byte { return j.request(dst, i, n) }); err != nil {
				j.wrong("putter %d: %v", i, err)
			}
		})
		all.Go(func() { j.take(&session{addr: m.Addr}) })
	}
	all.Wait()
	if n := int(j.taken.Load()); n != crew*j.each {
		t.Errorf("%d jobs were taken of %d", n, crew*j.each)
	}
	most := 0
	for _, s := range stores {
		for _, size := range items(t, s) {
			most += size
		}
	}
	t.Logf("%d jobs in %v; the items have %d bytes in the end, and the memverbs took %d and %d MB at most",
		j.taken.Load(), time.Since(began), most, proxies[0].PeakMemory(t)>>20, proxies[1].PeakMemory(t)>>20)
	if most > mostQueued<<10 {
		t.Errorf("the empty queue takes %d bytes", most)
	}
	for _, m := range proxies {
		if peak := m.PeakMemory(t); peak > memory {
			t.Errorf("memverbs took %d MB", peak>>20)
		}
	}
}

// request appends a request that puts a job, once there is room for it.
func (j *jobs) request(dst []byte, putter, n int) []byte {
	select {
	case j.queued <- struct{}{}:
	case <-j.failed:
	}
	data, err := json.Marshal(newJob(putter, n))
	if err != nil {
		j.wrong("job %d: %v", n, err)
	}
	return fmt.Appendf(dst, "rput jobs %s %d\r\n%s\r\n", flagOfJSON, len(data), data)
}

// take takes jobs until all have been put and none is left.
func (j *jobs) take(s *session) {
	defer s.close()
	last := [crew]int{-1, -1, -1, -1}
	for {
		over := j.put.Load() == crew
		if !s.connect() {
			j.wrong("%s takes no connection", s.addr)
			return
		}
		r, err := s.exchange(fmt.Sprintf("lpop jobs %d wait 20\r\n", perTake))
		switch {
		case err != nil || len(r.values) == 0 && r.line != "END":
			j.wrong("lpop: %q, %v", r.line, err)
			return
		case len(r.values) == 0, r.values[0].stamp == "" && r.values[0].data == "": // it is empty: only words have no places
			if over {
				return
			}
			continue
		}
		for place, v := range r.values {
			if err := j.enter(v, place, &last); err != nil {
				j.wrong("%v", err)
				return
			}
		}
	}
}

// enter enters that a job was taken by one who has last taken that of each putter.
func (j *jobs) enter(v value, place int, last *[crew]int) error {
	var of job
	if err := json.Unmarshal([]byte(v.data), &of); err != nil || v.flags != flagOfJSON || v.stamp != fmt.Sprint(place) {
		return fmt.Errorf("%q was taken, with the flags %s, at place %s: %v", v.data, v.flags, v.stamp, err)
	}
	if of.Putter >= crew || of.N >= j.each || v.data != string(must(json.Marshal(newJob(of.Putter, of.N)))) {
		return fmt.Errorf("%q was taken, which nobody put", v.data)
	}
	if j.seen[of.Putter][of.N].Swap(true) {
		return fmt.Errorf("job %d of %d was taken twice", of.N, of.Putter)
	}
	if of.N < last[of.Putter] {
		return fmt.Errorf("job %d of %d was taken after %d", of.N, of.Putter, last[of.Putter])
	}
	last[of.Putter] = of.N
	j.taken.Add(1)
	<-j.queued
	return nil
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A feed has the last posts: those who read it while several add to it and cut it miss none that they could know of.
func TestAFeedHasTheLastHundredPosts(t *testing.T) {
	const kept, writers, readers = 100, 3, 3
	each := atLength(150, 50_000)
	proxies, stores := startPool(t, 2)
	var posted [writers]atomic.Int64 // posts that are acknowledged
	done := make(chan struct{})
	var writing, reading sync.WaitGroup
	for i := range writers {
		s := session{addr: proxies[i%len(proxies)].Addr}
		writing.Go(func() {
			defer s.close()
			for n := range each {
				data := must(json.Marshal(newJob(i, n)))
				for _, request := range []string{fmt.Sprintf("rput feed 0 %d\r\n%s\r\n", len(data), data), fmt.Sprintf("ltrim feed -%d -1\r\n", kept)} {
					if !s.connect() {
						t.Errorf("%s takes no connection", s.addr)
						return
					}
					if r, err := s.exchange(request); err != nil || r.line != "STORED" {
						t.Errorf("%q: %q, %v", request, r.line, err)
						return
					}
				}
				posted[i].Add(1)
			}
		})
	}
	for i := range readers {
		s := session{addr: proxies[i%len(proxies)].Addr}
		reading.Go(func() {
			defer s.close()
			for !over(done) {
				known, all := [writers]int{}, 0
				for w := range known {
					known[w] = int(posted[w].Load())
					all += known[w]
				}
				if err := readFeed(&s, known[:], min(all, kept), kept+writers); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	writing.Wait()
	close(done)
	reading.Wait()
	c := harness.Dial(t, proxies[0].Addr)
	c.Ask("llen feed\r\n", fmt.Sprintf("%d\r\n", kept))
	size := 0
	for _, s := range stores {
		for _, n := range items(t, s) {
			size += n
		}
	}
	t.Logf("%d posts; the feed takes %d bytes", writers*each, size)
	if size > largest {
		t.Errorf("the feed takes %d bytes", size)
	}
}

// readFeed finds what is wrong with a feed that has from least to most posts: those of a writer follow each other without a
// gap, and it is known how many of each are there already.
func readFeed(s *session, known []int, least, most int) error {
	if !s.connect() {
		return fmt.Errorf("%s takes no connection", s.addr)
	}
	r, err := s.exchange("lrange feed\r\n")
	if err != nil || len(r.values) == 0 && r.line != "END" {
		return fmt.Errorf("lrange: %q, %w", r.line, err)
	}
	if n := len(r.values); n < least || n > most {
		return fmt.Errorf("the feed has %d posts, not %d to %d", n, least, most)
	}
	next := make([]int, len(known))
	for i, v := range r.values {
		var of job
		if err := json.Unmarshal([]byte(v.data), &of); err != nil || v.stamp != fmt.Sprint(i) {
			return fmt.Errorf("post %s is %q: %w", v.stamp, v.data, err)
		}
		if next[of.Putter] > 0 && of.N != next[of.Putter] {
			return fmt.Errorf("post %d of %d is followed by %d", next[of.Putter]-1, of.Putter, of.N)
		}
		next[of.Putter] = of.N + 1
	}
	for w, n := range known {
		if next[w] < n && next[w] > 0 {
			return fmt.Errorf("the feed has no post %d of %d, which was acknowledged", n-1, w)
		}
	}
	return nil
}
