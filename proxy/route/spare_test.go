package route

import (
	"testing"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// spared returns a pool of two servers whose spare pool has three.
func withSpare(t testing.TB, changeSpare func(*config.Pool)) pools {
	t.Helper()
	return newPools(t, of("main", 2, func(p *config.Pool) { p.OnDown, p.Spare, p.SpareTTL = config.Spare, "spares", time.Minute }), of("spares", 3, changeSpare))
}

// While a server is down, what can go to the spare pool does, to the server that the spare pool's own layout says.
func TestWhatGoesToTheSparePool(t *testing.T) {
	t.Parallel()
	readOnly := func(p *config.Pool) { p.Guard.ReadOnly = true }
	for _, test := range []struct {
		name    string
		spare   func(*config.Pool)
		happens func(pools)
		command protocol.Command
		key, to string
	}{
		{"it is up", nil, func(pools) {}, protocol.Get, "a1", "main1"},
		{"it is down", nil, func(p pools) { p.fails("main", 1) }, protocol.Get, "a1", "spares1"},
		{"it is down, a set", nil, func(p pools) { p.fails("main", 1) }, protocol.Set, "a1", "spares1"},
		{"it is down, an add", nil, func(p pools) { p.fails("main", 1) }, protocol.Add, "a1", "spares1"},
		{"it is down, a delete", nil, func(p pools) { p.fails("main", 1) }, protocol.Delete, "a1", "spares1"},
		{"it is down, a command that needs the item", nil, func(p pools) { p.fails("main", 1) }, protocol.Incr, "a1", "main1"},
		{"it is down, gets, whose CAS would be another server's", nil, func(p pools) { p.fails("main", 1) }, protocol.Gets, "a1", "main1"},
		{"it is down, mg", nil, func(p pools) { p.fails("main", 1) }, protocol.MetaGet, "a1", "main1"},
		{"another layout", nil, func(p pools) { p.fails("main", 0) }, protocol.Get, "a2", "spares2"},
		{"another server is down", nil, func(p pools) { p.fails("main", 0) }, protocol.Get, "a1", "main1"},
		{"it connects again", nil, func(p pools) { p.named("main").All[1].State = upstream.Connecting }, protocol.Get, "a1", "spares1"},
		{"it was not tried yet", nil, func(p pools) {
			m := p.named("main").All[1]
			m.State, m.Tried = upstream.Connecting, false
		}, protocol.Get, "a1", "main1"},
		{"both are down", nil, func(p pools) { p.fails("main", 1); p.fails("spares", 1) }, protocol.Get, "a1", "main1"},
		{"the spare pool is read-only", readOnly, func(p pools) { p.fails("main", 1) }, protocol.Set, "a1", "main1"},
		{"a get of a read-only spare pool", readOnly, func(p pools) { p.fails("main", 1) }, protocol.Get, "a1", "spares1"},
		{"no spare pool", nil, func(p pools) { p.fails("main", 1); p.named("main").Spare = nil }, protocol.Get, "a1", "main1"},
	} {
		p := withSpare(t, test.spare)
		test.happens(p)
		r := p.table(config.Route{Pool: "main"})
		u, index, stored := r.Locate(test.command, []byte(test.key))
		if u.Name != test.to || string(stored) != test.key {
			t.Errorf("%s: %s goes to %s, expected %s", test.name, test.key, u.Name, test.to)
		}
		if p.named("main").Spare != nil && r.Asked[index] != u {
			t.Errorf("%s: place %d is not that of %s", test.name, index, u.Name)
		}
	}
}

// A spare pool has the keys as they are stored.
func TestSparePoolOfStrippedKeys(t *testing.T) {
	t.Parallel()
	p := withSpare(t, nil)
	p.fails("main", 0)
	r := p.table(config.Route{Pool: "main"}, config.Route{Prefix: "s2", Pool: "main", Strip: true})
	if u, _, stored := r.Locate(protocol.Get, []byte("s2x")); u.Name != "spares0" || string(stored) != "x" {
		t.Errorf("it goes to %s, as %q", u.Name, stored)
	}
}

// No item lives longer in the spare pool than it may, and none longer than its client wants.
func TestCapExptime(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	for exptime, capped := range map[int64]int64{
		0:                    60, // for ever
		1:                    1,
		59:                   59,
		60:                   60,
		61:                   60,
		30 * 24 * 3600:       60,
		now.Unix() + 10:      now.Unix() + 10, // a date
		now.Unix() + 60:      now.Unix() + 60,
		now.Unix() + 61:      60,
		now.Unix() - 10:      now.Unix() - 10, // in the past
		30*24*3600 + 1:       30*24*3600 + 1,  // a date in the past
		-1:                   -1,              // at once
		-9223372036854775808: -9223372036854775808,
		9223372036854775807:  60,
	} {
		if got := CapExptime(exptime, time.Minute, now); got != capped {
			t.Errorf("%d: %d, expected %d", exptime, got, capped)
		}
	}
}

// Changes that a server misses while it is down are remembered, with the pool that may have a copy.
func TestWhatIsRemembered(t *testing.T) {
	t.Parallel()
	p := withSpare(t, nil)
	r := p.table(config.Route{Pool: "main"})
	for request, remembered := range map[string]bool{
		"set a 0 0 1\r\nx\r\n":     true,
		"replace a 0 0 1\r\nx\r\n": true,
		"delete a\r\n":             true,
		"md a\r\n":                 true,
		"get a\r\n":                false,
		"incr a 1\r\n":             false,
		"append a 0 0 1\r\nx\r\n":  false,
		"add a 0 0 1\r\nx\r\n":     false, // refused, it has changed nothing
	} {
		req := parse(t, request)
		to := r.Target(req.Key)
		to.Remember(req)
		if key, pool := p.remembered(t, "main0"); (key == "a") != remembered || pool != "" {
			t.Errorf("%q: %q is remembered, with pool %q", request, key, pool)
		}
		to.Owner, to.Absent = p.named("spares").All[0], to.Owner
		to.Remember(req)
		key, pool := p.remembered(t, "main0")
		if (key == "a") != remembered || (pool == "spares") != remembered {
			t.Errorf("%q, to the spare pool: %q is remembered, with pool %q", request, key, pool)
		}
		if key, _ := p.remembered(t, "spares0"); key != "" {
			t.Errorf("%q: %q is remembered for the spare pool's server", request, key)
		}
	}
}

// sink counts its answers.
type sink int

func (s *sink) Answered(*upstream.Pending, *upstream.Answer) { *s++ }

// A change that the spare pool carries out makes the item outdated; an add only if it was stored, or may have been.
func TestChangesInTheSparePool(t *testing.T) {
	t.Parallel()
	stored, notStored := &protocol.Reply{Line: []byte("STORED")}, &protocol.Reply{Line: []byte("NOT_STORED")}
	for _, test := range []struct {
		request string
		answer  upstream.Answer
		atOnce  bool // it is remembered before the answer
		after   bool
	}{
		{"set a 0 0 1\r\nx\r\n", upstream.Answer{Last: stored}, true, false},
		{"delete a\r\n", upstream.Answer{Last: notStored}, true, false},
		{"add a 0 0 1\r\nx\r\n", upstream.Answer{Last: stored}, false, true},
		{"add a 0 0 1\r\nx\r\n", upstream.Answer{Last: notStored}, false, false},
		{"add a 0 0 1\r\nx\r\n", upstream.Answer{Outcome: upstream.Refused}, false, false},
		{"add a 0 0 1\r\nx\r\n", upstream.Answer{Outcome: upstream.Lost}, false, true},
	} {
		p := withSpare(t, nil)
		p.fails("main", 0)
		req := parse(t, test.request)
		to := p.table(config.Route{Pool: "main"}).Target(req.Key)
		to.Owner, to.Absent = p.named("spares").All[0], to.Owner
		var client sink
		s := to.Spares(req, &client)
		if key, pool := p.remembered(t, "main0"); (key == "a") != test.atOnce || (pool == "spares") != test.atOnce {
			t.Errorf("%q: before the answer, %q is remembered, with pool %q", test.request, key, pool)
		}
		s.Answered(&upstream.Pending{}, &test.answer)
		if key, pool := p.remembered(t, "main0"); (key == "a") != test.after || (pool == "spares") != test.after {
			t.Errorf("%q: after %+v, %q is remembered, with pool %q", test.request, test.answer, key, pool)
		}
		if client != 1 {
			t.Errorf("%q: the client gets %d answers", test.request, client)
		}
	}
}
