package structures

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// perPush is how many elements one push carries.
const perPush = 20

// appendElements appends n elements, with a space before each. The first is memberNumber first.
func appendElements(dst []byte, first, n int) []byte {
	for i := range n {
		dst = memberNumber(append(dst, ' '), first+i)
	}
	return dst
}

// valueOf returns the answer with elements, which begin with a space.
func valueOf(key string, elements []byte) string {
	return fmt.Sprintf("VALUE %s 0 %d\r\n%s\r\nEND\r\n", key, len(elements)-1, elements[1:])
}

func TestAListOfAMillionElements(t *testing.T) {
	proxies, stores := startPool(t, 1)
	m := proxies[0]
	began := time.Now()
	if err := pump(m.Addr, 0, million/perPush, "STORED", func(dst []byte, n int) []byte {
		return append(appendElements(append(dst, "rpush large"...), n*perPush, perPush), "\r\n"...)
	}); err != nil {
		t.Fatal(err)
	}
	pushed := time.Since(began)
	c := harness.Dial(t, m.Addr)
	c.Ask("llen large\r\n", fmt.Sprintf("%d\r\n", million))
	for _, place := range []int{0, 1, million / 3, million / 2, million - 10} {
		c.Ask(fmt.Sprintf("lrange large %d %d\r\n", place, place+9), valueOf("large", appendElements(nil, place, 10)))
	}
	c.Ask("lrange large -10 -1\r\n", valueOf("large", appendElements(nil, million-10, 10)))
	c.Ask("lpop large 3\r\n", valueOf("large", appendElements(nil, 0, 3)))
	last := strings.Fields(string(appendElements(nil, million-2, 2)))
	c.Ask("rpop large 2\r\n", valueOf("large", fmt.Appendf(nil, " %s %s", last[1], last[0])))
	c.Ask("ltrim large 7 -99\r\n", "STORED\r\n")
	c.Ask("lrange large\r\n", valueOf("large", appendElements(nil, 10, million-10-2-98)))
	t.Logf("pushed in %v; peak of the memory %d MB", pushed, m.PeakMemory(t)>>20)
	checkItems(t, stores, million*len("l>m00000000000 "))
	if peak := m.PeakMemory(t); peak > memory {
		t.Errorf("memverbs took %d MB", peak>>20)
	}
}

// A queue takes no more room than its elements, however many pass through it.
func TestAQueueStaysSmall(t *testing.T) {
	const (
		held  = 100
		limit = 128 << 10 // the default of --structure-item-size
	)
	elements := atLength(60_000, 10_000_000)
	proxies, stores := startPool(t, 1)
	m := proxies[0]
	for _, store := range stores {
		t.Run(store.Version, func(t *testing.T) {
			key := keyOn(t, m, store)
			began := time.Now()
			g := watchHead(t, store, key, func() {
				if err := pumpBoth(m.Addr, 0, elements/perPush, func(requests, answers []byte, n int) ([]byte, []byte) {
					requests = append(append(requests, "rpush "...), key...)
					requests = append(appendElements(requests, n*perPush, perPush), "\r\n"...)
					answers = append(answers, "STORED\r\n"...)
					if n >= held/perPush {
						requests = fmt.Appendf(requests, "lpop %s %d\r\n", key, perPush)
						answers = append(answers, valueOf(key, appendElements(nil, (n-held/perPush)*perPush, perPush))...)
					}
					return requests, answers
				}); err != nil {
					t.Error(err)
				}
			})
			all := 0
			for item, size := range items(t, store) {
				if strings.HasPrefix(item, key) {
					all += size
				}
			}
			t.Logf("%d elements in %v: the head had %d bytes at most, and all items have %d", elements, time.Since(began), g.most, all)
			if g.most > 2*limit || all > 4*limit {
				t.Errorf("the head took %d bytes, and all items take %d", g.most, all)
			}
			harness.Dial(t, m.Addr).Ask(fmt.Sprintf("llen %s\r\n", key), fmt.Sprintf("%d\r\n", held))
		})
	}
}
