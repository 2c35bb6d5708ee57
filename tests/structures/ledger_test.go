package structures

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// entry is an event of a log. Its data and its flags follow from the rest.
type entry struct {
	when int64
	name string
	size int
}

func (e entry) flags() int { return e.size % 1000 }

// data begins with the event's name and has the size that it should have.
func (e entry) data() string {
	return e.name + " " + strings.Repeat(e.name[:1], e.size-len(e.name)-1)
}

// ledger is what was put into a log and acknowledged.
type ledger struct {
	t       *testing.T
	addr    string
	bytes   int // that one chunk is to have at least
	full    atomic.Bool
	fetches atomic.Int64

	mu           sync.Mutex
	acknowledged []entry
	sizes        map[int64]int // of the chunks
}

// enter enters an event that was acknowledged.
func (l *ledger) enter(e entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.acknowledged = append(l.acknowledged, e)
	chunk := e.when / logChunk.Milliseconds()
	if l.sizes[chunk] += e.size; l.sizes[chunk] >= l.bytes {
		l.full.Store(true)
	}
}

// entries returns what was acknowledged so far. It is not to be changed.
func (l *ledger) entries() []entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clip(l.acknowledged)
}

// fetch returns the events that a logfetch brings, and checks that they are in
// order and what they should be.
func (l *ledger) fetch(request string) (map[entry]bool, error) {
	l.fetches.Add(1)
	conn, err := net.DialTimeout("tcp", l.addr, harness.Patience)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(harness.Patience))
	io.WriteString(conn, request)
	in := bufio.NewReaderSize(conn, 64<<10)
	found := map[entry]bool{}
	var last entry
	for {
		line, err := readLine(in)
		if err != nil || line == "END" {
			return found, err
		}
		e, err := readEntry(in, line)
		switch {
		case err != nil:
			return nil, err
		case found[e]:
			return nil, fmt.Errorf("event %s came twice", e.name)
		case e.when < last.when:
			return nil, fmt.Errorf("event %s of %d came behind one of %d", e.name, e.when, last.when)
		}
		found[e], last = true, e
	}
}

func readEntry(in *bufio.Reader, line string) (e entry, err error) {
	var flags int
	if _, err := fmt.Sscanf(line, "VALUE audit %d %d %d", &flags, &e.size, &e.when); err != nil {
		return e, fmt.Errorf("%q: %w", line, err)
	}
	data := make([]byte, e.size+2)
	if _, err := io.ReadFull(in, data); err != nil {
		return e, err
	}
	e.name, _, _ = strings.Cut(string(data), " ")
	if string(data) != e.data()+"\r\n" || flags != e.flags() {
		return e, fmt.Errorf("event %s is not what was put", e.name)
	}
	return e, nil
}

// checkAll checks that the log has everything that it still keeps, and nothing
// else.
func (l *ledger) checkAll() {
	l.t.Helper()
	now := time.Now().UnixMilli()
	found, err := l.fetch(fmt.Sprintf("logfetch audit 1 %d\r\n", now+logChunk.Milliseconds()))
	if err != nil {
		l.t.Fatal(err)
	}
	for _, e := range l.entries() {
		if !found[e] && e.when >= now-logReach {
			l.t.Errorf("event %s of %d is missing at the end, %d", e.name, e.when, now)
		}
		delete(found, e)
	}
	for e := range found {
		l.t.Errorf("event %s of %d was never put", e.name, e.when)
	}
}

// logReach is how far back, in milliseconds, a log surely reaches while a test
// looks at it.
const logReach = int64(logChunks-1)*int64(logChunk/time.Millisecond) - 2000
