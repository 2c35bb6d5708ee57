package operation

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// movesIn is settle of pools whose keys move: so long that a machine that stalls for some seconds keeps no proxy from learning of
// a change in time, nor from asking the servers how far others are.
const movesIn = "6s"

// fourStores starts four memcacheds with flags.
func fourStores(t testing.TB, flags ...string) (stores []*harness.Memcached) {
	for range 4 {
		stores = append(stores, harness.StartMemcached(t, harness.Newest, flags...))
	}
	return stores
}

// startMoving is startSettling with move: copy, and with more lines of the settings after that.
func startMoving(t *testing.T, stores []*harness.Memcached, n int, settle string, more ...string) *settling {
	t.Helper()
	s := &settling{stores: stores, file: filepath.Join(t.TempDir(), "memverbs.yml"), addr: harness.FreeAddr(t), settle: strings.Join(append([]string{settle, "move: copy"}, more...), "\n    ")}
	s.write(t, n)
	s.Memverbs = harness.StartMemverbsWith(t, s.file, s.addr)
	return s
}

// awaitMoved waits until keys have moved so many times.
func (s *settling) awaitMoved(t *testing.T, times int) {
	t.Helper()
	awaitMove(t, func() bool { return s.moved() >= times })
}

// moved returns how many moves have ended.
func (s *settling) moved() int { return strings.Count(s.Log(), "plain keys have moved") }

// awaitMove waits for the end of a move, which takes three times movesIn.
func awaitMove(t *testing.T, ended func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !ended(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("waited for keys to have moved, in vain")
		}
	}
}

// movesNow reports whether a reply refuses a request because its key moves, as it may be on a machine that stalls.
func movesNow(line string) bool {
	return strings.HasPrefix(line, "SERVER_ERROR") && strings.Contains(line, "move")
}

// A change that waits for the end of a move is told in the log once, however often the file is read again meanwhile.
func TestWaitingChangeIsToldOnce(t *testing.T) {
	t.Parallel()
	s := startMoving(t, fourStores(t), 2, "1h")
	told := func(want int) {
		t.Helper()
		for range 3 {
			s.change(t, s.servers)
		}
		if n := strings.Count(s.Log(), "pool changed"); n != want {
			t.Errorf("%d changes are told:\n%s", n, s.Log())
		}
	}
	told(0)
	s.change(t, 3)
	told(1)
	s.change(t, 4) // waits
	told(2)
	s.change(t, 3) // is what there is
	told(3)
}

// While a pool gets a fourth server, and loses it again, the keys that move are found all the time, with what they had: data, flags, and
// time to live. Nothing remains where it was, and nothing that was deleted or replaced comes back.
func TestKeysMoveWithTheirItems(t *testing.T) {
	t.Parallel()
	stores := fourStores(t)
	s, other := startMoving(t, stores, 3, movesIn), startMoving(t, stores, 3, movesIn)
	const keys = 2000
	var versions [keys]atomic.Int64 // of the values, as acknowledged; negative if the key is deleted
	setter := harness.Dial(t, s.Addr)
	for i := range keys {
		setter.Ask(fmt.Sprintf("set key%d %d %d 8\r\n%08d\r\n", i, i, 3600+i, 1), "STORED\r\n")
		versions[i].Store(1)
	}
	var stop atomic.Bool
	var running sync.WaitGroup
	var asked, missed atomic.Int64
	for n, p := range []*settling{s, other} {
		running.Go(func() { // each key is changed by one client only, so the last version is known
			c := harness.Dial(t, p.Addr)
			defer c.Close()
			for version := int64(2); !stop.Load(); version++ {
				time.Sleep(time.Millisecond) // as others need the machine, too
				i := rand.N(keys/20)*20 + n
				if rand.N(4) == 0 {
					c.Send(fmt.Sprintf("delete key%d\r\n", i))
					if line := c.Line(); line == "DELETED" || line == "NOT_FOUND" {
						versions[i].Store(-version)
					} else if !movesNow(line) {
						t.Errorf("delete: %s", line)
					}
					continue
				}
				c.Send(fmt.Sprintf("set key%d %d %d 8\r\n%08d\r\n", i, i, 3600+i, version))
				if line := c.Line(); line == "STORED" {
					versions[i].Store(version)
				} else if !movesNow(line) {
					t.Errorf("set: %s", line)
				}
			}
		})
		running.Go(func() {
			c := harness.Dial(t, p.Addr)
			defer c.Close()
			for !stop.Load() {
				time.Sleep(time.Millisecond)
				i := rand.N(keys)
				before := versions[i].Load()
				c.Send(fmt.Sprintf("get key%d\r\n", i))
				line := c.Line()
				if line == "END" {
					if asked.Add(1); before > 0 && before == versions[i].Load() {
						missed.Add(1)
					}
					continue
				}
				var flags, size int
				var value int64
				if _, err := fmt.Sscanf(line, fmt.Sprintf("VALUE key%d %%d %%d", i), &flags, &size); err != nil || flags != i || size != 8 {
					t.Errorf("get key%d: %s", i, line)
					return
				}
				fmt.Sscanf(c.Line(), "%d", &value)
				c.Line()
				asked.Add(1)
				if value < max(before, -before) || before < 0 && value < -before {
					t.Errorf("key%d has version %d after %d", i, value, before)
				}
			}
		})
	}
	check := func(n int) {
		t.Helper()
		layout := harness.LayoutOf(t, s.list(n))
		for at, store := range stores {
			c := harness.Dial(t, store.Addr)
			for i := range keys {
				key := fmt.Sprintf("key%d", i)
				c.Send("mg " + key + " t f\r\n")
				line := c.Line()
				if is := layout.Locate([]byte(key)) == at; !is && line != "EN" {
					t.Errorf("with %d servers, %s is at server %d", n, key, at)
				} else if is && i%20 > 1 {
					var ttl, flags int
					if _, err := fmt.Sscanf(line, "HD t%d f%d", &ttl, &flags); err != nil || flags != i || ttl < 3600+i-120 || ttl > 3600+i {
						t.Errorf("%s: %s", key, line)
					}
				}
			}
			c.Close()
		}
	}
	for round, n := range []int{4, 3} {
		s.change(t, n)
		time.Sleep(500 * time.Millisecond) // as the other learns later
		other.change(t, n)
		s.awaitMoved(t, round+1)
		other.awaitMoved(t, round+1)
		t.Logf("%d servers: of %d gets, %d missed what was there", n, asked.Load(), missed.Load())
		if round == 1 {
			stop.Store(true)
			running.Wait()
		}
		if all, m := asked.Swap(0), missed.Swap(0); m*100 > all {
			t.Errorf("of %d gets, %d missed what was there", all, m)
		}
	}
	check(3)
}

// While a key moves, each command on it is answered as by one memcached, whichever of two proxies, of which one has learned later, gets it: only
// the CAS is another one.
func TestCommandsOnKeysThatMove(t *testing.T) {
	t.Parallel()
	stores := fourStores(t)
	alone := harness.StartMemcached(t, harness.Newest)
	s, other := startMoving(t, stores, 3, movesIn), startMoving(t, stores, 3, movesIn)
	var keys []string
	for i := range 8 {
		keys = append(keys, s.key(t, 3, i%3, 4, 3, fmt.Sprintf("k%d.", i)))
	}
	proxies := []*harness.Client{harness.Dial(t, s.Addr), harness.Dial(t, other.Addr)}
	plain := harness.Dial(t, alone.Addr)
	past := map[string][]string{}
	compare := func() {
		key := keys[rand.N(len(keys))]
		command := commandsThatMove[rand.N(len(commandsThatMove))](key)
		proxy := rand.N(2)
		want, got := replyTo(plain, command), replyTo(proxies[proxy], command)
		if movesNow(got) { // what has become of it is not known
			harness.Await(t, "a delete to succeed", func() bool { return !movesNow(replyTo(proxies[proxy], "delete "+key)) })
			replyTo(plain, "delete "+key)
			return
		}
		past[key] = append(past[key], fmt.Sprintf("%v of proxy %d: %q: %q", time.Now().Format("05.000"), proxy, command, got))
		if strings.HasPrefix(want, "DELETED") && got == "NOT_FOUND\r\n" || strings.HasPrefix(want, "HD") && strings.HasPrefix(got, "NF") && strings.HasPrefix(command, "md ") {
			return // it has deleted an item that was just on its way, and knows only that it is gone
		}
		if got != want {
			t.Fatalf("%q, asked of proxy %d: %q, and memcached itself: %q, after\n%s", command, proxy, got, want, strings.Join(past[key][max(0, len(past[key])-6):], "\n"))
		}
	}
	for range 1000 {
		compare()
	}
	for round, n := range []int{4, 3} {
		s.change(t, n)
		for began := time.Now(); time.Since(began) < 500*time.Millisecond; { // the other learns later
			compare()
		}
		other.change(t, n)
		commands := 0
		for s.moved() <= round || other.moved() <= round {
			time.Sleep(time.Millisecond)
			compare()
			commands++
		}
		t.Logf("%d commands", commands)
	}
}

// commandsThatMove are commands on a key, with all replies of one line, or of a value.
var commandsThatMove = []func(key string) string{
	func(key string) string { return "get " + key },
	func(key string) string { return "gets " + key },
	func(key string) string { return fmt.Sprintf("set %s %d 0 2\r\n%02d", key, rand.N(9), 10+rand.N(89)) },
	func(key string) string { return fmt.Sprintf("set %s 5 300 3\r\nabc", key) },
	func(key string) string { return fmt.Sprintf("add %s 3 0 2\r\n%02d", key, 10+rand.N(89)) },
	func(key string) string { return fmt.Sprintf("replace %s 4 0 2\r\n%02d", key, 10+rand.N(89)) },
	func(key string) string { return "append " + key + " 0 0 1\r\n7" },
	func(key string) string { return "prepend " + key + " 0 0 1\r\n1" },
	func(key string) string { return "incr " + key + " 3" },
	func(key string) string { return "decr " + key + " 0" },
	func(key string) string { return "touch " + key + " 500" },
	func(key string) string { return "gat 600 " + key },
	func(key string) string { return "delete " + key },
	func(key string) string { return "cas " + key + " 0 0 1 1\r\nx" },
	func(key string) string { return "mg " + key },
	func(key string) string { return "mg " + key + " v f k s Oabc" },
	func(key string) string { return "mg " + key + " T700 v f" },
	func(key string) string { return "mg " + key + " T700 k" },
	func(key string) string { return "ms " + key + " 2 k F6 Oq\r\n11" },
	func(key string) string { return "ms " + key + " 2 ME F7 T0\r\n12" },
	func(key string) string { return "ms " + key + " 1 MA k\r\n1" },
	func(key string) string { return "ms " + key + " 1 MR O1\r\n8" },
	func(key string) string { return "ms " + key + " 1 C1\r\n8" },
	func(key string) string { return "md " + key + " k O2" },
	func(key string) string { return "ma " + key + " v" },
	func(key string) string { return "ma " + key + " N0 J13 v" },
	func(key string) string { return "ma " + key + " MD D0 v k" },
}

// replyTo returns the reply to a command, without a CAS.
func replyTo(c *harness.Client, command string) (reply string) {
	c.Send(command + "\r\n")
	for {
		line := c.Line()
		reply += line + "\r\n"
		switch word, rest, _ := strings.Cut(line, " "); {
		case word == "VALUE":
			if words := strings.Fields(line); len(words) == 5 {
				reply = strings.TrimSuffix(reply, words[4]+"\r\n") + "\r\n"
			}
			reply += c.Line() + "\r\n"
			continue
		case word == "VA" && !strings.HasPrefix(rest, "0 "):
			reply += c.Line() + "\r\n"
		}
		return reply
	}
}
