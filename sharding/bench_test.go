package sharding

import (
	"fmt"
	"testing"
)

// The keys have a typical length.
func BenchmarkLocate(b *testing.B) {
	keys := benchKeys("user:profile:")
	for _, name := range Names() {
		b.Run(name, func(b *testing.B) {
			benchLocate(b, mustLayout(b, name, equals(100)), keys)
		})
	}
}

// The same keys are hashed with 0, 1 and 8 prefixes, so the difference is the cost of
// the prefixes. The matching one is compared last.
func BenchmarkUnhashedPrefix(b *testing.B) {
	prefixes := []string{"app:", "app1:", "app2:", "app3:", "app4:", "app5:", "app6:", "app7:"}
	for _, n := range []int{0, 1, 8} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			layout, err := NewUnhashedPrefix(mustLayout(b, "gomemcache", equals(100)), prefixes[:n]...)
			if err != nil {
				b.Fatal(err)
			}
			prefix := ""
			if n > 0 {
				prefix = prefixes[0]
			}
			benchLocate(b, layout, benchKeys(prefix+"user:profile:"))
		})
	}
}

func benchKeys(prefix string) [][]byte {
	keys := make([][]byte, 1024)
	for i := range keys {
		keys[i] = append([]byte(prefix), testKey(i)...)
	}
	return keys
}

func benchLocate(b *testing.B, layout Layout, keys [][]byte) {
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		layout.Locate(keys[i%len(keys)])
	}
}
