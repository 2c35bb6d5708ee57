package catalog

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Tokens of other kinds are noted when they are dropped, whatever drops them.
func TestForeignTokensAreNoted(t *testing.T) {
	const generation, task = "h:0123456789abcdeA ", "t=1:0123456789abcdeA:a "
	for _, test := range []struct{ log, dropping, noted string }{
		{"+a l>x +b l-y h:z ", "scompact k", "k set 3"},
		{"+a l>x +b l-y h:z ", "smembers k", "k set 3"},
		{"+a l>x +b l-y h:z ", "scard k", "k set 3"},
		{"+a l>x +b l-y h:z ", "srandmember k", "k set 3"},
		{"+a l>x +b l-y h:z ", "sunion k other", "k set 3"},
		{"+a l>x +b l-y h:z ", "smembers other k", "k set 3"},
		{"+a l>x l>y l>z ", "sadd k b", "k set 3"},
		{"+a l>x +b l-y h:z ", "sadd k " + verbtest.Names(300, "", " "), "k set 3"},
		{"l>a +x l>b -y h:z ", "scompact k", "k list 3"},
		{"l>a +x l>b -y h:z ", "lrange k", "k list 3"},
		{"l>a +x l>b -y h:z ", "llen k", "k list 3"},
		{"l>a +x +y +z ", "rpush k b", "k list 3"},
		{"l>a +x +y +z ", "sadd k b", "k list 4"},
		{"l>a ", "sadd k " + verbtest.Names(300, "", " "), "k list 300"},
		{"l l>a l l(a ", "llen k", ""},
		{generation + "+x l>y +z ", "scompact k", "k table 3"},
		{generation + "+x +y ", "rpush k z", "k table 3"},
		{generation + "h:0123456789abcdeE h ", "scompact k", ""},
		{task + "+x l>y ", "tasklen k", "k queue 2"},
		{task + "+x l>y ", "tasklist k", "k queue 2"},
		{"+a " + task, "smembers k", "k set 1"},
		{"l>a " + task, "llen k", "k list 1"},
		{"x:token +x l>y -z ", "relock k token 10", "k lock 3"},
		{"x:token +x l>y -z ", "lock k token 10", "k lock 3"},
		{"x:token +x l>y -z ", "unlock k token", "k lock 3"},
		{"x:token +x ", "relock k other 10", ""},
		{"x:token ", "relock k token 10", ""},
	} {
		w := verbtest.NewWorld(t, list)
		w.Settings.CompactDirtiness, w.Settings.StructureItemSize = 0, 1000
		w.Chance = verbtest.Counter(1 << 40) // writers always consider compacting
		w.Put("other", "+o ", 0, 0)
		w.Put("k", test.log, 0, 0)
		w.Send(test.dropping)
		if got := strings.Join(w.Foreign, ", "); got != test.noted {
			t.Errorf("%.40q after %.40q: noted %q, expected %q", test.dropping, test.log, got, test.noted)
		}
		if n := foreignUnder(w, "k"); n > 0 && test.noted != "" {
			t.Errorf("%.40q after %.40q: %d are left", test.dropping, test.log, n)
		}
	}
}

// Whoever appends tokens of other kinds while others drop them: each is noted once, or is
// still there.
func TestForeignTokensAreNotedOnce(t *testing.T) {
	mistakes := map[string][]string{
		"+a -a +b ":           {"rput k 0 4\r\n +x ", "rpush k x", "lpush k x y", "lrem k 0 x"},
		"l>a l(a l>b ":        {"sadd k x y z", "srem k x", "sadd k x"},
		"h:0123456789abcdeA ": {"sadd k x y z", "rpush k x", "lrem k 0 x"},
	}
	right := map[string][]string{
		"+a -a +b ":           {"sadd k c", "smembers k", "scard k", "scompact k", "srandmember k", "sadd k d e f"}, // an emptied set may become a list
		"l>a l(a l>b ":        {"rput k 0 1\r\n ", "rpush k c", "lrange k", "llen k", "scompact k", "lpop k", "lpush k d e f"},
		"h:0123456789abcdeA ": {"hget k a", "hexists k a", "scompact k"},
	}
	noted := 0
	for log, wrong := range mistakes {
		for seed := range uint64(100) {
			w := verbtest.NewWorld(t, list)
			choose := verbtest.NewRandom(seed, 0)
			w.Settings.CompactDirtiness, w.Settings.StructureItemSize = choose.IntN(3), []int{4, 12, 30, 100, 300}[choose.IntN(5)]
			w.Chance = choose.Uint64
			w.Put("k", log, 0, 0)
			w.Put("k:0123456789abcdeA", "+a ", 0, 0) // the index of the table
			clients := make([][]string, 4)
			for i := range clients {
				for range 4 {
					of := right[log]
					if choose.IntN(2) == 0 {
						of = wrong
					}
					clients[i] = append(clients[i], of[choose.IntN(len(of))])
				}
			}
			s := verbtest.NewSchedule(w, choose, []*verbtest.Pool{{T: t, Env: w, List: list}}, clients)
			s.Run()
			appended, dropped := 0, droppedFrom(w)
			for _, c := range s.Calls {
				if slices.Contains(wrong, c.Request) {
					appended += tokensOf(c.Request)
				}
				if c.Answer != "STORED\r\n" && slices.Contains(wrong, c.Request) {
					t.Fatalf("%q, seed %d: %s", log, seed, c)
				}
			}
			if left := foreignUnder(w, "k"); dropped+left != appended {
				t.Fatalf("%q, seed %d: of %d tokens %d are noted and %d are left:\n%s", log, seed, appended, dropped, left, s)
			}
			noted += dropped
		}
	}
	t.Logf("%d tokens were noted", noted)
}

// droppedFrom returns how many tokens were noted.
func droppedFrom(w *verbtest.World) (sum int) {
	for _, line := range w.Foreign {
		var key, kind string
		var n int
		fmt.Sscan(line, &key, &kind, &n)
		sum += n
	}
	return sum
}

// foreignUnder returns how many tokens of other kinds the structure under key has.
func foreignUnder(w *verbtest.World, key string) (n int) {
	head := w.Value(key)
	words := strings.Fields(head)
	parts, _ := format.PartKeys([]byte(key), []byte(head))
	for _, part := range parts {
		words = append(words, strings.Fields(w.Value(part))...)
	}
	letter := byte(0)
	if first := words[0]; first[0] == '@' && first[len(first)-2] == ':' && first[len(first)-1] >= 'a' {
		letter = first[len(first)-1]
	} else if first[0] >= 'a' {
		letter = first[0]
	}
	for _, word := range words {
		if word[0] != '@' && format.Foreign([]byte(word), letter) {
			n++
		}
	}
	return n
}

// tokensOf returns how many tokens a request appends: one for each word, or one for data.
func tokensOf(request string) int {
	if strings.Contains(request, "\r\n") {
		return 1
	}
	return len(strings.Fields(strings.Replace(request, "lrem k 0", "lrem k", 1))) - 2
}
