package embedded

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

const (
	clients = 16
	rounds  = 100
)

// together runs part for many clients of one store, and returns another client.
func together(t *testing.T, part func(c *client, n int)) *client {
	t.Helper()
	s, _ := openStore(t, testMemory, testMaxItem)
	start := make(chan struct{})
	var wait sync.WaitGroup
	for n := range clients {
		c := connect(t, s.Dial)
		wait.Go(func() {
			<-start
			part(c, n)
		})
	}
	close(start)
	wait.Wait()
	return connect(t, s.Dial)
}

// exchange sends a request and returns the line that answers it. It may be called on
// any goroutine.
func (c *client) exchange(request string) string {
	if _, err := c.conn.Write([]byte(request)); err != nil {
		return err.Error()
	}
	line, err := c.in.ReadString('\n')
	if err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(line, "\r\n")
}

// Of the tokens that many clients append, none is lost or duplicated, and exactly one
// creates the item.
func TestAppendsAreAtomic(t *testing.T) {
	for _, way := range []string{"MA", "MP"} {
		c := together(t, func(c *client, n int) {
			for i := range rounds {
				token := fmt.Sprintf("<%d:%d>", n, i)
				if got := c.exchange(fmt.Sprintf("ms k %d %s N0\r\n%s\r\n", len(token), way, token)); got != "HD" {
					t.Errorf("%s: %s", token, got)
				}
			}
		})
		value := c.ask("mg k v\r\n")
		for n := range clients {
			for i := range rounds {
				if token := fmt.Sprintf("<%d:%d>", n, i); strings.Count(value, token) != 1 {
					t.Fatalf("%s is there %d times", token, strings.Count(value, token))
				}
			}
		}
	}
}

func TestCountingIsAtomic(t *testing.T) {
	c := together(t, func(c *client, _ int) {
		for range rounds {
			c.exchange("ma k N0 J1\r\n")
			c.exchange("incr k 2\r\n")
			c.exchange("decr k 1\r\n")
		}
	})
	c.expect("mg k v\r\n", fmt.Sprintf("VA 4\r\n%d\r\n", 2*clients*rounds))
}

// A counter that is read and written back with cas, until that succeeds, counts every
// increment.
func TestCompareAndSwapIsAtomic(t *testing.T) {
	c := together(t, func(c *client, _ int) {
		c.exchange("add k 0 0 1\r\n0\r\n")
		for done := 0; done < rounds; {
			header := strings.Fields(c.exchange("mg k v c\r\n")) // VA <size> c<cas>
			if len(header) != 3 {
				t.Errorf("%q", header)
				return
			}
			digits, _ := c.in.ReadString('\n')
			n, err := strconv.Atoi(strings.TrimSpace(digits))
			if err != nil {
				t.Error(err)
				return
			}
			next := strconv.Itoa(n + 1)
			switch got := c.exchange(fmt.Sprintf("cas k 0 0 %d %s\r\n%s\r\n", len(next), header[2][1:], next)); got {
			case "STORED":
				done++
			case "EXISTS":
			default:
				t.Error(got)
				return
			}
		}
	})
	c.expect("get k\r\n", fmt.Sprintf("VALUE k 0 4\r\n%d\r\nEND\r\n", clients*rounds))
}

// Of many clients that add an item, or win a stale one, exactly one succeeds.
func TestOneWins(t *testing.T) {
	for name, race := range map[string]struct{ before, request, won string }{
		"add":    {"delete k\r\n", "add k 0 0 1\r\nx\r\n", "STORED"},
		"ms ME":  {"delete k\r\n", "ms k 1 ME\r\nx\r\n", "HD"},
		"delete": {"set k 0 0 1\r\nx\r\n", "delete k\r\n", "DELETED"},
		"stale":  {"set k 0 0 1\r\nx\r\nmd k I\r\n", "mg k\r\n", "HD X W"},
		"soon":   {"set k 0 10 1\r\nx\r\n", "mg k R100\r\n", "HD W"},
		"stub":   {"delete k\r\n", "mg k N30\r\n", "HD W"},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := openStore(t, testMemory, testMaxItem)
			referee := connect(t, s.Dial)
			var racers [clients]*client
			for n := range racers {
				racers[n] = connect(t, s.Dial)
			}
			for range 20 {
				referee.ask(race.before)
				if won := raceOnce(racers[:], race.request, race.won); won != 1 {
					t.Fatalf("%d won", won)
				}
			}
		})
	}
}

// raceOnce makes all clients send a request at once and returns how many received the
// answer won.
func raceOnce(racers []*client, request, won string) int {
	var (
		start    = make(chan struct{})
		answered sync.WaitGroup
		winners  atomic.Int32
	)
	for _, c := range racers {
		answered.Go(func() {
			<-start
			if c.exchange(request) == won {
				winners.Add(1)
			}
		})
	}
	close(start)
	answered.Wait()
	return int(winners.Load())
}

// Readers see only values that were stored, whatever other clients do meanwhile.
func TestReadersSeeWholeValues(t *testing.T) {
	together(t, func(c *client, n int) {
		letter := string(rune('a' + n))
		for i := range rounds {
			if n%2 == 0 {
				c.exchange(fmt.Sprintf("set k 0 0 %d\r\n%s\r\n", i+1, strings.Repeat(letter, i+1)))
				continue
			}
			header := strings.Fields(c.exchange("mg k v s\r\n"))
			if header[0] != "VA" {
				continue
			}
			value, _ := c.in.ReadString('\n')
			value = strings.TrimSuffix(value, "\r\n")
			if strconv.Itoa(len(value)) != header[1] || strings.Trim(value, value[:1]) != "" {
				t.Errorf("%q of %s bytes", value, header[1])
			}
		}
	})
}
