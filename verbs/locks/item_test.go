package locks

import (
	"bytes"
	"testing"

	"github.com/memverbs/memverbs/protocol"
)

// Whatever an item holds, only a token that could be typed is read from it, and what is
// stored for it is read as the same.
func FuzzHolder(f *testing.F) {
	for _, value := range []string{"x:a ", "x:a +b l>c ", "x:a b", "x:a", "x: ", "x:a\t", "x:\xff ", "x/2:a ", "x/100:a ", "x/0:a ", "x/2", "x/+2:a ", "@0123456789abcdef:1:3:x x:a ", ""} {
		f.Add([]byte(value))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		token, holders, ok := Holder(value)
		if !ok {
			return
		}
		if !protocol.PlainWord(token) {
			t.Fatalf("%q is held by %q", value, token)
		}
		stored := item{token: token, holders: holders}.append(nil)
		again, asMany, ok := Holder(stored)
		if !ok || !bytes.Equal(again, token) || asMany != holders || len(stored) > len(value) {
			t.Fatalf("%q is held by %q, one of %d, but %q by %q, one of %d", value, token, holders, stored, again, asMany)
		}
	})
}
