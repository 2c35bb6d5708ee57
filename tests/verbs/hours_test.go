package verbs

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// hours are clients of three proxies over one memcached: one whose clock is right, one that is an hour ahead, and one that
// is an hour behind.
type hours struct{ right, ahead, behind *harness.Client }

func startHours(t *testing.T) hours {
	store := harness.StartMemcached(t, harness.Newest)
	flags := []string{"--upstream", store.Addr, "--log-chunk", "1h", "--log-chunks", "4"}
	return hours{
		right:  harness.Dial(t, harness.StartPlainMemverbs(t, flags...).Addr),
		ahead:  harness.Dial(t, harness.StartMemverbsAhead(t, time.Hour, flags...).Addr),
		behind: harness.Dial(t, harness.StartMemverbsAhead(t, -time.Hour, flags...).Addr),
	}
}

// all returns the clients by name.
func (h hours) all() map[string]*harness.Client {
	return map[string]*harness.Client{"right": h.right, "ahead": h.ahead, "behind": h.behind}
}

// What a proxy has acknowledged whose clock is an hour wrong is there for all, and it does away with nothing that others were
// told.
func TestClocksAnHourWrong(t *testing.T) {
	t.Parallel()
	h := startHours(t)
	t.Run("increments", h.testIncrements)
	t.Run("tasks", h.testTasks)
	t.Run("locks", h.testLocks)
	t.Run("events", h.testEvents)
}

// testIncrements has increments made and the ranking rewritten by all. Whose clock is ahead no longer counts what is over
// by that, but erases nothing of it.
func (h hours) testIncrements(t *testing.T) {
	for n := range 10 { // so that it is worth caching
		h.right.Ask(fmt.Sprintf("zadd r %d filler%0200d\r\n", n, n), "STORED\r\n")
	}
	score := func(right, ahead, behind int) {
		t.Helper()
		for range 3 { // the proxies cache it
			h.right.Ask("zget r m\r\n", fmt.Sprintf("%d\r\n", right))
			h.ahead.Ask("zget r m\r\n", fmt.Sprintf("%d\r\n", ahead))
			h.behind.Ask("zget r m\r\n", fmt.Sprintf("%d\r\n", behind))
		}
	}
	h.right.Ask("zincrbyp r 1 m 600\r\nzincrbyp r 2 m 10800\r\n", "1\r\n3\r\n")
	score(3, 2, 3)
	h.ahead.Ask("zincrbyp r 4 m 600\r\n", "6\r\n")
	score(7, 6, 7)
	h.behind.Ask("zincrbyp r 8 m 10800\r\n", "15\r\n")
	score(15, 14, 15)
	for _, who := range []*harness.Client{h.ahead, h.behind, h.right, h.ahead} {
		who.Ask("scompact r\r\n", "OK\r\n")
		score(15, 14, 15)
	}
	h.ahead.Ask("zincrby r 16 m\r\nscompact r\r\n", "30\r\nOK\r\n")
	score(31, 30, 31)
}

// testTasks has tasks held for two hours through each proxy: nobody else gets them meanwhile, whatever the time is there.
func (h hours) testTasks(t *testing.T) {
	for name, holder := range h.all() {
		queue := "q-" + name
		h.behind.Ask("taskput "+queue+" a 0 0 5\r\nhello\r\n", "STORED\r\n") // due for all
		held := takeTasks(holder, "tasktake "+queue+" 10800")
		if len(held) != 1 {
			t.Fatalf("%s takes %+v", name, held)
		}
		for other, c := range h.all() {
			if again := takeTasks(c, "tasktake "+queue+" 60"); len(again) > 0 {
				t.Errorf("%s takes %+v, which is held through %s", other, again, name)
			}
			c.Ask("tasklen "+queue+"\r\n", "1\r\n")
		}
		h.ahead.Ask("scompact "+queue+"\r\n", "OK\r\n")
		holder.Ask("taskkeep "+queue+" "+held[0].stamp+" 14400\r\ntaskdone "+queue+" "+held[0].stamp+"\r\n", "STORED\r\nDELETED\r\n")
	}
	// One that is put for now through a proxy whose clock is ahead is due an hour later for the others, and lost for nobody.
	h.ahead.Ask("taskput q b 0 0 5\r\nhello\r\n", "STORED\r\n")
	if early := takeTasks(h.right, "tasktake q 60"); len(early) > 0 {
		t.Errorf("taken before its time: %+v", early)
	}
	h.right.Ask("tasklen q\r\n", "1\r\n")
	if found := takeTasks(h.ahead, "tasktake q 60"); len(found) != 1 {
		t.Errorf("taken by the clock by which it was put: %+v", found)
	}
}

// testLocks has a lock taken through each proxy, which knows no clock but memcached's.
func (h hours) testLocks(t *testing.T) {
	for name, holder := range h.all() {
		lock := "lock-" + name
		holder.Ask("lock "+lock+" mine 600\r\n", "STORED\r\n")
		for _, c := range h.all() {
			c.Ask("lock "+lock+" other 600\r\nunlock "+lock+" other\r\n", "NOT_STORED\r\nEXISTS\r\n")
			c.Ask("relock "+lock+" mine 600\r\n", "STORED\r\n")
		}
		h.right.Ask("unlock "+lock+" mine\r\nlock "+lock+" other 600\r\n", "DELETED\r\nSTORED\r\n")
	}
}

// testEvents has events put through all proxies. Those of the future are fetched by who asks for the future.
func (h hours) testEvents(t *testing.T) {
	for range 3 {
		for name, c := range h.all() {
			c.Ask(fmt.Sprintf("logput l 0 0 %d\r\n%s\r\n", len(name), name), "STORED\r\n")
		}
	}
	fetch := func(c *harness.Client) (events string) {
		c.Send(fmt.Sprintf("logfetch l 1 %d\r\n", time.Now().Add(24*time.Hour).UnixMilli()))
		for _, line := range strings.Split(c.Until("END"), "\r\n") {
			if _, known := h.all()[line]; known {
				events += line + " "
			}
		}
		return events
	}
	past, now, future := strings.Repeat("behind ", 3), strings.Repeat("right ", 3), strings.Repeat("ahead ", 3)
	for name, want := range map[string]string{"right": past + now + future, "ahead": past + now + future, "behind": past + now} {
		if got := fetch(h.all()[name]); got != want {
			t.Errorf("fetched through the proxy that is %s: %s; expected %s", name, got, want)
		}
	}
}
