package rankings

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// plain is a ranking as the tokens describe it, in the plainest way: nothing is ever added up
// or dropped, and the scores are those of whatever time is asked for.
type plain struct {
	members map[string]parts
	told    []answered // the latest last
}

// parts are all that was said of a member's score, in order.
type parts []part

type part struct {
	sign     byte  // signAdd, signExpire, signRaise or signLower
	n, until int64 // until in seconds
}

// answered is what the orders with an id have come to.
type answered struct{ caller, id, scores string }

// at returns the score at a time, in milliseconds, and false if there is no such member then.
func (m parts) at(now int64) (score int64, ok bool) {
	for _, p := range m {
		switch {
		case p.sign == signExpire && now >= 1000*p.until:
			continue
		case p.sign == signAdd, p.sign == signExpire:
			score += p.n
		case !ok, p.sign == signRaise && p.n > score, p.sign == signLower && p.n < score:
			score = p.n
		}
		ok = true
	}
	return score, ok
}

// apply applies a log whose orders are carried out at a time.
func (p plain) apply(log string, now int64) plain {
	p = plain{maps.Clone(p.members), slices.Clone(p.told)}
	if p.members == nil {
		p.members = map[string]parts{}
	}
	for _, token := range verbtest.Words(log) {
		if len(token) < 3 || token[0] != letter {
			continue
		}
		amount, member, _ := strings.Cut(token[2:], ":")
		switch token[1] {
		case signRemove:
			delete(p.members, token[2:])
		case signSet:
			p.members[member] = parts{{signAdd, number(amount), 0}}
		case signAdd, signExpire:
			p.add(amount, member)
		case signRaise, signLower:
			p.members[member] = append(slices.Clip(p.members[member]), part{token[1], number(amount), 0})
		case signOrder:
			dot := strings.LastIndex(amount, ".")
			p.add(amount[dot+1:], member)
			score, _ := p.members[member].at(now)
			p.remember(amount[:dot], fmt.Sprint(score))
		case signTold:
			dot := strings.LastIndex(token, ".")
			p.remember(token[2:dot], strings.ReplaceAll(token[dot+1:], ";", " "))
		}
	}
	return p
}

// add adds what a token says to the score of a member.
func (p *plain) add(amounts, member string) {
	m := slices.Clip(p.members[member])
	for amount := range strings.SplitSeq(amounts, ";") {
		if n, until, expires := strings.Cut(amount, "@"); expires {
			m = append(m, part{signExpire, number(n), number(until)})
		} else {
			m = append(m, part{signAdd, number(n), 0})
		}
	}
	p.members[member] = m
}

func (p *plain) remember(id, scores string) {
	caller, _, _ := strings.Cut(id, ".")
	next := answered{caller, id, scores}
	if i := slices.IndexFunc(p.told, func(a answered) bool { return a.caller == caller }); i >= 0 {
		if p.told[i].id > id { // batches have one digit here
			return
		}
		if p.told[i].id == id {
			next.scores = p.told[i].scores + " " + scores
		}
		p.told = slices.Delete(p.told, i, i+1)
	}
	p.told = append(p.told, next)
}

// at returns the members and scores at a time, the lowest first.
func (p plain) at(now int64) []string {
	type scored struct {
		score  int64
		member string
	}
	var all []scored
	for member, m := range p.members {
		if score, ok := m.at(now); ok {
			all = append(all, scored{score, member})
		}
	}
	slices.SortFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.score, b.score), strings.Compare(a.member, b.member))
	})
	var text []string
	for _, s := range all {
		text = append(text, fmt.Sprint(s.member, " ", s.score))
	}
	return text
}

func number(word string) int64 {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

// membersAt returns the members and scores of a fold from one place up to
// another, the lowest or highest first.
func (r *Ranking) membersAt(from, to int, highest bool) (text []string) {
	for _, i := range r.places(nil, from, to, highest) {
		text = append(text, fmt.Sprintf("%s %d", r.entries[i].member(r.log), r.entries[i].score))
	}
	return text
}

func (r *Ranking) all() []string { return r.membersAt(0, r.live, false) }

// answers returns what a fold remembers of orders.
func (r *Ranking) answers() (all []answered) {
	for i := range r.told {
		t := &r.told[i]
		scores := strings.Trim(fmt.Sprint(t.Is), "[]")
		all = append(all, answered{string(t.ID.Caller[:]), string(t.ID.Append(nil)), scores})
	}
	return all
}

// read reads a log at a time.
func read(t testing.TB, r *Ranking, log string, now int64) {
	t.Helper()
	if !r.Read(nil, []byte(log), now) {
		t.Fatalf("%.300q is no ranking", log)
	}
}

// sound fails the test if what a fold counts does not agree with its entries.
func (r *Ranking) sound(t testing.TB) {
	t.Helper()
	live, length, needed := 0, 0, 0
	for i := range r.entries {
		e := &r.entries[i]
		counting, kept := uint32(0), uint32(0)
		for k := e.last; k != 0; k = r.increments[k-1].next {
			of := &r.increments[k-1]
			if of.of != uint32(i) {
				t.Fatalf("an increment of %s is one of entry %d", e.member(r.log), of.of)
			}
			switch {
			case e.hash&chained != 0:
				if before := of.next; before == 0 || of.until < 0 || r.increments[before-1].until < 0 {
					counting++
				}
			case !r.expired(of.until):
				counting++
			}
			if of.until < 0 || !r.outlived(of.until) {
				kept++
			}
		}
		if counting != e.counting || kept != e.kept {
			t.Fatalf("%s has %d increments that count and %d to be kept: %+v", e.member(r.log), counting, kept, e)
		}
		if e.isMember() {
			live, length = live+1, length+len(e.member(r.log))
		}
		needed += e.tokens()
	}
	if live != r.live || length != r.length || needed != r.written.tokens {
		t.Fatalf("%d members of %d bytes that need %d tokens, but %d, %d and %d", live, length, needed, r.live, r.length, r.written.tokens)
	}
	for _, d := range []*end{&r.lowest, &r.highest} {
		if d.all && len(d.members) != r.live {
			t.Fatalf("all of %d members are at an end of %d", r.live, len(d.members))
		}
	}
	if until := r.Until(); until <= r.now {
		t.Fatalf("at %d it was to change at %d", r.now, until)
	}
	words := verbtest.Words(string(r.log))
	if len(words) != r.tokens {
		t.Fatalf("%d tokens are counted as %d", len(words), r.tokens)
	}
}
