package differential

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/packet"
)

const (
	bystanders = 4
	hostiles   = 4
	// hostileLines is how many requests each hostile client sends.
	hostileLines = 4000
	ownKeys      = 20
)

// Whatever some clients send, others that ask for keys of their own get the values
// that they have stored there, and nothing else.
func TestHostileClientsReachNobodyElse(t *testing.T) {
	seed := seed(t)
	t.Logf("seed %d; to repeat this run set %s=%d", seed, seedVariable, seed)
	for i, version := range harness.Versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			store := startMemcached(t, version)
			m := harness.StartMemverbs(t, "--upstream", store.Addr, "--loops", "1", "--timeout", harness.Patience.String())
			done := make(chan struct{})
			var watched, attacks sync.WaitGroup
			rounds := make([]int, bystanders)
			for b := range bystanders {
				watched.Go(func() { rounds[b] = standBy(t, m.Addr, b, done) })
			}
			for h := range hostiles {
				request := []func(*generator) string{hostileLine, hostilePacket}[h%2]
				attacks.Go(func() { attack(t, m.Addr, rand.New(rand.NewPCG(seed, uint64(10*i+h))), request) })
			}
			attacks.Wait()
			close(done)
			watched.Wait()
			for b, n := range rounds {
				if n == 0 {
					t.Errorf("bystander %d had not one answer while the others went on", b)
				}
			}
			if limit := store.Stats()["limit_maxbytes"]; limit != fmt.Sprint(256<<20) {
				t.Errorf("the memory of the server was changed to %s", limit)
			}
			if strings.Contains(m.Log(), "upstream is down") {
				t.Errorf("the upstream was given up:\n%s", m.Log())
			}
		})
	}
}

// standBy stores values of its own and asks for them again and again, by a multi-get
// and by meta gets, until done. It returns how often it did.
func standBy(t *testing.T, addr string, number int, done chan struct{}) (rounds int) {
	s, err := dial(addr, lines)
	if err != nil {
		t.Error(err)
		return 0
	}
	defer s.conn.Close()
	var sets, ask, want strings.Builder
	keys := make([]string, ownKeys)
	for i := range keys {
		keys[i] = fmt.Sprintf("bob-%d-%d", number, i)
		value := strings.Repeat(keys[i]+";", 1+7*i)
		fmt.Fprintf(&sets, "set %s %d 0 %d\r\n%s\r\n", keys[i], number, len(value), value)
		fmt.Fprintf(&want, "VALUE %s %d %d\r\n%s\r\n", keys[i], number, len(value), value)
	}
	want.WriteString("END\r\n")
	fmt.Fprintf(&ask, "get %s\r\n", strings.Join(keys, " "))
	for i, key := range keys {
		value := strings.Repeat(key+";", 1+7*i)
		fmt.Fprintf(&ask, "mg %s v k O%d\r\n", key, i)
		fmt.Fprintf(&want, "VA %d k%s O%d\r\n%s\r\n", len(value), key, i, value)
	}
	for {
		s.conn.SetDeadline(time.Now().Add(harness.Patience))
		go io.WriteString(s.conn, sets.String()+ask.String())
		answer := make([]byte, ownKeys*len("STORED\r\n")+want.Len())
		if n, err := io.ReadFull(s.in, answer); err != nil {
			t.Errorf("bystander %d: %v after %d bytes: %.200q", number, err, n, answer[:n])
			return rounds
		}
		if string(answer) != strings.Repeat("STORED\r\n", ownKeys)+want.String() {
			t.Errorf("bystander %d was given something else: %.2000q", number, answer)
			return rounds
		}
		rounds++
		select {
		case <-done:
			return rounds
		default:
		}
	}
}

// attack sends requests that are made to be read in different ways, and throws away
// what is answered.
func attack(t *testing.T, addr string, rng *rand.Rand, request func(*generator) string) {
	g := &generator{Rand: rng, now: time.Now().Unix(), modern: true, newest: true}
	for sent := 0; sent < hostileLines; {
		s, err := dial(addr, lines)
		if err != nil {
			t.Error(err)
			return
		}
		read := make(chan struct{})
		go func() {
			io.Copy(io.Discard, s.in)
			close(read)
		}()
		for range 50 {
			text := request(g)
			if sent++; strings.Contains(text, "flush_all") { // by which all lose their values, as they should
				continue
			}
			if _, err := io.WriteString(s.conn, text); err != nil {
				break // it was hung up on
			}
		}
		s.conn.SetDeadline(time.Now().Add(50 * time.Millisecond))
		<-read
		s.conn.Close()
	}
}

// hostileLine makes a request of the text protocol.
func hostileLine(g *generator) (text string) {
	if !g.chance(3) {
		return g.smuggle()
	}
	for _, c := range g.stream(1) {
		text += c.render(newIdentities(true), proxied)
	}
	return text
}

// hostilePacket makes a packet whose key or value holds a request, or one of the other kinds, of
// which some are not continued.
func hostilePacket(g *generator) string {
	if g.chance(2) {
		c := g.pick(packetKinds)
		text := c.render(newIdentities(true), proxied)
		return text[:len(text)-g.IntN(2)*g.IntN(2)*g.IntN(2)]
	}
	inner := g.smuggle()
	r := packet.Request{Opcode: byte(g.IntN(packet.GATKQ + 1)), Key: inner[:min(len(inner), 1+g.IntN(200))], Value: inner}
	if r.Extras = rightExtras(r.Opcode); r.Opcode == packet.Flush || r.Opcode == packet.FlushQ {
		r.Extras = "not right"
	}
	if g.chance(2) {
		r.Value = ""
	}
	return r.String()
}

// smuggle makes a request whose data or line holds another, which one reader may take
// for data and another for a request.
func (g *generator) smuggle() string {
	inner := g.one("get bob-0-0 bob-1-1", "get bob-2-2", "cache_memlimit 32", "mn", "mg bob-0-3 v", "delete a", "gat 0 bob-3-3", "version", "stats", "quit")
	size := len(inner)
	flag := g.one("-", ".", "\x80", "!", "{", "\x7f", "v", "Z", "q q", "MX", "Tx", "b", "k -", "S1", "E+1", "N0 -", "I", "\xff\xff")
	length := fmt.Sprintf(g.one("%d", "+%d", " %d ", "%d\t", "0%d", "000000000000%d", "-%d", "%d\r", "\t%d", "%dx", "%d\x00"), size)
	command := g.one("set", "add", "replace", "append", "prepend", "cas")
	switch g.IntN(8) {
	case 0, 1:
		return fmt.Sprintf("ms x %s %s\r\n%s\r\n", length, flag, inner)
	case 2, 3:
		surplus := g.one("", "", " noreply", " 1", " 1 noreply", " noreply noreply", " a b c d e f g h i j k l m n o p q r s t u v w x y z", " -", "\x00")
		return fmt.Sprintf("%s x 0 0 %s%s\r\n%s\r\n", command, length, surplus, inner)
	case 4:
		key := g.one("x\r", "x\x00y", "\x80", strings.Repeat("k", 251), "x\ty", "noreply", "0", "-")
		return fmt.Sprintf("%s %s %s 0 %d\r\n%s\r\n", command, key, g.one("0", "-1", "x", "+1", "\t1", "4294967296"), size, inner)
	case 5:
		return fmt.Sprintf("%s x 0 0 %d\r\n%s%s", command, size+g.IntN(3), inner, g.one("\r\n", "\n", "\r", "xx\r\n", "\n\r"))
	case 6:
		return g.one("delete noreply\r\n", "delete noreply noreply\r\n", "incr x 1 noreply noreply\r\n", "touch noreply noreply\r\n", "mn\n", "\n", "g\r\n",
			"get x\x00y\r\n", "get \x00\r\n", "verbosity noreply\r\n", "me x b\r\n", "me !!! b\r\n", "mg x b k\r\n", "md x q q\r\n", "ma x N0 q v J5\r\n",
			"bget x\r\n", " get x\r\n", "get"+strings.Repeat(" x", 3000)+" \x00 y\r\n", "gat +1 x\r\n", "mg "+strings.Repeat("k", 251)+" -\r\n",
			"ms x 2 "+strings.Repeat("k ", 30)+"\r\nmn\r\n", "delete x 0 1 2 noreply\r\n", "mg x O"+strings.Repeat("o", 100)+"\r\n")
	}
	return fmt.Sprintf("%s x %d %s\r\n%s\r\n", g.one("mg", "md", "ma", "me", "ms", "mx"), size, flag, inner)
}
