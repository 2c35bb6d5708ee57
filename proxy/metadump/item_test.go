package metadump

import (
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
)

func TestItems(t *testing.T) {
	for _, test := range []struct {
		line string
		item Item
		key  string
	}{
		{"key=user:7 exp=-1 la=1795427700 cas=1 fetch=no cls=1 size=65", Item{CAS: 1, Expires: Never, Used: 1795427700}, "user:7"},
		{"key=user:7 exp=1795427800 la=1795427700 cas=2 fetch=yes cls=1 size=65 flags=0", Item{CAS: 2, Expires: 1795427800, Used: 1795427700}, "user:7"},
		{"key=user:7 exp=-1 la=1795427700 cas=18446744073709551615 fetch=no cls=1 size=65 flags=0 ", Item{CAS: 1<<64 - 1, Expires: Never, Used: 1795427700}, "user:7"},
		{"key=a%25b%2Bc+%3D%C3%A9%FF~ exp=-1", Item{Expires: Never}, "a%b+c+=é\xff~"},
		{"key=bin%20key%0A%00 exp=0 la=-5", Item{}, "bin key\n\x00"},
		{"key=k", Item{}, "k"},
		{"key=k size= fetch new", Item{}, "k"},
		{"key=" + strings.Repeat("%41", 250) + " exp=-1", Item{Expires: Never}, strings.Repeat("A", 250)},
	} {
		it, ok := parseItem([]byte(test.line))
		key := string(it.Key)
		if it.Key = nil; !ok || key != test.key || !reflect.DeepEqual(it, test.item) {
			t.Errorf("%q: %q, %+v (%t); expected %q, %+v", test.line, key, it, ok, test.key, test.item)
		}
	}
}

// Lines that memcached does not send are refused, and the end of one that another line follows in its middle.
func TestNoItems(t *testing.T) {
	for _, line := range []string{
		"", "key=", "key= exp=-1", "key=% exp=-1", "key=%4 exp=-1", "key=%zz exp=-1", "key=%4z exp=-1", "key=" + strings.Repeat("k", 251) + " exp=-1",
		" key=k exp=-1", "KEY=k exp=-1", "END", "key=k exp la=1", "key=k exp=99999999999999999999999", "key=k cas=-1", "key=k la=x",
		"key=ukey=user:7 exp=-1 la=1 cas=1", "key=u%key=user:7 exp=-1 la=1 cas=1", "key=u exp=key=user:7 exp=-1 la=1 cas=1", "key=u exp=-1 key=user:7 exp=-1 la=1 cas=1",
		"key=u exp=-1 la=1 cas=1key=user:7 exp=-1 la=1 cas=1", "key=u exp=-1 la=1 cas=1 fetch=no clskey=user:7 exp=-1 la=1 cas=1",
		"key=u exp=-1 la=1 cas=1 fetch=nokey=user:7 exp=-1 la=1 cas=1",
	} {
		if it, ok := parseItem([]byte(line)); ok {
			t.Errorf("%q: %q, %+v", line, it.Key, it)
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
		if len(it.Key) == 0 || len(it.Key) > protocol.MaxKey || it.Used < 0 {
			t.Fatalf("%q: %q, %d", line, it.Key, it.Used)
		}
		again, ok := parseItem([]byte("key=" + url.QueryEscape(string(it.Key)) + " exp=-1"))
		if !ok || string(again.Key) != string(it.Key) {
			t.Fatalf("%q: %q is read back as %q", line, it.Key, again.Key)
		}
	})
}
