package verbs

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/memverbs/memverbs/sharding"
	"github.com/memverbs/memverbs/tests/harness"
)

// outage is a pool of which one memcached at most is not well, and structures that are
// used all the time meanwhile.
type outage struct {
	stores []*harness.Memcached
	layout sharding.Layout
	victim atomic.Int32 // which of stores is not well, -1 if all are
	frozen atomic.Bool  // the last victim has been frozen; otherwise it has lost everything
	ended  atomic.Bool
	uses   sync.WaitGroup
	used   []*used
}

// used is a structure that one client uses.
type used struct {
	*outage
	t    *testing.T
	to   *harness.Client
	key  string
	home int
	log  bool

	members int  // of a set, that were acknowledged
	doubt   bool // something was refused, so it may have happened
	served  atomic.Int64
	refused atomic.Int64
}

// startOutage starts memcacheds, memverbs in front of them, and the use of sets of
// many items and of event logs of many chunks that are on all of them.
func startOutage(t *testing.T, versions ...string) *outage {
	o := &outage{}
	o.victim.Store(-1)
	var addrs []string
	for _, version := range versions {
		o.stores = append(o.stores, harness.StartMemcached(t, version))
		addrs = append(addrs, o.stores[len(o.stores)-1].Addr)
	}
	m := harness.StartMemverbs(t, "--upstream", strings.Join(addrs, ","), "--loops", "2", "--timeout", "1500ms", // a busy machine may stall for a second
		"--structure-item-size", "1KB", "--log-chunk", "1s", "--log-chunks", "60")
	o.layout = harness.LayoutOf(t, addrs)
	for i := range 30 {
		u := &used{outage: o, t: t, to: harness.Dial(t, m.Addr), log: i%3 == 2}
		u.key = fmt.Sprintf("structure%d", i)
		u.home = o.layout.Locate([]byte(u.key))
		o.used = append(o.used, u)
		o.uses.Go(u.use)
	}
	t.Cleanup(func() {
		o.ended.Store(true)
		o.uses.Wait()
		if n := m.OwnStats()["structures_incomplete"]; n != "0" {
			t.Errorf("%s structures were found incomplete", n)
		}
	})
	return o
}

// use uses the structure until the end.
func (u *used) use() {
	for !u.ended.Load() {
		home := int32(u.home)
		unwell := u.victim.Load() == home
		wrong := u.step()
		switch unwell = unwell || u.victim.Load() == home; {
		case wrong == "":
			u.served.Add(1)
		case unwell && strings.HasPrefix(wrong, "SERVER_ERROR "):
			u.doubt = true
			u.refused.Add(1)
		default:
			u.t.Errorf("%s, on server %d, while server %d is not well: %s", u.key, u.home, u.victim.Load(), wrong)
			return
		}
	}
}

// step changes and reads the structure once. It returns what was not as it should be.
func (u *used) step() string {
	if u.log {
		return u.stepLog()
	}
	if u.doubt {
		if wrong := u.lookBack(); wrong != "" {
			return wrong
		}
	}
	if line := u.line(fmt.Sprintf("sadd %s a-member-of-some-length-%d", u.key, u.members)); line != "STORED" {
		return line
	}
	u.members++
	if line := u.line("scard " + u.key); line != fmt.Sprint(u.members) {
		return line
	}
	return ""
}

// lookBack looks at a set when its server is back, and goes on with another on the same
// server: what was refused may still be done to this one.
func (u *used) lookBack() string {
	line := u.line("scard " + u.key)
	n, err := strconv.Atoi(line)
	if frozen := u.frozen.Load(); frozen && (err != nil || n < u.members) || !frozen && line != "NOT_FOUND" {
		return line
	}
	u.doubt, u.members = false, 0
	u.key = harness.KeyOn(u.layout, u.home, u.key+".")
	return ""
}

// stepLog is step for an event log: the interval it asks for covers several chunks.
func (u *used) stepLog() string {
	if line := u.line("logput " + u.key + " 0 0 5\r\nevent"); line != "STORED" {
		return line
	}
	line := u.line("logfetch " + u.key + " -30000 0")
	if !strings.HasPrefix(line, "VALUE ") {
		return line
	}
	for line != "END" {
		line = u.to.Line()
	}
	return ""
}

func (u *used) line(request string) string {
	u.to.Send(request + "\r\n")
	return u.to.Line()
}

// awaitUses waits until each structure has been used so many times more, or has been
// refused as often if its server is not well.
func (o *outage) awaitUses(t *testing.T, n int64) {
	t.Helper()
	counts := make([]*atomic.Int64, len(o.used))
	from := make([]int64, len(o.used))
	for i, u := range o.used {
		counts[i] = &u.served
		if o.victim.Load() == int32(u.home) {
			counts[i] = &u.refused
		}
		from[i] = counts[i].Load()
	}
	harness.Await(t, "all structures to be used", func() bool {
		for i := range counts {
			if counts[i].Load() < from[i]+n {
				return t.Failed()
			}
		}
		return true
	})
}

// An upstream that is gone costs those structures that are on it, and no others, and
// they come back with it.
func TestOutageCostsTheStructuresOfOneServer(t *testing.T) {
	t.Parallel()
	o := startOutage(t, harness.Versions...)
	for i, store := range o.stores {
		o.awaitUses(t, 50)
		o.victim.Store(int32(i))
		store.Kill(t)
		o.awaitUses(t, 20)
		store.Restart(t)
		o.awaitRecovery(t)
	}
	for i, store := range o.stores {
		o.frozen.Store(true)
		o.victim.Store(int32(i))
		store.Freeze(t)
		o.awaitUses(t, 2)
		store.Thaw(t)
		o.awaitRecovery(t)
	}
	o.awaitUses(t, 50)
}

// awaitRecovery waits until all structures are served that were not.
func (o *outage) awaitRecovery(t *testing.T) {
	t.Helper()
	from := make([]int64, len(o.used))
	for i, u := range o.used {
		from[i] = u.served.Load()
	}
	harness.Await(t, "all structures to be served again", func() bool {
		for i, u := range o.used {
			if u.served.Load() < from[i]+5 {
				return t.Failed()
			}
		}
		return true
	})
	o.victim.Store(-1)
}
