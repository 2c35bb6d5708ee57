package tasks

import "testing"

// Taking many tasks at once from a large queue must not keep others waiting.
func BenchmarkTakeTokens(b *testing.B) {
	const want, calls = 700, 2
	q := numbered(b, upTo(100_000))
	for name, contended := range map[string]bool{"in order": false, "every second at random": true} {
		b.Run(name, func(b *testing.B) {
			var tokens []byte
			for b.Loop() {
				o := offerIn(q, contended)
				for range calls {
					all := claims{wanted: wanted{count: want, most: mostAttempts}}
					tokens = all.append(tokens[:0], o)
				}
			}
		})
	}
}
