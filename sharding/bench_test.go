package sharding

import "testing"

// The keys are of the length that keys have.
func BenchmarkLocate(b *testing.B) {
	keys := make([][]byte, 1024)
	for i := range keys {
		keys[i] = append([]byte("user:profile:"), testKey(i)...)
	}
	for _, name := range Names() {
		b.Run(name, func(b *testing.B) {
			layout := mustLayout(b, name, equals(100))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				layout.Locate(keys[i%len(keys)])
			}
		})
	}
}
