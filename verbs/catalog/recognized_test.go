package catalog

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Whatever verbs store is recognized: as a head, or as a part of something that is there.
func TestWhatVerbsStoreIsRecognized(t *testing.T) {
	t.Parallel()
	seen := map[recognition]int{}
	for seed := range uint64(verbtest.NumberOf(300)) {
		r := rand.New(rand.NewPCG(seed, 17))
		w := verbtest.NewWorld(t, list)
		w.Old = r.IntN(4) == 0
		w.Limit = []int{400, 4000, 1 << 20}[r.IntN(3)]
		w.Settings.StructureItemSize, w.Settings.CompactDirtiness = []int{12, 100, 1 << 17}[r.IntN(3)], r.IntN(3)
		if r.IntN(2) == 0 {
			w.Kept = views.Eager([]byte("a"))
		}
		keys := usedKeys(r)
		for range 30 {
			line := storingLine(r, keys[r.IntN(len(keys))])
			if line == "" {
				continue
			}
			w.Send(line)
			for key, item := range w.Items {
				if w.Find(key) == nil {
					continue
				}
				as := recognized(w, key, item)
				if seen[as]++; as == nothing {
					t.Fatalf("seed %d: after %.60q, %q is not recognized: flags %d, %.200q", seed, line, key, item.Flags, item.Value)
				}
			}
			w.Clock += int64(r.IntN(3000))
		}
	}
	t.Logf("%d heads, %d parts, %d that are parts for sure, %d parts of what is gone", seen[head], seen[part], seen[surelyPart], seen[left])
	if min(seen[head], seen[part], seen[surelyPart]) == 0 || seen[left] > seen[part] {
		t.Error("too little was stored, or too much is left")
	}
}

// recognition is as what an item is recognized.
type recognition int

const (
	nothing recognition = iota
	head
	part       // of something that has a head
	surelyPart // by its key
	left       // by something that is gone: by a lock, for example, that tokens of tasks were appended to, and that has ended
)

func recognized(w *verbtest.World, key string, item *verbtest.Item) recognition {
	bases, sure := Bases([]byte(key))
	if IsHead(item.Flags, item.Value) {
		return head
	}
	if sure {
		return surelyPart
	}
	as := nothing
	for _, base := range bases {
		if of := w.Find(string(base)); of == nil {
			as = left
		} else if IsHead(of.Flags, of.Value) {
			return part
		}
	}
	return as
}

// usedKeys returns some keys, which several kinds of structures get by mistake if they are few.
func usedKeys(r *rand.Rand) (keys []string) {
	for i := range 1 + r.IntN(8) {
		keys = append(keys, fmt.Sprintf("%0*d", []int{1, 5, 32, 33, 212, 213, 220, 229, 230, 250}[r.IntN(10)], i))
		if keys[i][0] == '0' && r.IntN(2) == 0 {
			keys[i] = "a:" + keys[i][min(2, len(keys[i])-1):]
		}
	}
	return keys
}

// storingLine returns a request about a key, of any verb; nothing if the key is too long for it.
func storingLine(r *rand.Rand, key string) string {
	line := requestsOfKey[r.IntN(len(requestsOfKey))]
	if r.IntN(2) == 0 {
		n := r.IntN(100)
		line = []string{
			"sadd k " + verbtest.Names(1+n, "", " "),
			"srem k " + verbtest.Names(1+n/2, "", " "),
			"saddp k " + verbtest.Names(1+n, "", " ") + " 60",
			"rpush k " + verbtest.Names(1+n, "", " "),
			fmt.Sprintf("rput k 5 %d\r\n%s", 3*n, strings.Repeat("~ ;", n)),
			"zadd k " + verbtest.Names(1+n, "7 ", " "),
			fmt.Sprintf("zincrbyp k %d a %d", n, 1+n*n),
			fmt.Sprintf("hset k field%d %d 0 4\r\ndata", n, n%3),
			fmt.Sprintf("hset k %s 0 0 4\r\ndata", strings.Repeat("f", 1+2*n)),
			fmt.Sprintf("hset k %d 0 0 %d\r\n%s", n, 2*n, strings.Repeat("+a", n)),
			fmt.Sprintf("taskput k id%d 0 5 %d\r\n%s", n, n, strings.Repeat("x", n)),
			fmt.Sprintf("tasktake k 1 %d", 1+n),
			fmt.Sprintf("logput k 0 0 %d\r\n%s", n, strings.Repeat("x", n)),
			fmt.Sprintf("lock k token%d %d", n, 1+n),
			fmt.Sprintf("lock k token%d %d %d", n, 1+n, 1+n),
			fmt.Sprintf("limit k %d %d", 1+n, 1+n*n),
		}[r.IntN(16)]
	}
	verb, rest, _ := strings.Cut(line, " k")
	line = strings.Join(strings.Fields(verb+" "+key), " ") + rest
	var req protocol.Request
	parser := protocol.Parser{MaxData: 4096, Verbs: Known}
	if _, status := parser.Next([]byte(line+"\r\n"), &req); status != protocol.Ready || req.Refusal != "" {
		return ""
	}
	return line
}

// requestsOfKey are the requests that concern the key k, but do not wait.
var requestsOfKey = func() (lines []string) {
	for _, test := range requests {
		line := strings.TrimSuffix(test.typed, "\r\n")
		if strings.HasPrefix(line+" ", strings.Fields(line)[0]+" k ") && !strings.Contains(test.want, "refuse") && !strings.Contains(line, "wait") {
			lines = append(lines, line)
		}
	}
	return lines
}()

// No value or key does harm.
func FuzzRecognition(f *testing.F) {
	f.Add(uint32(0), []byte("l=0123456789abcdef.1.1700000000000 l:a l>b "), []byte("k:0123456789abcdef.1"))
	f.Add(uint32(0), []byte("z~1@3808428032;2@3808428033:a z<0123456789abcdef.1.1.1;2 "), []byte("a:log:1+1"))
	f.Add(uint32(0), []byte("t=1:0123456789abcdef:a t-: @0123456789abcdef:1:1:t "), []byte("k:0123456789abcdef:0123456789abcdef.1"))
	f.Add(uint32(0), []byte("x/3:a +b "), []byte("k:place:2"))
	f.Fuzz(func(t *testing.T, flags uint32, value, key []byte) {
		before := bytes.Clone(value)
		if IsHead(flags, value) && flags != 0 {
			t.Error("a head with flags")
		}
		if !bytes.Equal(value, before) {
			t.Error("the value was changed")
		}
		bases, sure := Bases(key)
		for i, base := range bases {
			if !bytes.HasPrefix(key, base) || key[len(base)] != ':' || i > 0 && len(base) <= len(bases[i-1]) {
				t.Errorf("bases of %q: %q", key, bases)
			}
		}
		if sure && len(bases) == 0 {
			t.Errorf("%q is a part of nothing", key)
		}
	})
}
