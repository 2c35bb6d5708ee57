package verify

import (
	"net/url"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
)

func TestItems(t *testing.T) {
	for _, test := range []struct {
		line    string
		key     string // empty if the line is refused
		expires bool
		used    int64
	}{
		{"key=user:7 exp=-1 la=1795427700 cas=1 fetch=no cls=1 size=65", "user:7", false, 1795427700},
		{"key=user:7 exp=1795427800 la=1795427700 cas=2 fetch=yes cls=1 size=65 flags=0", "user:7", true, 1795427700},
		{"key=user:7 exp=-1 la=1795427700 cas=1 fetch=no cls=1 size=65 flags=0 ", "user:7", false, 1795427700},
		{"key=a%25b%2Bc+%3D%C3%A9%FF~ exp=-1", "a%b+c+=é\xff~", false, 0},
		{"key=bin%20key%0A%00 exp=0 la=-5", "bin key\n\x00", false, 0},
		{"key=k", "k", false, 0},
		{"key=k exp la= size", "k", false, 0},
		{"key=k exp=99999999999999999999999 la=x", "k", false, 0},
		{"key=" + strings.Repeat("%41", 250) + " exp=-1", strings.Repeat("A", 250), false, 0},

		{"", "", false, 0},
		{"key=", "", false, 0},
		{"key= exp=-1", "", false, 0},
		{"key=% exp=-1", "", false, 0},
		{"key=%4 exp=-1", "", false, 0},
		{"key=%zz exp=-1", "", false, 0},
		{"key=" + strings.Repeat("k", 251) + " exp=-1", "", false, 0},
		{" key=k exp=-1", "", false, 0},
		{"KEY=k exp=-1", "", false, 0},
		{"END", "", false, 0},
	} {
		it, ok := parseItem([]byte(test.line))
		if string(it.key) != test.key || ok != (test.key != "") || it.expires != test.expires || it.used != test.used {
			t.Errorf("%q: %q, %t, %d (%t); expected %q, %t, %d", test.line, it.key, it.expires, it.used, ok, test.key, test.expires, test.used)
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
		if !ok || string(again.key) != string(it.key) || again.expires {
			t.Fatalf("%q: %q is read back as %q", line, it.key, again.key)
		}
	})
}
