package execution

import (
	"fmt"
	"testing"
)

// However many items are long, few are remembered, always including the last.
func TestHintsAreBounded(t *testing.T) {
	var o hints
	for i := range 10 * maxHints {
		key := fmt.Appendf(nil, "l:%d+0", i)
		if o.has(key) {
			t.Fatalf("%s is there before it was noted", key)
		}
		if o.note(key); !o.has(key) || len(o) > maxHints {
			t.Fatalf("%d items are remembered, and %s is: %v", len(o), key, o.has(key))
		}
	}
}
