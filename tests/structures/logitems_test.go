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
// that each item lives for as long as was promised, and not much longer.
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
		chunk, err2 := chunkOf(value)
		if err != nil || err2 != nil {
			t.Fatalf("item %s: %q, %v, %v", key, line, err, err2)
		}
		number, ok := strings.CutPrefix(key, fmt.Sprintf("audit:%d+", chunk))
		if !ok {
			t.Errorf("item %s holds events of chunk %d", key, chunk)
		}
		if number != "1" {
			further[chunk]++
		}
		line, _, err = s.ask("mg " + key + " t\r\n")
		left, err2 := strconv.ParseInt(strings.TrimPrefix(line, "HD t"), 10, 64)
		if err != nil || err2 != nil {
			t.Fatalf("item %s: %q, %v, %v", key, line, err, err2)
		}
		t.Logf("item %s: %d bytes, expires in %d s", key, size, left)
		promised := (chunk + logChunks) * logChunk.Milliseconds()
		if ends := time.Now().UnixMilli() + left*1000; ends < promised || left > int64(longestLife.Seconds()) {
			t.Errorf("item %s expires in %d s, %d ms after what was promised", key, left, ends-promised)
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

// longestLife is for how long an item of a log lives at most.
const longestLife = (logChunks+1)*logChunk + 3*time.Second

// chunkOf returns the chunk of the events in an item. It returns an error if they are of several.
func chunkOf(value string) (chunk int64, err error) {
	for rest := value; len(rest) > 0; {
		line, data, _ := strings.Cut(rest, "\r\n")
		var when, flags int64
		var size int
		if _, err := fmt.Sscanf(line, "%d %d %d", &when, &flags, &size); err != nil || len(data) < size+2 {
			return 0, fmt.Errorf("%q is no event: %v", line, err)
		}
		of := when / logChunk.Milliseconds()
		if chunk != 0 && of != chunk {
			return 0, fmt.Errorf("events of chunks %d and %d", chunk, of)
		}
		chunk, rest = of, data[size+2:]
	}
	return chunk, nil
}
