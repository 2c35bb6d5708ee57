package structures

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// Two memcacheds with next to no memory hold sets of several items each, and
// evict some of these items all the time. A set of which a part is gone is gone.
func TestNobodySeesHalfASet(t *testing.T) {
	const (
		writers = 8
		readers = 4
		sets    = 160
	)
	flags := append([]string{"--structure-item-size", "2KB"}, patient...)
	var stores []*harness.Memcached
	for _, version := range harness.Versions {
		s := harness.StartMemcached(t, version, "-m", "2", "-f", "2") // few classes of items, so that each is crowded
		stores, flags = append(stores, s), append(flags, "--upstream", s.Addr)
	}
	m := harness.StartPlainMemverbs(t, flags...)
	c := &cramped{t: t, addr: m.Addr, stores: stores}
	for n := range sets {
		c.diaries = append(c.diaries, newDiary(fmt.Sprintf("set%d", n)))
	}
	done := make(chan struct{})
	seed := chooseSeed(t)
	var wait sync.WaitGroup
	for i := range writers + readers {
		random := rand.New(rand.NewPCG(seed, uint64(i)))
		wait.Go(func() {
			s := &session{addr: m.Addr}
			defer s.close()
			for open := true; open; {
				if i < writers {
					d := c.diaries[random.IntN(sets/writers)*writers+i] // nobody else writes to it
					c.writeOn(s, d, random)
				} else {
					c.read(s, c.diaries[random.IntN(sets)])
				}
				select {
				case <-done:
					open = false
				default:
				}
			}
		})
	}
	c.lookForHalves(atLength(6*time.Second, *duration/10))
	close(done)
	wait.Wait()
	t.Logf("%d batches written, %d refused; %d reads, %d of them found an evicted set; %d times a part was gone and the head was not",
		c.written.Load(), c.refused.Load(), c.reads.Load(), c.gone.Load(), c.halves)
	for _, store := range stores {
		t.Logf("memcached %s: %d evictions", store.Version, evictions(store))
		if evictions(store) == 0 {
			t.Errorf("memcached %s has evicted nothing, so this has shown nothing", store.Version)
		}
	}
	if c.gone.Load() == 0 || c.halves == 0 {
		t.Error("no set was evicted in part, so this has shown nothing")
	}
}

// cramped is sets in too little memory.
type cramped struct {
	t       *testing.T
	addr    string
	stores  []*harness.Memcached
	diaries []*diary
	halves  int

	written, refused, reads, gone atomic.Int64
}

// write adds the next batch of members to a set, in one command.
func (c *cramped) write(s *session, d *diary, random *rand.Rand) {
	size := 1 + random.IntN([]int{1, 10, 60}[random.IntN(3)])
	n := d.begin()
	request := "sadd " + d.key
	for i := range size {
		request += fmt.Sprintf(" %d.%d.%d.%s", n, i, size, strings.Repeat("x", random.IntN(220)))
	}
	line, _ := c.ask(s, request)
	switch {
	case line == "STORED":
		c.written.Add(1)
	case strings.HasPrefix(line, "SERVER_ERROR"): // no memory, most likely
		c.refused.Add(1)
		c.t.Logf("a batch of %d members for %s: %s", size, d.key, line)
	default:
		c.t.Errorf("a batch for %s: %q", d.key, line)
	}
	d.end(n, line == "STORED")
}

// comebacks is how many times in succession a set may be gone again when a batch has
// just been added to it.
const comebacks = 10

// writeOn writes to a set, and reads it now and then. If the set is lost, it writes
// until there is a set again: after an eviction that begins afresh.
func (c *cramped) writeOn(s *session, d *diary, random *rand.Rand) {
	c.write(s, d, random)
	if random.IntN(3) > 0 {
		return
	}
	for n := 0; c.read(s, d) && !c.t.Failed(); n++ {
		if n == comebacks {
			c.t.Errorf("%s does not come back after an eviction, whatever is added", d.key)
		}
		c.write(s, d, random)
	}
}

// read reads a set and checks that it is a whole one. It reports whether the
// set is lost.
func (c *cramped) read(s *session, d *diary) (lost bool) {
	acknowledged := d.last()
	line, value := c.ask(s, "smembers "+d.key)
	c.reads.Add(1)
	switch {
	case strings.HasPrefix(line, "VALUE "):
		if err := d.check(acknowledged, strings.Fields(value)); err != nil {
			c.t.Errorf("%s, of which batch %d was acknowledged before: %v", d.key, acknowledged, err)
		}
	case line == "END":
		if lost = acknowledged >= 0; lost {
			c.gone.Add(1)
		}
	case !strings.HasPrefix(line, "SERVER_ERROR"):
		c.t.Errorf("reading %s: %q", d.key, line)
	}
	return lost
}

func (c *cramped) ask(s *session, request string) (line, value string) {
	if !s.connect() {
		c.t.Error("memverbs does not take connections")
		return "", ""
	}
	line, value, err := s.ask(request + "\r\n")
	if err != nil {
		c.t.Error(err)
	}
	return line, value
}

// lookForHalves asks the memcacheds for heads that point to a part which is gone, for at
// least the time d, and until the test shows something: until it has found one, and each
// memcached has evicted some.
func (c *cramped) lookForHalves(d time.Duration) {
	var direct []*session
	for _, store := range c.stores {
		s := &session{addr: store.Addr}
		defer s.close()
		direct = append(direct, s)
	}
	get := func(key string) (value string, ok bool) {
		for _, s := range direct {
			if line, value := c.ask(s, "get "+key); line != "END" {
				return value, true
			}
		}
		return "", false
	}
	began := time.Now()
	for n := 0; !c.t.Failed(); n++ {
		spent := time.Since(began)
		if spent > d && (c.showsSomething() || spent > d+harness.Patience) {
			return
		}
		key := c.diaries[n%len(c.diaries)].key
		head, _ := get(key)
		if !lacksPart(key, head, get) {
			continue
		}
		if again, _ := get(key); again == head { // it was not replaced meanwhile
			c.halves++
		}
	}
}

// showsSomething reports whether sets have been evicted in part, and each memcached
// took part in it.
func (c *cramped) showsSomething() bool {
	return c.halves > 0 && c.gone.Load() > 0 && !slices.ContainsFunc(c.stores, func(m *harness.Memcached) bool { return evictions(m) == 0 })
}

func evictions(m *harness.Memcached) int {
	n, _ := strconv.Atoi(m.Stats()["evictions"])
	return n
}

// lacksPart reports whether a head points to something that is not there.
func lacksPart(key, head string, get func(key string) (string, bool)) bool {
	for _, pointer := range strings.Fields(head) {
		if !strings.HasPrefix(pointer, "@") {
			break
		}
		id, _, _ := strings.Cut(pointer[1:], ":")
		if _, ok := get(key + ":" + id + ".0"); !ok {
			return true
		}
	}
	return false
}
