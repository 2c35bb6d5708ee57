package execution

import (
	"fmt"
	"testing"
)

// However many items are long, few are remembered, always including the last.
func TestOutgrownIsBounded(t *testing.T) {
	var o outgrown
	for i := range 10 * maxOutgrown {
		key := fmt.Appendf(nil, "l:%d+0", i)
		if o.has(key) {
			t.Fatalf("%s is there before it was noted", key)
		}
		if o.note(key); !o.has(key) || len(o) > maxOutgrown {
			t.Fatalf("%d items are remembered, and %s is: %v", len(o), key, o.has(key))
		}
	}
}
