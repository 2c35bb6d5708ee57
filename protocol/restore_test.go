package protocol

import (
	"encoding/base64"
	"fmt"
	"testing"
)

var restored = []struct{ reply, sent, want string }{
	{"VALUE k 0 3\r\nabc\r\n", "", "VALUE p:k 0 3\r\nabc\r\n"},
	{"END\r\n", "", "END\r\n"},
	{"SERVER_ERROR out of keys\r\n", "", "SERVER_ERROR out of keys\r\n"},
	{"HD kk\r\n", "", "HD kp:k\r\n"},
	{"HD\r\n", "", "HD\r\n"},
	{"VA 2 s2 Okk kk f0\r\nkk\r\n", "", "VA 2 s2 Okk kp:k f0\r\nkk\r\n"},
	{"VA 2 f0\r\n kk\r\n", "", "VA 2 f0\r\n kk\r\n"},
	{"VA 1 kaw== b f0\r\nx\r\n", "", "VA 1 kcDpr b f0\r\nx\r\n"},
	{"HD kaw== b\r\n", "k", "HD kcDpr b\r\n"},
	{"HD kk\r\n", "k", "HD kp:k\r\n"},
	{"HD kk b c1\r\n", "k b", "HD kp:k b c1\r\n"}, // raw, with a space
	{"HD kayBi b c1\r\n", "k b", "HD kcDprIGI= b c1\r\n"},
	{"EN kk O1\r\n", "", "EN kp:k O1\r\n"},
	{"ME k exp=-1\r\n", "k", "ME p:k exp=-1\r\n"},
	{"ME aw== exp=-1\r\n", "k", "ME cDpr exp=-1\r\n"},
	{"EN\r\n", "k", "EN\r\n"},
	{"VALUE k 0 3", "", "VALUE k 0 3"},
	{"HD k!! b\r\n", "", "HD kp:!! b\r\n"},
}

func TestRestoreKey(t *testing.T) {
	for _, c := range restored {
		var sent []byte
		if c.sent != "" {
			sent = []byte(c.sent)
		}
		dst, n := RestoreKey([]byte("..."), []byte(c.reply), []byte("p:"), sent)
		if got := string(dst) + c.reply[n:]; got != "..."+c.want {
			t.Errorf("%q became %q, expected %q", c.reply, got, c.want)
		}
	}
}

// FuzzRestoreKey checks that a key comes back with its prefix in every form in which memcached
// returns one.
func FuzzRestoreKey(f *testing.F) {
	f.Add("k", "p:", true)
	f.Add("a b", "p:", false)
	f.Add("\r", "ö", true)
	f.Fuzz(func(t *testing.T, key, prefix string, binary bool) {
		if !PlainWord([]byte(prefix)) || len(key) == 0 || len(prefix)+len(key) > MaxKey {
			return
		}
		encode := base64.StdEncoding.EncodeToString
		shown, whole := key, prefix+key
		if binary {
			shown, whole = encode([]byte(key))+" b", encode([]byte(prefix+key))+" b"
		} else if !PlainWord([]byte(key)) {
			return
		}
		for _, form := range []string{"HD Ok k%s\r\n", "VA 0 k%s f0\r\n\r\n"} {
			reply := fmt.Sprintf(form, shown)
			dst, n := RestoreKey(nil, []byte(reply), []byte(prefix), []byte(key))
			if got := string(dst) + reply[n:]; got != fmt.Sprintf(form, whole) {
				t.Errorf("%q became %q", reply, got)
			}
		}
	})
}

// A request with another key is sent as if the client had sent that.
func TestSetKey(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"get  p:k \r\n", "k", "get k\r\n"},
		{"gat 5 p:k\r\n", "k", "gat 5 k\r\n"},
		{"delete p:noreply\r\n", "noreply", "delete noreply 0\r\n"},
		{"incr p:k 3 noreply\r\n", "k", "incr k 3\r\n"},
		{"mg p:k k v q\r\n", "k", "mg k k v\r\n"},
		{"mg cDpr b k\r\n", "k", "mg aw== b k\r\n"},
		{"set p:k 1 2 1\r\nx\r\n", "k", "set k 1 2 1\r\nx\r\n"},
	} {
		var req Request
		p := Parser{MaxData: 10}
		if _, status := p.Next([]byte(c.from), &req); status != Ready || req.Refusal != "" {
			t.Fatalf("%q: %v %s", c.from, status, req.Refusal)
		}
		req.SetKey([]byte(c.to), nil)
		if got := string(req.AppendTo(nil)); got != c.want {
			t.Errorf("%q became %q, expected %q", c.from, got, c.want)
		}
	}
	var req Request
	p := Parser{MaxData: 10}
	p.Next([]byte("gets  p:a  p:b b\r\n"), &req)
	req.SetKeys([]byte("a b b"))
	if got := string(req.AppendTo(nil)); got != "gets a b b\r\n" || string(req.Key) != "a" {
		t.Errorf("it became %q with the key %s", got, req.Key)
	}
}
