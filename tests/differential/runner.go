package differential

import (
	"fmt"
	"strings"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// pair is a memcached and a proxy with memcacheds behind it.
type pair struct {
	addrs  [2]string
	modern bool // memcached knows the E and x flags
	newest bool // memcached is the newest
	single bool // the proxy has one upstream
	strips bool // it strips keys
	probes int
}

// difference is where the sides answered differently.
type difference struct {
	at       int // the last command that may have to do with it
	commands []command
	wrong    string
	answers  [2][]unit
}

// run sends a stream to both sides, from an empty state. It returns the first
// difference, or nil, and counts in t what was answered.
func (p *pair) run(stream []command, t *tally) (*difference, error) {
	if err := p.empty(); err != nil {
		return nil, err
	}
	r := &run{pair: p, tally: t}
	r.known = newIdentities(p.single)
	r.comparer.known, r.comparer.stripped = r.known, p.strips
	for i := range r.sides {
		s, err := dial(p.addrs[i])
		if err != nil {
			return nil, err
		}
		defer s.conn.Close()
		r.sides[i] = s
		groups, err := s.exchange([]string{"version\r\n" + p.nextProbe()}, []string{p.probeAnswer()})
		if err != nil {
			return nil, err
		}
		r.comparer.versions[i] = groups[0][0].line
	}
	for at := 0; at < len(stream); {
		n := batchLength(stream[at:])
		if d := r.batch(stream[at : at+n]); d != nil {
			d.at = at + n
			return d, nil
		}
		at += n
	}
	return nil, nil
}

// empty removes every item. After flush_all all keys are asked for: memcached
// 1.6.18 keeps what was flushed until somebody asks. A proxy that has lost an
// upstream over the last stream is given time to find it again.
func (p *pair) empty() error {
	for _, addr := range p.addrs {
		for deadline := time.Now().Add(harness.Patience); ; {
			answer, err := p.ask(addr, "flush_all\r\n")
			if err == nil && answer == "OK\r\n" {
				break
			}
			if time.Now().After(deadline) {
				return fmt.Errorf("%s can't be emptied: %q, %v", addr, answer, err)
			}
		}
		if _, err := p.ask(addr, purge); err != nil {
			return err
		}
	}
	return nil
}

// ask sends text on a connection of its own and returns the first unit of the
// answer.
func (p *pair) ask(addr, text string) (string, error) {
	s, err := dial(addr)
	if err != nil {
		return "", err
	}
	defer s.conn.Close()
	groups, err := s.exchange([]string{text + p.nextProbe()}, []string{p.probeAnswer()})
	if err != nil || len(groups[0]) == 0 {
		return "", err
	}
	return groups[0][0].line, nil
}

// A probe is a command whose answer can't be mistaken: it separates the
// answers of the commands around it.
func (p *pair) nextProbe() string {
	p.probes++
	return fmt.Sprintf("mg probe O%d\r\n", p.probes)
}

func (p *pair) probeAnswer() string { return fmt.Sprintf("EN O%d\r\n", p.probes) }

// batchLength returns how many commands can be sent before the answers have to
// be waited for.
func batchLength(stream []command) int {
	fetched := map[string]bool{}
	for i, c := range stream {
		// Whether memcached counts in place depends on whether it is still
		// sending the item, which would be a matter of luck.
		if i > 0 && (c.settled || c.key != "" && fetched[c.key]) {
			return i
		}
		for _, key := range c.fetches {
			fetched[key] = true
		}
		if c.last {
			return i + 1
		}
	}
	return len(stream)
}

// run is a stream under way.
type run struct {
	*pair
	comparer
	tally *tally
	sides [2]*side
}

// batch sends some commands and compares what is answered.
func (r *run) batch(batch []command) *difference {
	var pieces [2][]string
	var texts [2]strings.Builder
	var answers []string
	var groups [][]command
	begun := 0
	for i := range batch {
		c := &batch[i]
		for s := range texts {
			text := c.render(r.known, sideName(s))
			if cut := min(c.cut, len(text)); cut > 0 {
				texts[s].WriteString(text[:cut])
				pieces[s] = append(pieces[s], texts[s].String())
				texts[s].Reset()
				text = text[cut:]
			}
			texts[s].WriteString(text)
		}
		if c.probed || i == len(batch)-1 {
			probe := r.nextProbe()
			for s := range texts {
				texts[s].WriteString(probe)
			}
			answers = append(answers, r.probeAnswer())
			groups = append(groups, batch[begun:i+1])
			begun = i + 1
		}
	}
	var got [2][][]unit
	var errs [2]error
	done := make(chan struct{})
	go func() {
		defer close(done)
		got[direct], errs[direct] = r.sides[direct].exchange(append(pieces[direct], texts[direct].String()), answers)
	}()
	got[proxied], errs[proxied] = r.sides[proxied].exchange(append(pieces[proxied], texts[proxied].String()), answers)
	<-done
	for i, group := range groups {
		var units [2][]unit
		for s := range units {
			if i < len(got[s]) {
				units[s] = got[s][i]
			}
		}
		if wrong := r.groups(units[direct], units[proxied]); wrong != "" {
			return &difference{commands: group, wrong: wrong, answers: units}
		}
		r.tally.count(group, units[direct])
	}
	for s, err := range errs {
		if err != nil {
			return &difference{commands: batch, wrong: fmt.Sprintf("%s: %v", sideName(s), err)}
		}
	}
	return nil
}
