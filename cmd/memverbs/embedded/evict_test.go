package embedded

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// held returns the total weight of the items in the store.
func (s *Store) held() (weight uint64) {
	for key, it := range s.cache.All() {
		weight += uint64(weigh(key, it))
	}
	return weight
}

func TestMemoryIsBounded(t *testing.T) {
	const memory, size = 3 << 20, 1000
	s, _ := openStore(t, memory, 1<<20)
	c := connect(t, s.Dial)
	const fill = 3 * memory / size
	for i := range fill {
		c.expect(storage("set", fmt.Sprintf("key:%d", i), "0", size), "STORED\r\n")
		if i%500 == 0 && s.held() > memory {
			t.Fatalf("%d bytes after %d items", s.held(), i)
		}
	}
	if held := s.held(); held > memory || held < memory*9/10 {
		t.Errorf("%d of %d bytes are used", held, memory)
	}
	for i := fill - 20; i < fill; i++ {
		c.expect(fmt.Sprintf("mg key:%d s\r\n", i), fmt.Sprintf("HD s%d\r\n", size))
	}
	if s.counts.evictions.Load() == 0 {
		t.Error("no eviction was counted")
	}
}

func TestMemoryIsBoundedForManyClients(t *testing.T) {
	const memory, clients = 4 << 20, 8
	s, _ := openStore(t, memory, 1<<20)
	var wait sync.WaitGroup
	for n := range clients {
		c := connect(t, s.Dial)
		wait.Go(func() {
			for i := range 1000 {
				size := 1 + i%5*2000
				c.send(storage("set", fmt.Sprintf("key:%d:%d", n, i%300), "0", size))
				if line, err := c.in.ReadString('\n'); line != "STORED\r\n" {
					t.Errorf("%q, %v", line, err)
					return
				}
			}
		})
	}
	wait.Wait()
	await(t, "what is too much to be evicted", func() bool {
		connect(t, s.Dial).ask("get k\r\n")
		return s.held() <= memory
	})
}

// A growing item evicts others.
func TestGrowingItemEvicts(t *testing.T) {
	const memory = 1 << 20
	s, _ := openStore(t, memory, 1<<19)
	c := connect(t, s.Dial)
	for i := range 1000 {
		c.expect(storage("set", fmt.Sprintf("key:%d", i), "0", 1000), "STORED\r\n")
	}
	for range 400 {
		c.expect("ms log 1000 MA N0\r\n"+strings.Repeat("x", 1000)+"\r\n", "HD\r\n")
	}
	if held := s.held(); held > memory {
		t.Errorf("%d of %d bytes are used", held, memory)
	}
	c.expect("mg log s\r\n", "HD s400000\r\n")
}
