package verify

import (
	"net/url"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
)

func TestItems(t *testing.T) {
	for _, test := range []struct {
		line string
		key  string // empty if the line is refused
		used int64
	}{
		{"key=user:7 exp=-1 la=1795427700 cas=1 fetch=no cls=1 size=65", "user:7", 1795427700},
		{"key=user:7 exp=1795427800 la=1795427700 cas=2 fetch=yes cls=1 size=65 flags=0", "user:7", 1795427700},
		{"key=user:7 exp=-1 la=1795427700 cas=1 fetch=no cls=1 size=65 flags=0 ", "user:7", 1795427700},
		{"key=a%25b%2Bc+%3D%C3%A9%FF~ exp=-1", "a%b+c+=é\xff~", 0},
		{"key=bin%20key%0A%00 exp=0 la=-5", "bin key\n\x00", 0},
		{"key=k", "k", 0},
		{"key=k exp la= size", "k", 0},
		{"key=k exp=99999999999999999999999 la=x", "k", 0},
		{"key=" + strings.Repeat("%41", 250) + " exp=-1", strings.Repeat("A", 250), 0},

		{"", "", 0},
		{"key=", "", 0},
		{"key= exp=-1", "", 0},
		{"key=% exp=-1", "", 0},
		{"key=%4 exp=-1", "", 0},
		{"key=%zz exp=-1", "", 0},
		{"key=" + strings.Repeat("k", 251) + " exp=-1", "", 0},
		{" key=k exp=-1", "", 0},
		{"KEY=k exp=-1", "", 0},
		{"END", "", 0},
	} {
		it, ok := parseItem([]byte(test.line))
		if string(it.key) != test.key || ok != (test.key != "") || it.used != test.used {
			t.Errorf("%q: %q, %d (%t); expected %q, %d", test.line, it.key, it.used, ok, test.key, test.used)
		}
	}
}

// Whatever a server sends, a key that is taken is one that memcached could have, and is read
// back from its own encoding.
func FuzzItem(f *testing.F) {
	f.Add([]byte("key=user%3A7 exp=-1 la=1795427700 cas=1 fetch=no cls=1 size=65 flags=0 "))
	f.Add([]byte("key=%00%ff exp=17954277001795427700 la=-1 =x x= key=other"))
	f.Add([]byte("key=%"))
	f.Fuzz(func(t *testing.T, line []byte) {
		it, ok := parseItem(line)
		if !ok {
			return
		}
		if len(it.key) == 0 || len(it.key) > protocol.MaxKey || it.used < 0 {
			t.Fatalf("%q: %q, %d", line, it.key, it.used)
		}
		again, ok := parseItem([]byte("key=" + url.PathEscape(string(it.key)) + " exp=-1"))
		if !ok || string(again.key) != string(it.key) {
			t.Fatalf("%q: %q is read back as %q", line, it.key, again.key)
		}
	})
}
