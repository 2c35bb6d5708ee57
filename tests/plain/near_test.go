package plain

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// nearLasts is how long the proxy may keep a value in these tests.
const nearLasts = 50 * time.Millisecond

// versions are the versions of an item: when each was acknowledged.
type versions struct {
	latest atomic.Int64
	at     [1000]atomic.Int64 // in nanoseconds since 1970
}

// stored notes that a version was acknowledged.
func (v *versions) stored(n int64) {
	v.at[n].Store(time.Now().UnixNano())
	v.latest.Store(n)
}

// readVersions has several clients ask for the latest version until done is closed, by one request after another, whose
// answers have it in the line with that number, the last. It calls check with each version and with what latest was before
// and when.
func readVersions(t *testing.T, addr string, requests []versionRequest, v *versions, done chan struct{}, check func(n, before int64, asked time.Time)) (seen func() int64, wait func()) {
	t.Helper()
	const clients = 6
	var each [clients]atomic.Int64
	var all sync.WaitGroup
	for i := range clients {
		c := harness.Dial(t, addr)
		all.Go(func() {
			for next := i; ; next++ {
				select {
				case <-done:
					return
				default:
				}
				before, asked := v.latest.Load(), time.Now()
				n, err := requests[next%len(requests)].of(c)
				if err != nil {
					t.Error(err)
					return
				}
				check(n, before, asked)
				each[i].Store(n)
			}
		})
	}
	return func() (least int64) {
		least = each[0].Load()
		for i := range each {
			least = min(least, each[i].Load())
		}
		return least
	}, all.Wait
}

// versionRequest is a request whose answer has a version.
type versionRequest struct {
	line   string
	before int  // lines of the answer before that which has the version, as its last word
	ends   bool // END follows
}

// getVersion asks for a version that is in an item.
var getVersion = []versionRequest{{"get hot:k", 1, true}}

// of sends the request, and returns the version in the answer.
func (r *versionRequest) of(c *harness.Client) (n int64, err error) {
	c.Send(r.line + "\r\n")
	var lines []string
	for range r.before + 1 {
		lines = append(lines, c.Line())
	}
	words := strings.Fields(lines[r.before])
	if r.ends {
		lines = append(lines, c.Line())
	}
	if len(words) == 0 || r.ends && lines[r.before+1] != "END" {
		return 0, fmt.Errorf("%q is answered with %q", r.line, lines)
	}
	if n, err = strconv.ParseInt(words[len(words)-1], 10, 64); err != nil {
		return 0, fmt.Errorf("%q is answered with %q", r.line, lines)
	}
	return n, nil
}

// A value that another process has changed is never shown for longer than the setting says, and the server is asked once in
// that time, however many clients ask.
func TestNearValuesAreNeverOlder(t *testing.T) {
	t.Parallel()
	m := harness.StartMemcached(t, "1.6.38")
	p := harness.StartMemverbs(t, "--upstream", m.Addr, "--near", "hot:="+nearLasts.String())
	direct := harness.Dial(t, m.Addr)
	v, done := &versions{}, make(chan struct{})
	set := func(n int64) {
		text := fmt.Sprint(n)
		direct.Ask(fmt.Sprintf("set hot:k 0 0 %d\r\n%s\r\n", len(text), text), "STORED\r\n")
		v.stored(n)
	}
	set(0)
	begun, before := time.Now(), gets(t, m)
	seen, wait := readVersions(t, p.Addr, getVersion, v, done, func(n, _ int64, asked time.Time) {
		if next := v.at[n+1].Load(); next > 0 && asked.UnixNano()-next > int64(nearLasts) {
			t.Errorf("version %d was shown to a client that asked %v after the next one was stored", n, time.Duration(asked.UnixNano()-next))
		}
	})
	for n := int64(1); n <= 20; n++ {
		set(n)
		harness.Await(t, "all clients to see a version", func() bool { return seen() >= n || t.Failed() })
	}
	close(done)
	wait()
	asked := gets(t, m) - before
	if most := int(time.Since(begun)/nearLasts) + 1; asked > most || asked < 20 {
		t.Errorf("the server was asked %d times, expected 20 to %d", asked, most)
	}
	if hits := p.OwnStats()["near_hits"]; hits == "0" {
		t.Error("the proxy has answered nothing by itself")
	}
}

// gets returns how many gets a server has had that have found a value. The proxy itself asks for something that is not there.
func gets(t *testing.T, m *harness.Memcached) int {
	t.Helper()
	return harness.Difference(m.Stats()["get_hits"], "0")
}

// What a client of the proxy has changed, every client sees at once.
func TestOwnChangesOfNearValues(t *testing.T) {
	t.Parallel()
	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) {
		v, done := &versions{}, make(chan struct{})
		var writers []*harness.Client
		for range 4 {
			writers = append(writers, harness.Dial(t, s.Addr))
		}
		set := func(n int64) {
			text, w := fmt.Sprint(n), writers[n%4]
			line := fmt.Sprintf("0 0 %d", len(text))
			switch n % 3 {
			case 0:
				w.Ask("set hot:k "+line+"\r\n"+text+"\r\n", "STORED\r\n")
			case 1:
				w.Ask("set hot:k "+line+" noreply\r\n"+text+"\r\nmn\r\n", "MN\r\n")
				w.Ask("get hot:k\r\n", fmt.Sprintf("VALUE hot:k %s\r\n%s\r\nEND\r\n", line[:1]+line[3:], text))
			default:
				w.Ask(fmt.Sprintf("ms hot:k %d\r\n%s\r\n", len(text), text), "HD\r\n")
			}
			v.stored(n)
		}
		set(0)
		seen, wait := readVersions(t, s.Addr, getVersion, v, done, func(n, before int64, _ time.Time) {
			if n < before {
				t.Errorf("version %d was shown to a client that asked after version %d was stored", n, before)
			}
		})
		for n := int64(1); n <= 300 && !t.Failed(); n++ {
			set(n)
			if n%50 == 0 {
				harness.Await(t, "all clients to see a version", func() bool { return seen() >= n || t.Failed() })
			}
		}
		close(done)
		wait()
	}, "--near", "hot:=1h")
}
