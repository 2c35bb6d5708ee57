package verbs

import (
	"fmt"
	"testing"
)

func TestHints(t *testing.T) {
	var h Hints
	key := []byte("k")
	if hint := h.Of(key); hint != (Hint{}) {
		t.Errorf("there is a hint %+v", hint)
	}
	h.Note("k", Hint{"a", 1, 7, false, 0})
	h.Note("k", Hint{"b", 2, 8, false, 0})
	if hint := h.Of(key); hint != (Hint{"b", 2, 8, false, 0}) {
		t.Errorf("the hint is %+v", hint)
	}
	h.Forget(key)
	if hint := h.Of(key); hint != (Hint{}) {
		t.Errorf("there is still a hint %+v", hint)
	}
}

// What is used is remembered, and what is not is forgotten some time.
func TestHintsAreBounded(t *testing.T) {
	var h Hints
	h.Note("used", Hint{Text: "a"})
	h.Note("unused", Hint{Text: "b"})
	for n := range 10 * mostHints {
		h.Note(fmt.Sprint(n), Hint{})
		if h.Of([]byte("used")).Text != "a" {
			t.Fatalf("forgotten after %d others", n)
		}
		if len(h.young)+len(h.old) > 2*mostHints {
			t.Fatalf("there are %d hints", len(h.young)+len(h.old))
		}
	}
	if h.Of([]byte("unused")).Text != "" {
		t.Error("what is not used is still there")
	}
}
