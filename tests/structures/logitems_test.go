package structures

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// checkLogItems checks that the chunk of most events takes several items, and
// that each item expires shortly after its place in the ring comes round.
func checkLogItems(t *testing.T, store *harness.Memcached) {
	t.Helper()
	s := session{addr: store.Addr}
	defer s.close()
	if !s.connect() {
		t.Fatal("memcached does not take connections")
	}
	further := map[int64]int{}
	for key, size := range items(t, store) {
		line, value, err := s.ask("get " + key + "\r\n")
		chunk, err2 := newestChunk(value)
		if err != nil || err2 != nil {
			t.Fatalf("item %s: %q, %v, %v", key, line, err, err2)
		}
		if strings.Contains(key, "+") {
			further[chunk]++
		} else if key != fmt.Sprintf("audit:%d", chunk%logChunks) {
			t.Errorf("item %s holds an event of chunk %d", key, chunk)
		}
		line, _, err = s.ask("mg " + key + " t\r\n")
		left, err2 := strconv.ParseInt(strings.TrimPrefix(line, "HD t"), 10, 64)
		if err != nil || err2 != nil {
			t.Fatalf("item %s: %q, %v, %v", key, line, err, err2)
		}
		t.Logf("item %s: %d bytes, expires in %d s", key, size, left)
		// An item outlives its round by one to two seconds. Memcached counts in seconds, and its clock ticks
		// once in each.
		due := (chunk + logChunks) * logChunk.Milliseconds()
		if late := time.Now().UnixMilli() + left*1000 - due; late < -1000 || late > 4000 {
			t.Errorf("item %s expires %d ms after its place is used again", key, late)
		}
	}
	most := 0
	for _, n := range further {
		most = max(most, n)
	}
	if most < 3 {
		t.Errorf("no chunk takes more than %d further items", most)
	}
}

// newestChunk returns the chunk of the newest event in an item. In the place of
// a chunk to come there may still be events of the last round.
func newestChunk(value string) (newest int64, err error) {
	for len(value) > 0 {
		line, rest, _ := strings.Cut(value, "\r\n")
		var when, flags int64
		var size int
		if _, err := fmt.Sscanf(line, "%d %d %d", &when, &flags, &size); err != nil || len(rest) < size+2 {
			return 0, fmt.Errorf("%q is no event: %v", line, err)
		}
		newest = max(newest, when/logChunk.Milliseconds())
		value = rest[size+2:]
	}
	return newest, nil
}
