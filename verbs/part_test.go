package verbs

import (
	"bytes"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
)

// The key of a part has room for its name whatever the key of the structure, and is
// recognized.
func TestKeysOfParts(t *testing.T) {
	for _, length := range []int{1, 31, 32, 33, 229, 230, 250} {
		structure := []byte(strings.Repeat("k", length))
		for _, size := range []int{1, 18, 216, 217} {
			name := bytes.Repeat([]byte("n"), size)
			key := AppendLongPartKey(nil, structure, name[:1], name[1:])
			if !protocol.PlainWord(key) || !bytes.HasSuffix(key, name) {
				t.Errorf("%d and %d bytes: %q", length, size, key)
			}
			if !IsPart(key, structure) {
				t.Errorf("%q is not known as a part of %q", key, structure)
			}
			if IsPart(key, []byte("k:"+strings.Repeat("k", length))) || IsPart(key, []byte("l"+strings.Repeat("k", length-1))) {
				t.Errorf("%q is taken for a part of another structure", key)
			}
		}
	}
	long := []byte(strings.Repeat("k", 240))
	if key := append(long[:40:40], ":name"...); IsPart(key, long) {
		t.Errorf("%q could have had all of the structure's key", key)
	}
}
