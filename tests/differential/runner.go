package differential

import (
	"errors"
	"fmt"
	"strings"
	"sync"
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
	defer r.hangUp(lines)
	defer r.hangUp(packets)
	r.known = newIdentities(p.single)
	r.comparer.known, r.comparer.stripped = r.known, p.strips
	for i := range r.comparer.versions {
		said, err := p.ask(p.addrs[i], "version\r\n")
		if err != nil {
			return nil, err
		}
		r.comparer.versions[i] = said
	}
	for at := 0; at < len(stream); {
		n := batchLength(stream[at:])
		if at > 0 && (stream[at].protocol != stream[at-1].protocol || stream[at].parting) {
			if err := r.settle(stream[at-1].protocol); err != nil {
				return nil, err
			}
		}
		d, err := r.batch(stream[at : at+n])
		if err != nil {
			return nil, err
		}
		if d != nil {
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
	s, err := dial(addr, lines)
	if err != nil {
		return "", err
	}
	defer s.conn.Close()
	probe, answer := p.nextProbe(lines)
	groups, err := s.exchange([]string{text + probe}, []string{answer})
	if err != nil || len(groups[0]) == 0 {
		return "", err
	}
	return groups[0][0].line, nil
}

// A probe is a command whose answer can't be mistaken: it separates the
// answers of the commands around it.
func (p *pair) nextProbe(in protocol) (probe, answer string) {
	p.probes++
	return in.probe(p.probes)
}

// batchLength returns how many commands can be sent before the answers have to
// be waited for.
func batchLength(stream []command) int {
	fetched := map[string]bool{}
	for i, c := range stream {
		// Whether memcached counts in place depends on whether it is still
		// sending the item, which would be a matter of luck.
		if i > 0 && (c.settled || c.protocol != stream[0].protocol || c.key != "" && fetched[c.key]) {
			return i
		}
		for _, key := range c.fetches {
			fetched[key] = true
		}
		if c.last || c.parting {
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
	sides [2][2]*side // by protocol and side; nil if not connected
}

// connect returns the sides that speak a protocol.
func (r *run) connect(in protocol) ([2]*side, error) {
	sides := &r.sides[in]
	for s := range sides {
		if sides[s] != nil {
			continue
		}
		var err error
		if sides[s], err = dial(r.addrs[s], in); err != nil {
			return *sides, err
		}
		probe, answer := r.nextProbe(in) // lest the first command decides what the protocol is
		if _, err := sides[s].exchange([]string{probe}, []string{answer}); err != nil {
			return *sides, err
		}
	}
	return *sides, nil
}

// settle waits until memcached has let go of the items that it has sent. That an answer has
// arrived does not say so, but that a later request from the same connection was answered does:
// behind the proxy, one from its connection to each upstream.
func (r *run) settle(in protocol) error {
	probe, answer := r.nextProbe(in)
	text := in.misses() + probe
	for _, side := range r.sides[in] {
		if side == nil { // hung up, and settled before that
			continue
		}
		if _, err := side.exchange([]string{text}, []string{answer}); err != nil {
			return err
		}
	}
	return nil
}

// hangUp closes the connections of a protocol.
func (r *run) hangUp(in protocol) {
	for s, side := range r.sides[in] {
		if side != nil {
			side.conn.Close()
			r.sides[in][s] = nil
		}
	}
}

// batch sends some commands and compares what is answered.
func (r *run) batch(batch []command) (*difference, error) {
	in := batch[0].protocol
	sides, err := r.connect(in)
	if err != nil {
		return nil, err
	}
	m := r.message(batch)
	var got [2][][]unit
	var errs [2]error
	var done sync.WaitGroup
	for s := range sides {
		done.Go(func() { got[s], errs[s] = sides[s].exchange(m.pieces[s], m.answers) })
	}
	done.Wait()
	for i, group := range m.groups {
		var units [2][]unit
		for s := range units {
			if i < len(got[s]) {
				units[s] = got[s][i]
			}
		}
		if wrong := r.groups(units[direct], units[proxied]); wrong != "" {
			if err := errors.Join(errs[:]...); err != nil {
				wrong += fmt.Sprintf(" (%v)", err)
			}
			return &difference{commands: group, wrong: wrong, answers: units}, nil
		}
		r.tally.count(group, units[direct])
	}
	if batch[len(batch)-1].parting && harness.Closed(errs[direct]) && harness.Closed(errs[proxied]) {
		r.hangUp(in)
		return nil, nil
	}
	for s, err := range errs {
		if err != nil {
			return &difference{commands: batch, wrong: fmt.Sprintf("%s: %v", sideName(s), err)}, nil
		}
	}
	return nil, nil
}

// message is what is sent for a batch, and what is expected.
type message struct {
	pieces  [2][]string // for each side, to be sent one by one
	answers []string    // to the probes
	groups  [][]command // that are followed by a probe
}

func (r *run) message(batch []command) (m message) {
	r.about = map[uint32]string{}
	var texts [2]strings.Builder
	begun := 0
	for i := range batch {
		c := &batch[i]
		r.about[c.opaque] = c.about
		for s := range texts {
			text := c.render(r.known, sideName(s))
			if cut := min(c.cut, len(text)); cut > 0 {
				texts[s].WriteString(text[:cut])
				m.pieces[s] = append(m.pieces[s], texts[s].String())
				texts[s].Reset()
				text = text[cut:]
			}
			texts[s].WriteString(text)
		}
		if c.probed || i == len(batch)-1 {
			probe, answer := r.nextProbe(c.protocol)
			for s := range texts {
				if !c.parting { // else it would be reset, and what it has said might be lost
					texts[s].WriteString(probe)
				}
			}
			m.answers = append(m.answers, answer)
			m.groups = append(m.groups, batch[begun:i+1])
			begun = i + 1
		}
	}
	for s := range texts {
		m.pieces[s] = append(m.pieces[s], texts[s].String())
	}
	return m
}
