//go:build linux

package waitload

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// lists is a server of lists that clients wait for, through several ports. It delivers each element so many times.
type lists struct {
	times   int
	mu      sync.Mutex
	stored  map[string][]string       // by list
	waiting map[string][]func(string) // likewise; each is called with an answer
}

// serve listens at so many ports.
func (l *lists) serve(t *testing.T, ports int) (targets []load.Target) {
	t.Helper()
	l.stored, l.waiting = map[string][]string{}, map[string][]func(string){}
	for range ports {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { listener.Close() })
		go func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				go l.talk(conn)
			}
		}()
		targets = append(targets, load.Target{Network: "tcp", Addr: listener.Addr().String()})
	}
	return targets
}

// talk answers a client.
func (l *lists) talk(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		words := strings.Fields(line)
		switch {
		case words[0] == "rput":
			element := make([]byte, elementSize+2)
			if _, err := io.ReadFull(in, element); err != nil {
				return
			}
			l.put(words[1], fmt.Sprintf("VALUE %s 0 %d 0\r\n%sEND\r\n", words[1], elementSize, element))
			io.WriteString(conn, "STORED\r\n")
		case len(words) == 2:
			io.WriteString(conn, "END\r\n")
		default:
			ms, _ := time.ParseDuration(words[3] + "ms")
			io.WriteString(conn, l.pop(words[1], ms))
		}
	}
}

// put stores an answer, as often as it is to be delivered.
func (l *lists) put(list, answer string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for range l.times {
		if waiting := l.waiting[list]; len(waiting) > 0 {
			waiting[0](answer)
			l.waiting[list] = waiting[1:]
		} else {
			l.stored[list] = append(l.stored[list], answer)
		}
	}
}

// pop returns an answer that was stored or comes in time, or END.
func (l *lists) pop(list string, within time.Duration) string {
	l.mu.Lock()
	if stored := l.stored[list]; len(stored) > 0 {
		l.stored[list] = stored[1:]
		l.mu.Unlock()
		return stored[0]
	}
	came := make(chan string, 1)
	l.waiting[list] = append(l.waiting[list], func(answer string) { came <- answer })
	l.mu.Unlock()
	select {
	case answer := <-came:
		return answer
	case <-time.After(within):
		return "END\r\n"
	}
}

var few = Scene{Clients: 24, Lists: 6}

// openFew connects a few clients that wait for long.
func openFew(t *testing.T, targets []load.Target) *Crew {
	t.Helper()
	c, err := Open(Verbs{}, targets, few)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestElementsAreDelivered(t *testing.T) {
	c := openFew(t, (&lists{times: 1}).serve(t, 2))
	if err := c.Wait(time.Minute, 0, few.Clients); err != nil {
		t.Fatal(err)
	}
	d, err := c.Push(t.Context(), 1000, 200*time.Millisecond)
	if err != nil || d.Same.Requests == 0 || d.Other.Requests == 0 || int(d.Same.Requests+d.Other.Requests) != len(c.ledger.pushes) {
		t.Errorf("%d and %d of %d, %v", d.Same.Requests, d.Other.Requests, len(c.ledger.pushes), err)
	}
	if err := c.Rest(t.Context(), time.Millisecond); err != nil {
		t.Error(err)
	}
}

func TestElementsAreLost(t *testing.T) {
	c := openFew(t, (&lists{times: 0}).serve(t, 1))
	c.patience = 10 * time.Millisecond
	if err := c.Wait(time.Minute, 0, few.Clients); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Push(t.Context(), 1000, 20*time.Millisecond); err == nil || !strings.Contains(err.Error(), "elements are not delivered") {
		t.Errorf("%v", err)
	}
}

func TestElementsAreDeliveredTwice(t *testing.T) {
	c := openFew(t, (&lists{times: 2}).serve(t, 1))
	if err := c.Wait(time.Minute, 0, few.Clients); err != nil {
		t.Fatal(err)
	}
	_, err := c.Push(t.Context(), 1000, 20*time.Millisecond)
	if err == nil { // the second time was late
		err = c.Rest(t.Context(), time.Minute)
	}
	if err == nil || !strings.Contains(err.Error(), "delivered twice") {
		t.Errorf("%v", err)
	}
}

func TestWaitsInVain(t *testing.T) {
	c := openFew(t, (&lists{times: 1}).serve(t, 2))
	n, err := c.WaitInVain(t.Context(), 5*time.Millisecond, 3)
	if err != nil || n.Requests != uint64(3*few.Clients) || n.Took.Min() < int64(5*time.Millisecond)*99/100 {
		t.Errorf("%d waits of at least %d ns, %v", n.Requests, n.Took.Min(), err)
	}
}

func TestCrewIsInterrupted(t *testing.T) {
	c := openFew(t, (&lists{times: 1}).serve(t, 1))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Rest(ctx, time.Minute); err == nil {
		t.Error("it was not interrupted")
	}
}

// Of two processes, each has lists for itself, and lists that both have.
func TestScene(t *testing.T) {
	s := Scene{Clients: 5000, Lists: 500}
	if one, two := s.Pairs(1), s.Pairs(2); one != 500 || two != 750 {
		t.Errorf("%d pairs with one process, %d with two", one, two)
	}
	for processes := 1; processes <= 2; processes++ {
		first := Scene{Clients: s.First(processes), Lists: s.Lists}
		if first.Pairs(processes) != s.Pairs(processes) {
			t.Errorf("%d processes: the first %d clients wait at %d pairs", processes, first.Clients, first.Pairs(processes))
		}
	}
}
