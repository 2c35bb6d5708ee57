package operation

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/packet"
)

// pipeliner is a client that sends many commands in one write on keys of its own, to a proxy and to a memcached.
type pipeliner interface {
	// burst sends some commands to both, and returns them and what each has answered.
	burst() (sent string, got, want []string)
	// clear deletes its keys from both.
	clear()
}

// stalled is how long an answer may take until requests may have been refused because the proxy has waited for too long, of which
// a quiet request says nothing.
const stalled = time.Second

// While keys move, the commands that a client sends in one write take effect in their order, quiet ones too, and are answered as by one
// memcached, in that order.
func TestPipelinesOnKeysThatMove(t *testing.T) {
	t.Parallel()
	for name, clients := range map[string]int{"text": 3, "binary": 3} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stores, alone := fourStores(t), harness.StartMemcached(t, harness.Newest)
			s := startMoving(t, stores, 3, movesIn)
			var all []pipeliner
			for n := range clients {
				keys := []string{s.key(t, 3, 0, 4, 3, fmt.Sprintf("a%d.", n)), s.key(t, 3, 1, 4, 3, fmt.Sprintf("b%d.", n)), s.key(t, 3, 2, 4, 3, fmt.Sprintf("c%d.", n)), s.key(t, 3, 1, 4, 1, fmt.Sprintf("d%d.", n))}
				if name == "binary" {
					all = append(all, &binaryPipeliner{keys, packet.Dial(t, s.Addr), packet.Dial(t, alone.Addr), 0})
				} else {
					all = append(all, &textPipeliner{t, keys, harness.Dial(t, s.Addr), harness.Dial(t, alone.Addr)})
				}
			}
			for round, n := range []int{4, 3} {
				s.change(t, n)
				var running sync.WaitGroup
				for _, p := range all {
					running.Go(func() {
						bursts, judged := 0, 0
						for ; s.moved() <= round && !t.Failed(); bursts++ {
							time.Sleep(2 * time.Millisecond) // as others need the machine, too
							if isJudged(t, p) {
								judged++
							}
						}
						t.Logf("%d bursts, %d of them judged", bursts, judged)
					})
				}
				awaitMove(t, func() bool { return s.moved() > round || t.Failed() })
				running.Wait()
			}
		})
	}
}

// isJudged has a client send commands, and compares the answers unless requests may have been refused because the machine has stalled.
func isJudged(t *testing.T, p pipeliner) bool {
	began := time.Now()
	sent, got, want := p.burst()
	if slices.ContainsFunc(got, movesNow) || time.Since(began) > stalled {
		p.clear()
		return false
	}
	if !slices.EqualFunc(got, want, sameAnswer) {
		at := 0
		for at < min(len(got), len(want)) && sameAnswer(got[at], want[at]) {
			at++
		}
		t.Errorf("answer %d is %q, and memcached's is %q, to\n%q", at, got[at:min(at+3, len(got))], want[at:min(at+3, len(want))], sent)
	}
	return true
}

// sameAnswer reports whether an answer is memcached's, or says that an item was not there which was just on its way when it was deleted.
func sameAnswer(got, want string) bool {
	wayOf := strings.NewReplacer("NOT_FOUND", "DELETED", "NF", "HD", "Not found", "")
	return got == want || wayOf.Replace(got) == wayOf.Replace(want)
}

// textPipeliner is a client that speaks text.
type textPipeliner struct {
	t            *testing.T
	keys         []string
	proxy, alone *harness.Client
}

func (p *textPipeliner) burst() (sent string, got, want []string) {
	for range 2 + rand.N(49) {
		sent += p.command() + "\r\n"
	}
	sent += "get " + strings.Join(p.keys, " ") + "\r\nmn\r\n"
	for i, c := range []*harness.Client{p.proxy, p.alone} {
		c.Send(sent)
		var answers []string
		for line := c.Line(); line != "MN"; line = c.Line() {
			answers = append(answers, lineWithoutCAS(line))
		}
		if i == 0 {
			got = answers
		} else {
			want = answers
		}
	}
	return sent, got, want
}

// command returns a command, which may be quiet.
func (p *textPipeliner) command() string {
	key := p.keys[rand.N(len(p.keys))]
	if n := rand.N(40); n < 4 {
		other := p.keys[rand.N(len(p.keys))]
		return []string{"get ", "gets ", "gat 900 ", "gat -1 "}[n] + key + " " + other + " " + p.keys[0]
	}
	command := commandsThatMove[rand.N(len(commandsThatMove))](key)
	if rand.N(3) > 0 {
		return command
	}
	line, data, has := strings.Cut(command, "\r\n")
	switch word, _, _ := strings.Cut(line, " "); word {
	case "get", "gets", "gat":
	case "mg":
		line = "mg " + key + " k v q"
	case "ms", "md", "ma":
		line += " q"
	default:
		line += " noreply"
	}
	if has {
		line += "\r\n" + data
	}
	return line
}

func (p *textPipeliner) clear() {
	for _, key := range p.keys {
		harness.Await(p.t, "a delete to succeed", func() bool { return !movesNow(replyTo(p.proxy, "delete "+key)) })
		replyTo(p.alone, "delete "+key)
	}
}

// lineWithoutCAS returns a line of an answer without the CAS that it may have.
func lineWithoutCAS(line string) string {
	if words := strings.Fields(line); len(words) == 5 && words[0] == "VALUE" {
		return strings.Join(words[:4], " ")
	}
	return line
}

// binaryPipeliner is a client that speaks the binary protocol.
type binaryPipeliner struct {
	keys         []string
	proxy, alone *packet.Client
	opaque       uint32
}

func (p *binaryPipeliner) burst() (sent string, got, want []string) {
	var requests []packet.Request
	for range 2 + rand.N(49) {
		requests = append(requests, p.request())
	}
	for _, key := range p.keys {
		requests = append(requests, packet.Request{Opcode: packet.GetKQ, Key: key})
	}
	requests = append(requests, packet.Request{Opcode: packet.Noop})
	return fmt.Sprint(requests), p.answers(p.proxy, requests), p.answers(p.alone, requests)
}

// answers returns the answers to requests, of which the last is a noop.
func (p *binaryPipeliner) answers(c *packet.Client, requests []packet.Request) (all []string) {
	c.Send(requests...)
	for a := c.Answer(); a.Opcode != packet.Noop; a = c.Answer() {
		if strings.Contains(a.Value, "move") {
			all = append(all, "SERVER_ERROR "+a.Value)
			continue
		}
		text := fmt.Sprintf("%#x of %d: %d %q %q %q", a.Opcode, a.Opaque, a.Status, a.Extras, a.Key, a.Value)
		if a.Opcode == packet.Delete || a.Opcode == packet.DeleteQ {
			text = fmt.Sprintf("%#x of %d: %q", a.Opcode, a.Opaque, a.Value)
		}
		all = append(all, text)
	}
	return all
}

// request returns a request. A quiet delete says nothing of an item that was just on its way, so there is none.
func (p *binaryPipeliner) request() packet.Request {
	p.opaque++
	r := packet.Request{Key: p.keys[rand.N(len(p.keys))], Opaque: p.opaque}
	storing := func(opcodes ...byte) packet.Request {
		r.Opcode, r.Extras, r.Value = opcodes[rand.N(len(opcodes))], packet.Words(uint32(rand.N(9)), 0), fmt.Sprint(10+rand.N(89))
		return r
	}
	switch rand.N(8) {
	case 0:
		return storing(packet.Set, packet.SetQ, packet.SetQ)
	case 1:
		return storing(packet.Add, packet.AddQ, packet.Replace, packet.ReplaceQ)
	case 2:
		r.Opcode, r.Value = []byte{packet.Append, packet.AppendQ, packet.Prepend, packet.PrependQ}[rand.N(4)], "7"
	case 3:
		r.Opcode, r.Extras = []byte{packet.Increment, packet.IncrementQ, packet.Decrement}[rand.N(3)], packet.Counting(uint64(rand.N(4)), 20, []uint32{0, 0xffffffff}[rand.N(2)])
		if r.Opcode == packet.Decrement { // whether a number that gets shorter is padded depends on who reads it at the moment
			r.Extras = packet.Counting(0, 20, 0)
		}
	case 4:
		r.Opcode = packet.Delete
	case 5:
		r.Opcode, r.Extras = []byte{packet.Touch, packet.GAT, packet.GATKQ}[rand.N(3)], packet.Words(800)
	default:
		r.Opcode = []byte{packet.Get, packet.GetQ, packet.GetK, packet.GetKQ}[rand.N(4)]
	}
	return r
}

func (p *binaryPipeliner) clear() {
	for _, key := range p.keys {
		for strings.Contains(strings.Join(p.answers(p.proxy, []packet.Request{{Opcode: packet.Delete, Key: key}, {Opcode: packet.Noop}}), ""), "move") {
			time.Sleep(10 * time.Millisecond)
		}
		p.answers(p.alone, []packet.Request{{Opcode: packet.Delete, Key: key}, {Opcode: packet.Noop}})
	}
}
