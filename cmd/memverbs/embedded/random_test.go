package embedded

import (
	"fmt"
	"math/rand/v2"
	"net"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Two stores answer random requests alike, one of which receives them in pieces; with
// -memcached, a store and a memcached.
func TestRandomRequests(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	one, _ := openStore(t, testMemory, testMaxItem)
	var other func() (net.Conn, error)
	if *memcached != "" {
		other = startMemcached(t)
	} else {
		s, _ := openStore(t, testMemory, testMaxItem)
		other = s.Dial
	}
	a, b := connect(t, one.Dial), connect(t, other)
	var history []string
	for i := range 3000 {
		request := randomRequest(random)
		history = append(history, request)
		cut := random.IntN(len(request))
		b.send(request[:cut])
		got, want := a.ask(request), b.ask(request[cut:])
		if !same(got, want) {
			t.Fatalf("request %d of\n%q\nwas answered with\n%q by the store, and\n%q by the other", i, history[max(0, i-30):], got, want)
		}
	}
}

// Many clients send random requests to a store that is too small and is flushed
// repeatedly, and each gets its answers.
func TestRandomClients(t *testing.T) {
	s, _ := openStore(t, 1<<18, 1<<16)
	var wait sync.WaitGroup
	for n := range clients {
		c := connect(t, s.Dial)
		random := rand.New(rand.NewPCG(uint64(n), 0))
		wait.Go(func() {
			for i := range 100 {
				request := randomRequest(random)
				switch i % 30 {
				case 10:
					request += "flush_all\r\n"
				case 20:
					request += "flush_all 1\r\n"
				}
				large := "large:" + strconv.Itoa(random.IntN(20))
				request += storage("set", large, "0", random.IntN(30000)) + "get " + large + "\r\n"
				if _, err := c.conn.Write([]byte(request + "mn\r\n")); err != nil {
					t.Error(err)
					return
				}
				for line := ""; line != "MN\r\n"; {
					var err error
					if line, err = c.in.ReadString('\n'); err != nil {
						t.Errorf("%.200q: %v", request, err)
						return
					}
				}
			}
		})
	}
	wait.Wait()
}

// CAS values that a server counts differ between servers, so requests use only values
// set by the E flag, or values that no item has.
func randomCAS(r *rand.Rand) string { return pick(r, "0", "1", "1000001", "1000002", "1000003") }

// counted matches the CAS values in a reply that a server has counted.
var counted = regexp.MustCompile(`( c|cas=|VALUE . \d+ \d+ )\d{1,6}\b`)

// seconds matches the numbers in a reply that depend on when a clock ticks.
var seconds = regexp.MustCompile(`( t| l|exp=|la=)(-?\d+)`)

// wrapped is the least value of a time that has passed, as an unsigned 32-bit number.
const wrapped = 1 << 31

func same(a, b string) bool {
	a, b = counted.ReplaceAllString(a, "$1"), counted.ReplaceAllString(b, "$1")
	if seconds.ReplaceAllString(a, "$1") != seconds.ReplaceAllString(b, "$1") {
		return false
	}
	timesA, timesB := seconds.FindAllStringSubmatch(a, -1), seconds.FindAllStringSubmatch(b, -1)
	for i := range timesA {
		x, _ := strconv.Atoi(timesA[i][2])
		y, _ := strconv.Atoi(timesB[i][2])
		if strings.Contains(timesA[i][1], "l") || x > wrapped && y > wrapped {
			continue // memcached knows the time of the last read only to the minute
		}
		if x-y < -1 || x-y > 1 {
			return false
		}
	}
	return true
}

func pick(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

func randomRequest(r *rand.Rand) string {
	key := pick(r, "a", "b", "c", "d")
	value := pick(r, "1", "22", "007", "18446744073709551615", "x", "", " 5", "9 ", "-1", "+3", "long value")
	exptime := pick(r, "0", "0", "0", "100", "1000", "-1")
	number := pick(r, "0", "1", "7", "100", "18446744073709551615", "x", "-1", "+4")
	data := fmt.Sprintf("%d\r\n%s\r\n", len(value), value)
	noreply := pick(r, "", "", "", " noreply")
	if noreply != "" {
		data = fmt.Sprintf("%d noreply\r\n%s\r\n", len(value), value)
	}
	switch r.IntN(12) {
	case 0:
		return pick(r, "get ", "gets ") + key + " nope " + pick(r, "a", "b") + "\r\n"
	case 1:
		return pick(r, "gat ", "gats ") + exptime + " " + key + " nope " + pick(r, "a", "b") + "\r\n"
	case 2, 3:
		return pick(r, "set ", "add ", "replace ", "append ", "prepend ") + key + " " + pick(r, "0", "5") + " " + exptime + " " + data
	case 4:
		cas := randomCAS(r)
		return "cas " + key + " 1 " + exptime + " " + strconv.Itoa(len(value)) + " " + cas + noreply + "\r\n" + value + "\r\n"
	case 5:
		return "delete " + key + pick(r, "", " 0", " 5", " 0 0") + noreply + "\r\n"
	case 6:
		return pick(r, "incr ", "decr ") + key + " " + number + noreply + "\r\n"
	case 7:
		return "touch " + key + " " + exptime + noreply + "\r\n"
	case 8:
		return "mg " + randomMeta(r, "", "b c f h k l Oopaque q s t u v E N R T C F I M J D P L x") + "\r\n"
	case 9:
		return "ms " + randomMeta(r, strconv.Itoa(len(value)), "b c k Oopaque q s t v C C E F I I MA MP ME MR MS N N T T") + "\r\n" + value + "\r\n"
	case 10:
		return "md " + randomMeta(r, "", "b k Oopaque q c C C E F I I T T x x") + "\r\n"
	default:
		return "ma " + randomMeta(r, "", "b c k Oopaque t v C N N J D D M M") + "\r\n"
	}
}

// randomMeta returns a key, something after it, and some of the flags.
func randomMeta(r *rand.Rand, behind, flags string) string {
	key := pick(r, "a", "b", "c", "d")
	var words []string
	seen := map[string]bool{}
	all := strings.Fields(flags)
	for range r.IntN(6) {
		flag := all[r.IntN(len(all))]
		if seen[flag] && (flag == "q" || r.IntN(20) > 0) {
			continue
		}
		seen[flag] = true
		if flag == "b" {
			key = pick(r, "YQ==", "Yg==", "Yw==", "Y")
		}
		words = append(words, flag+randomToken(r, flag))
	}
	return strings.Join(append([]string{key, behind}, words...), " ")
}

func randomToken(r *rand.Rand, flag string) string {
	if r.IntN(60) == 0 {
		return "?"
	}
	switch flag {
	case "C", "E":
		return randomCAS(r)
	case "F":
		return pick(r, "0", "9")
	case "N", "T", "R":
		return pick(r, "0", "0", "50", "100", "500", "-1")
	case "J", "D":
		return pick(r, "0", "1", "10", "18446744073709551615")
	case "M":
		return pick(r, "A", "P", "E", "R", "S", "I", "D", "A", "P")
	}
	return ""
}
