package golden

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// dump returns a transcript that stores all items of a memcached in another one.
func dump(t *testing.T, addr string) []byte {
	t.Helper()
	c := harness.Dial(t, addr)
	c.Send("lru_crawler metadump all\r\n")
	var keys []string
	for line := range strings.Lines(c.Until("END")) {
		if key, _, found := strings.Cut(strings.TrimPrefix(line, "key="), " "); found {
			key, err := url.PathUnescape(key)
			if err != nil {
				t.Fatal(err)
			}
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	var text bytes.Buffer
	for _, key := range keys {
		c.Send("mg " + key + " f t v\r\n")
		var size, flags, life int
		if _, err := fmt.Sscanf(c.Line(), "VA %d f%d t%d", &size, &flags, &life); err != nil {
			t.Fatal(err)
		}
		data := strings.TrimSuffix(c.Exactly(size+2), "\r\n")
		fmt.Fprintf(&text, "> set %s %d %d %d\n> %s\n< STORED\n", escape(key), flags, max(life, 0), size, escape(data))
	}
	return text.Bytes()
}

// escape writes bytes as a transcript does.
func escape(data string) string {
	var text strings.Builder
	for i, b := range []byte(data) {
		switch {
		case b == '\\' || b == '{':
			text.WriteString(`\` + string(rune(b)))
		case b < ' ' || b > '~' || b == ' ' && i == len(data)-1:
			text.WriteString(`\x` + strconv.FormatUint(0x100|uint64(b), 16)[1:])
		default:
			text.WriteByte(b)
		}
	}
	return text.String()
}
