package locks

import (
	"bytes"
	"testing"

	"github.com/memverbs/memverbs/protocol"
)

// Whatever an item holds, only a token that could be typed is read from it, and what is
// stored for it is read as the same.
func FuzzHolder(f *testing.F) {
	for _, value := range []string{"x:a ", "x:a +b l>c ", "x:a b", "x:a", "x: ", "x:a\t", "x:\xff ", "@0123456789abcdef:1:3:x x:a ", ""} {
		f.Add([]byte(value))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		token, ok := Holder(value)
		if !ok {
			return
		}
		if !protocol.PlainWord(token) {
			t.Fatalf("%q is held by %q", value, token)
		}
		item := appendItem(nil, token)
		again, ok := Holder(item)
		if !ok || !bytes.Equal(again, token) || len(item) > len(value) {
			t.Fatalf("%q is held by %q, but %q by %q", value, token, item, again)
		}
	})
}
