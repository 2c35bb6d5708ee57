package placement

import (
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/sharding"
)

var schedules = flag.Uint64("schedules", 400, "how many random schedules are tried")

// modulo places the keys "a" to "z" by their letter.
type modulo int

func (m modulo) Locate(key []byte) int { return int(key[0]-'a') % int(m) }

// list returns a list of servers, each a letter.
func list(servers string) List {
	return List{Rule: "modulo", Servers: strings.Split(servers, ""), Layout: modulo(len(servers))}
}

// layoutOf returns the layout of a list by the rule of these tests.
func layoutOf(l List) sharding.Layout {
	if l.Rule != "modulo" {
		return nil
	}
	return modulo(len(l.Servers))
}

// place returns what h says of a key, as a text: "refused 3s", or its server and then the former ones.
func place(h *History, key string, at time.Time) string {
	owner := h.now.Layout.Locate([]byte(key))
	former, refused := h.Place(nil, []byte(key), owner, at)
	if refused > 0 {
		return "refused " + refused.String()
	}
	text := h.now.Servers[owner]
	for _, i := range former {
		text += h.now.Servers[i]
	}
	return text
}

func TestHistory(t *testing.T) {
	start := time.Now()
	at := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }
	h := New(list("AB"))
	expect := func(seconds int, want ...string) {
		t.Helper()
		for _, w := range want {
			key, text, _ := strings.Cut(w, "=")
			if got := place(h, key, at(seconds)); got != text {
				t.Errorf("after %d s, %s is %q, expected %q", seconds, key, got, text)
			}
		}
	}
	expect(0, "a=A", "b=B", "c=A")
	h = h.Change(list("ABC"), at(0), 30*time.Second) // a 0 0, b 1 1, c 0 2, d 1 0, e 0 1, f 1 2
	expect(1, "a=A", "b=B", "c=refused 29s", "d=refused 29s")
	h = h.Change(list("ABD"), at(10), 30*time.Second)
	expect(11, "a=A", "b=B", "c=refused 29s", "e=refused 19s") // e has moved from A to B by the first change only
	expect(39, "e=BA", "c=refused 1s")
	expect(40, "c=DA", "d=AB", "f=DB")
	if r := h.Record(at(39)); r.String() != "memverbs servers 1\nmodulo A B\npending modulo A B D\npending modulo A B C" {
		t.Errorf("%q is recorded before the last list is settled", r)
	}
	if r := h.Record(at(40)); r.String() != "memverbs servers 1\nmodulo A B D\nmodulo A B C\nmodulo A B" {
		t.Errorf("%q is recorded when it is", r)
	}
	h = h.Change(list("BD"), at(100), 30*time.Second)
	expect(130, "a=B", "b=DB", "c=BD", "d=DB") // A has left
	if h = h.Change(list("BD"), at(200), 30*time.Second); !h.Settled(at(200)) {
		t.Error("the same list is a change")
	}
}

// A server that other proxies may use still, or already, is known until the change is settled.
func TestServersOfOthers(t *testing.T) {
	now := time.Now()
	beyond := func(h *History, seconds int, want string, rest time.Duration) {
		t.Helper()
		if servers, left := h.Beyond(now.Add(time.Duration(seconds) * time.Second)); strings.Join(servers, "") != want || left != rest {
			t.Errorf("after %d s, others may use %v for %s", seconds, servers, left)
		}
	}
	h := New(list("ABC")).Change(list("AD"), now, time.Minute)
	beyond(h, 0, "BC", time.Minute)
	beyond(h, 60, "", 0)
	h = h.Change(list("ADE"), now.Add(20*time.Second), time.Minute)
	beyond(h, 20, "BC", 40*time.Second)
	beyond(New(list("AB")).Change(list("ABC"), now, time.Minute), 0, "", 0)
	r := ParseRecord([]byte("memverbs servers 1\nmodulo A B\npending modulo A B C"))
	beyond(New(list("AB")).Learn(r, now, time.Minute, layoutOf), 0, "C", time.Minute)
	beyond(New(list("ABC")).Learn(r, now, time.Minute, layoutOf), 0, "", 0)
}

// A server with another weight, or name, is the same server: what was there is found there.
func TestServersWithOtherWeights(t *testing.T) {
	now := time.Now()
	before := List{Rule: "modulo", Servers: []string{"10.0.0.1:11211", "10.0.0.2:11211:4", "unix:/run/m.sock:2 c"}, Layout: modulo(3)}
	after := List{Rule: "modulo", Servers: []string{"unix:/run/m.sock", "10.0.0.2:11211:1 b", "10.0.0.1"}, Layout: modulo(3)}
	h := New(before).Change(after, now, time.Minute)
	for owner, was := range []int{2, 1, 0} {
		key := []byte{"abc"[owner]}
		if got := after.Layout.Locate(key); got != owner {
			t.Fatalf("%s is on server %d", key, got)
		}
		former, refused := h.Place(nil, key, owner, now.Add(time.Minute))
		if want := []int{was}; refused != 0 || owner != was && !slices.Equal(former, want) || owner == was && len(former) > 0 {
			t.Errorf("%s: refused for %s, was on %v, which is %d", key, refused, former, was)
		}
	}
	if servers, _ := h.Beyond(now); len(servers) > 0 {
		t.Errorf("others may use %v", servers)
	}
}

// A proxy that starts settles if others use another list, and looks where they have had structures.
func TestLearning(t *testing.T) {
	now := time.Now()
	r := ParseRecord([]byte("memverbs servers 1\nmodulo A B C\nmodulo A B"))
	h := New(list("ABC")).Learn(r, now, time.Minute, layoutOf)
	if got := place(h, "c", now); got != "CA" {
		t.Errorf("with the list that others use: %s", got)
	}
	h = New(list("ABCD")).Learn(r, now, time.Minute, layoutOf)
	if got := place(h, "d", now); got != "refused 1m0s" {
		t.Errorf("with another list than others use: %s", got)
	}
	if got := place(h, "d", now.Add(time.Minute)); got != "DAB" {
		t.Errorf("later: %s", got)
	}
	if !h.Knows(r) || h.Knows(ParseRecord([]byte("memverbs servers 1\nmodulo A D"))) {
		t.Error("what the record says is not known, or what it does not say is")
	}
	unknown := ParseRecord([]byte("memverbs servers 1\nketama A B C"))
	h = New(list("ABC")).Learn(unknown, now, time.Minute, layoutOf)
	if got := place(h, "a", now.Add(time.Second)); got != "refused 59s" {
		t.Errorf("with a layout that can't be known: %s", got)
	}
}

func TestRecordsThatAreNone(t *testing.T) {
	for _, text := range []string{"", "x", "memverbs servers 1", "memverbs servers 1\n", "memverbs servers 1\nmodulo", "memverbs servers 1\nmodulo  A", "memverbs servers 2\nmodulo A",
		"memverbs servers 1\n" + strings.Repeat("modulo A\n", 100) + "modulo A", "memverbs servers 1\nmodulo " + strings.Repeat("A", longestRecord)} {
		if r := ParseRecord([]byte(text)); r != nil {
			t.Errorf("%.60q was understood as %v", text, r)
		}
	}
	r := Record{{Rule: "ketama", Servers: []string{"10.0.0.1:11211:1 one", "b"}}}
	if again := ParseRecord([]byte(r.String())); len(again) != 1 || !again[0].same(&r[0]) {
		t.Errorf("%v has become %v", r, again)
	}
}

// Proxies learn of changes at different times, all within settle, and use structures meanwhile. No structure is ever in two
// places of the pool, and none that is there is overlooked: after a proxy has found none, nobody else finds one that was made before.
func TestRandomSchedules(t *testing.T) {
	const settle = 30
	lists := []string{"A", "AB", "ABC", "ABCD", "BCD", "CD", "ACD"}
	for seed := range *schedules {
		random := rand.New(rand.NewPCG(seed, 0))
		now := time.Now()
		places := map[string]string{} // where the structure of each key is; "" if nowhere
		current := "AB"
		proxies := []*History{New(list(current)), New(list(current)), New(list(current))}
		var stored Record
		learns := make([]int, len(proxies)) // when each proxy learns of the present list
		for second := range 1000 {
			at := now.Add(time.Duration(second) * time.Second)
			if random.IntN(20) == 0 && second > 0 && slices.Max(learns) < second {
				current = lists[random.IntN(len(lists))]
				for i := range learns {
					learns[i] = second + random.IntN(settle-1)
				}
				for key, server := range places { // what has left is lost, and does not come back
					if !strings.Contains(current, server) && server != "" {
						places[key] = ""
					}
				}
			}
			for i := range proxies {
				if learns[i] == second {
					proxies[i] = proxies[i].Change(list(current), at, settle*time.Second)
				}
			}
			for i, h := range proxies {
				if second%(settle/4) != i {
					continue
				}
				switch {
				case stored == nil:
					stored = h.Record(at)
				case !h.Knows(stored):
					proxies[i] = h.Learn(stored, at, settle*time.Second, layoutOf)
				default:
					stored = h.Record(at)
				}
			}
			if random.IntN(50) == 0 { // a proxy is started anew
				i := random.IntN(len(proxies))
				proxies[i], learns[i] = New(list(current)).Learn(stored, at, settle*time.Second, layoutOf), second
			}
			key := string(rune('a' + random.IntN(12)))
			i := random.IntN(len(proxies))
			where := place(proxies[i], key, at)
			if strings.HasPrefix(where, "refused") {
				continue
			}
			switch at := places[key]; {
			case at == "":
				if strings.Contains(current, where[:1]) { // the new place; a server that has left is away
					places[key] = where[:1]
				}
			case strings.Contains(where, at):
				if random.IntN(8) == 0 {
					places[key] = ""
				}
			case strings.Contains(current, where[:1]):
				t.Fatalf("seed %d, second %d: proxy %d looks for %s at %s, but it is at %s", seed, second, i, key, where, at)
			}
		}
	}
}
