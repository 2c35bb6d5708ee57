package near

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/byprefix"
	"github.com/memverbs/memverbs/proxy/memory"
)

const value = "VALUE a:k 0 1\r\nx\r\nEND\r\n"

var key = []byte("a:k")

// newCache returns a cache of keys that begin with a: and its memory.
func newCache(lasts time.Duration) (*Cache, *Quota) {
	c, quota := New([]byprefix.Duration{{Text: "a", For: time.Nanosecond}, {Text: "a:", For: lasts}}, 0), NewQuota(&memory.Budget{Limit: 1 << 20})
	c.Use(quota)
	return c, quota
}

// finds reports whether the cache has the value of key.
func finds(c *Cache) bool {
	reply, age := c.Find(key)
	return string(reply) == value && age >= 0
}

// past returns a time just before now, when a get may have been sent.
func past() int64 {
	for now := Now(); ; {
		if Now() > now {
			return now
		}
	}
}

// A value is found until it is too old, counted from when its get was sent; and then its memory is freed.
func TestValuesGetOld(t *testing.T) {
	t.Parallel()
	c, quota := newCache(time.Hour)
	c.Keep(key, []byte(value), past())
	if !finds(c) || !c.Covers(key) || c.Covers([]byte("b:k")) {
		t.Error("the value is not kept, or others are")
	}
	c.Keep(key, []byte("another"), Now()-int64(time.Minute/time.Microsecond))
	if !finds(c) {
		t.Error("an older value has replaced it")
	}
	c.Keep([]byte("a:old"), []byte(value), Now()-int64(time.Hour/time.Microsecond))
	if reply, _ := c.Find([]byte("a:old")); reply != nil {
		t.Error("a value is kept that is too old already")
	}
	brief, _ := newCache(time.Millisecond)
	brief.Keep(key, []byte(value), past())
	for deadline := time.Now().Add(time.Minute); finds(brief); {
		if time.Now().After(deadline) {
			t.Fatal("the value is found for a minute, in place of a millisecond")
		}
	}
	if brief.Sweep(); brief.values.Load() != 0 || len(brief.part(0).entries) != 0 {
		t.Error("a value that is too old is not freed")
	}
	c.Close()
	if values, bytes := c.Held(); values != 0 || bytes != 0 || quota.part.Used() != 0 {
		t.Errorf("a closed cache has %d values of %d bytes", values, bytes)
	}
	if c.Keep(key, []byte(value), past()); finds(c) {
		t.Error("a closed cache keeps a value")
	}
}

// What was found elsewhere may be used under the same conditions.
func TestWhatIsRecent(t *testing.T) {
	t.Parallel()
	c, _ := newCache(time.Hour)
	recent := func(c *Cache, asked int64) bool {
		age, ok := c.Recent(key, asked)
		return ok && age >= 0
	}
	asked := past()
	if !recent(c, asked) || recent(c, asked-int64(time.Hour/time.Microsecond)) {
		t.Error("what was asked just now is not recent, or what was asked an hour ago is")
	}
	if _, ok := c.Recent([]byte("b:k"), asked); ok {
		t.Error("what is found of other keys is used too")
	}
	if c.Begin(key); recent(c, asked) {
		t.Error("it is recent while it is being changed")
	}
	if c.End(key); recent(c, asked) {
		t.Error("it is recent though it was changed")
	}
	past()
	asked = past()
	if c.BeginAll(); recent(c, asked) {
		t.Error("it is recent while all is being changed")
	}
	c.EndAll()
	past()
	if asked = past(); !recent(c, asked) {
		t.Error("it is not recent, though it was asked for after the changes")
	}
	if c.Close(); recent(c, asked) {
		t.Error("it is recent after others have taken over")
	}
	if recent(New([]byprefix.Duration{{Text: "", For: time.Hour}}, time.Minute), asked) {
		t.Error("it is recent though others may be changing it")
	}
}

// Nothing is kept that was asked for before the time when a cache begins to.
func TestNewCacheWaits(t *testing.T) {
	t.Parallel()
	c := New([]byprefix.Duration{{Text: "", For: time.Hour}}, time.Minute)
	c.Use(NewQuota(&memory.Budget{Limit: 1 << 20}))
	if c.Keep(key, []byte(value), past()); finds(c) {
		t.Error("a value is kept at once")
	}
}

// A value is not used while its key is being changed, nor ever after, whenever it was asked for before the change had ended.
func TestChanges(t *testing.T) {
	t.Parallel()
	for name, all := range map[string]bool{"one key": false, "all keys": true} {
		c, _ := newCache(time.Hour)
		begin, end := func() { c.Begin(key) }, func() { c.End(key) }
		if all {
			begin, end = c.BeginAll, c.EndAll
		}
		before := past()
		c.Keep(key, []byte(value), before)
		begin()
		if finds(c) {
			t.Errorf("%s: a value is used that is being changed", name)
		}
		during := past()
		if c.Keep(key, []byte(value), during); finds(c) {
			t.Errorf("%s: a value is used that is being changed, and was asked for meanwhile", name)
		}
		begin()
		end()
		if finds(c) {
			t.Errorf("%s: a value is used though the second of two changes is under way", name)
		}
		if end(); finds(c) {
			t.Errorf("%s: a value is used that was changed", name)
		}
		for _, sent := range []int64{before, during} {
			if c.Keep(key, []byte(value), sent); finds(c) {
				t.Errorf("%s: a value is used that was asked for before the change had ended", name)
			}
		}
		past()
		if c.Keep(key, []byte(value), past()); !finds(c) {
			t.Errorf("%s: a value is not used that was asked for after the change", name)
		}
	}
}

type told struct{ replies []string }

func (w *told) Told(reply []byte) { w.replies = append(w.replies, string(reply)) }

// Gets join the one that is under way, unless the key was changed since that was sent.
func TestGetsJoin(t *testing.T) {
	t.Parallel()
	c, _ := newCache(time.Hour)
	w := &told{}
	wait := func() Waiter { return w }
	_, first := c.Ask(key, wait)
	for range 3 {
		if reply, f := c.Ask(key, wait); f != nil || reply != nil {
			t.Fatal("a get asks while another is under way")
		}
	}
	if _, f := c.Ask([]byte("a:other"), wait); f == nil {
		t.Error("a get has joined that of another key")
	}
	past()
	c.Begin(key)
	_, second := c.Ask(key, wait)
	if second == nil {
		t.Fatal("a get has joined one that was sent before a change had begun")
	}
	if _, third := c.Ask(key, wait); third == nil {
		t.Error("a get has joined one that was sent during a change, which is still under way")
	}
	c.End(key)
	if copied, waiters := first.End([]byte(value), true); string(copied) != value || len(waiters) != 3 || finds(c) {
		t.Errorf("%d gets are told, and the value from before a change is kept: %v", len(waiters), finds(c))
	}
	if _, waiters := second.End([]byte(value), true); len(waiters) != 0 || finds(c) {
		t.Errorf("%d gets are told what was asked for during a change, and it is kept: %v", len(waiters), finds(c))
	}
	past()
	_, last := c.Ask(key, wait)
	if last == nil {
		t.Fatal("a get after the change has joined one from before")
	}
	if copied, _ := last.End(nil, false); copied != nil || finds(c) {
		t.Error("a get that was not answered is kept")
	}
	_, last = c.Ask(key, wait)
	last.End([]byte("END\r\n"), false)
	if reply, f := c.Ask(key, wait); f == nil || reply != nil {
		t.Error("a miss is kept")
	} else if f.End([]byte(value), true); !finds(c) {
		t.Error("a value is not kept")
	}
	if reply, f := c.Ask(key, wait); f != nil || string(reply) != value {
		t.Error("a get asks for what is known by now")
	}
}

// No get joins another one while one cache takes over from another, in neither of them: changes are marked in one only.
func TestNoGetsJoinWhileCachesChange(t *testing.T) {
	t.Parallel()
	before, _ := newCache(time.Hour)
	for name, c := range map[string]*Cache{"the old one": before, "the new one": New([]byprefix.Duration{{Text: "", For: time.Hour}}, time.Minute)} {
		c.Use(NewQuota(&memory.Budget{Limit: 1 << 20}))
		wait := func() Waiter { return &told{} }
		_, first := c.Ask(key, wait)
		before.Close()
		if _, second := c.Ask(key, wait); second == nil {
			t.Errorf("%s: a get has joined another one", name)
		}
		if _, waiters := first.End([]byte(value), true); len(waiters) != 0 || finds(c) {
			t.Errorf("%s: a value is told others, or kept", name)
		}
	}
}

// Values take a part of the budget, and none takes all of that.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	c, quota := newCache(time.Hour)
	for i := range 1000 {
		c.Keep(fmt.Appendf(nil, "a:%d", i), make([]byte, 1000), past())
		c.Keep(key, make([]byte, i*quota.part.Limit/1000), past())
		if _, bytes := c.Held(); int(bytes) > quota.part.Limit || int(bytes) != quota.part.Used() {
			t.Fatalf("%d bytes are kept, %d are counted, and %d are allowed", bytes, quota.part.Used(), quota.part.Limit)
		}
		if reply, _ := c.Find(key); len(reply) > quota.part.Limit/largestShare {
			t.Fatalf("a value of %d bytes is kept", len(reply))
		}
	}
	if values, _ := c.Held(); values < 50 {
		t.Errorf("only %d values are kept", values)
	}
}

// Whoever asks gets no older version than the last that was acknowledged before, while others change it.
func TestOwnChangesAreSeenAtOnce(t *testing.T) {
	t.Parallel()
	c, _ := newCache(time.Hour)
	var server, acknowledged atomic.Int64
	version := func(reply []byte) (v int64) {
		_, _ = fmt.Sscan(string(reply), &v)
		return v
	}
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			for range 3000 {
				c.Begin(key)
				v := server.Add(1)
				c.End(key)
				for old := acknowledged.Load(); old < v && !acknowledged.CompareAndSwap(old, v); old = acknowledged.Load() {
				}
				past()
			}
		})
	}
	var found atomic.Int64
	for range 4 {
		all.Go(func() {
			for range 20_000 {
				least := acknowledged.Load()
				reply, _ := c.Find(key)
				if reply == nil {
					answer := make(chanWaiter, 1)
					var f *Fetch
					switch reply, f = c.Ask(key, func() Waiter { return answer }); {
					case f != nil:
						var waiters []Waiter
						reply, waiters = f.End(fmt.Append(nil, server.Load()), true)
						for _, w := range waiters {
							w.Told(reply)
						}
					case reply == nil:
						reply = <-answer
					}
				} else {
					found.Add(1)
				}
				if v := version(reply); v < least {
					t.Errorf("version %d, after %d was acknowledged", v, least)
					return
				}
			}
		})
	}
	if all.Wait(); found.Load() == 0 {
		t.Error("nothing was found")
	}
}

type chanWaiter chan []byte

func (w chanWaiter) Told(reply []byte) { w <- reply }
