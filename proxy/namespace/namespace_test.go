package namespace

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
)

func patterns(t testing.TB, texts ...string) (all Patterns) {
	t.Helper()
	for _, text := range texts {
		p, err := ParsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

func TestNamespaceOfAKey(t *testing.T) {
	t.Parallel()
	all := patterns(t, "user:", "shop/*/", "v*:")
	for key, want := range map[string]string{
		"user:7": "user:", "user:": "user:", "user": "", "users:7": "",
		"shop/a/1": "shop/a/", "shop/a/": "shop/a/", "shop/a": "", "shop//1": "", "shop/a/b/c": "shop/a/",
		"v12:x": "v12:", "v:": "", "v1": "",
	} {
		if n := all.Of([]byte(key)); key[:n] != want {
			t.Errorf("%q is in %q, expected %q", key, key[:n], want)
		}
	}
}

func TestPatterns(t *testing.T) {
	t.Parallel()
	for text, problem := range map[string]string{
		"user:": "", "ns/*/": "", "*:": "", "a*b": "",
		"": "needs a text", "a*": "followed by one character", "a*bc": "followed by one character", "a**": "followed by one character",
	} {
		p, err := ParsePattern(text)
		if problem == "" && (err != nil || p.String() != text) || problem != "" && (err == nil || !strings.Contains(err.Error(), problem)) {
			t.Errorf("%q: %v, %v", text, p, err)
		}
	}
	for _, pair := range [][3]any{{"a:", "a:b:", true}, {"a:b:", "a:", true}, {"a:", "b:", false}, {"a*:", "ab", true}, {"shop/*/", "shop/", true}, {"shop/*/", "user/*/", false}} {
		both := patterns(t, pair[0].(string), pair[1].(string))
		if both[0].Overlaps(both[1]) != pair[2] {
			t.Errorf("%s overlaps %s: %v", pair[0], pair[1], !pair[2].(bool))
		}
	}
}

// FuzzStoredKeys checks that no two keys are stored under one, that none is stored under the key of a generation, and that a
// client gets its own key back.
func FuzzStoredKeys(f *testing.F) {
	f.Add("user:1", "user:", uint64(1), uint64(2))
	f.Add("shop/a/1", "shop/a/AAAAAAAA", uint64(0), uint64(0))
	f.Fuzz(func(t *testing.T, a, b string, first, second uint64) {
		all := patterns(t, "user:", "shop/*/", "v*:")
		stored := func(key string, random uint64) (string, int) {
			n := all.Of([]byte(key))
			if n == 0 {
				return key, 0
			}
			s := NewGeneration(random).AppendKey(nil, []byte(key), n)
			if shown := Shown(nil, s, n); string(shown) != key {
				t.Errorf("%q comes back as %q", key, shown)
			}
			return string(s), n
		}
		storedA, n := stored(a, first)
		storedB, m := stored(b, second)
		if a != b && storedA == storedB && (a[:n] != b[:m] || first == second) {
			t.Errorf("%q and %q are both stored as %q", a, b, storedA)
		}
		if all.Of([]byte(storedA)) == len(storedA) && n > 0 {
			t.Errorf("%q is stored as %q, where a generation is", a, storedA)
		}
	})
}

func TestGenerations(t *testing.T) {
	t.Parallel()
	seen := map[Generation]bool{}
	for random := range uint64(10_000) {
		g := NewGeneration(random * 0x9e3779b97f4a7c15)
		if parsed, ok := ParseGeneration(g[:]); !ok || parsed != g || seen[g] {
			t.Fatalf("%q is read as %q, seen before: %v", g, parsed, seen[g])
		}
		seen[g] = true
	}
	for _, data := range []string{"", "short", "too long.", "with spa", "a b c d "} {
		if _, ok := ParseGeneration([]byte(data)); ok {
			t.Errorf("%q is a generation", data)
		}
	}
}

func TestOrders(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]Order{
		"get k": After, "gets k": After, "gat 1 k": Around, "gats 1 k": Around,
		"set k 0 0 1\r\nx": Before, "add k 0 0 1\r\nx": Around, "replace k 0 0 1\r\nx": Around, "append k 0 0 1\r\nx": Around,
		"prepend k 0 0 1\r\nx": Around, "cas k 0 0 1 7\r\nx": Around,
		"delete k": Around, "incr k 1": Around, "decr k 1": Around, "touch k 1": Around,
		"mg k v": After, "mg k v T1": Around, "mg k v N1": Around, "mg k v R1": Around, "me k": After,
		"ms k 1\r\nx": Before, "ms k 1 c\r\nx": Before, "ms k 1 C7\r\nx": Around, "ms k 1 ME\r\nx": Around, "ms k 1 MS\r\nx": Before,
		"md k": Around, "ma k": Around,
	} {
		var req protocol.Request
		p := protocol.Parser{MaxData: 10}
		if _, status := p.Next([]byte(line+"\r\n"), &req); status != protocol.Ready || req.Refusal != "" {
			t.Fatalf("%q: %v %s", line, status, req.Refusal)
		}
		if got := OrderOf(&req); got != want {
			t.Errorf("%q: order %d, expected %d", line, got, want)
		}
	}
}

// A loop remembers only so many namespaces, whatever clients ask for.
func TestSpacesAreBounded(t *testing.T) {
	t.Parallel()
	all := NewSpaces(func() uint64 { return 1 }, new(uint64))
	for i := range 3 * mostSpaces {
		s := all.Of(fmt.Appendf(nil, "shop/%d/", i))
		s.Enter(nil)
		s.HasRead(NewGeneration(1))
	}
	if len(all.list) > mostSpaces {
		t.Errorf("%d namespaces are remembered", len(all.list))
	}
}

type refused struct{ refusal string }

func (r *refused) Proceed(_ Generation, refusal string) { r.refusal = refusal }

// A server on which a generation vanishes as fast as it is made is not asked for ever.
func TestLookupsAreBounded(t *testing.T) {
	t.Parallel()
	s := NewSpaces(func() uint64 { return 1 }, new(uint64)).Of([]byte("n:"))
	_, task := s.Enter(&refused{})
	for range 10 * mostLookups {
		var ready []Waiter
		switch task {
		case Read:
			task, _ = s.HasRead(Generation{})
		case Create:
			if task, ready = s.HasCreated(false); len(ready) == 1 {
				return
			}
		}
	}
	t.Error("it goes on and on")
}
