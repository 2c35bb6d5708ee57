package catalog

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Whoever may use plain commands can store anything under the key of a structure: tokens of all kinds, and what is
// nearly one. Each verb answers, in one of memcached's forms, and a refusal names the key. Nothing grows by much.
func TestHostileItems(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, test := range requests {
		if line := strings.TrimSuffix(test.typed, "\r\n"); strings.HasPrefix(line+" ", strings.Fields(line)[0]+" k ") && !strings.Contains(test.want, "refuse") && !strings.Contains(line, "wait") {
			lines = append(lines, line)
		}
	}
	if len(lines) < len(list.All)/2 {
		t.Fatalf("only %d requests for %d verbs", len(lines), len(list.All))
	}
	refused, answered := 0, 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 41))
		w := verbtest.NewWorld(t, list)
		w.Settings.StructureItemSize, w.Settings.CompactDirtiness = []int{12, 100, 1 << 17}[r.IntN(3)], r.IntN(3)
		if r.IntN(2) == 0 {
			w.Kept = views.Eager([]byte("k"))
		}
		log := hostileLog(r)
		w.Put("k", log, 0, 0)
		for part := range r.IntN(3) {
			w.Put(fmt.Sprintf("k:%s.%d", hostileID, part), hostileLog(r), 0, 0)
		}
		for range 12 {
			line := lines[r.IntN(len(lines))]
			answer := w.Send(line)
			switch word, _, _ := strings.Cut(answer, " "); {
			case !strings.HasSuffix(answer, "\r\n"):
				t.Fatalf("%q of %q: answered %q", line, log, answer)
			case word == "SERVER_ERROR", word == "CLIENT_ERROR":
				if refused++; !strings.Contains(answer, " k") && !strings.Contains(answer, "non-numeric") && !strings.Contains(answer, "too large") {
					t.Fatalf("%q of %q: %q does not say what is wrong", line, log, answer)
				}
			default:
				answered++
			}
			w.Clock += int64(r.IntN(3000))
		}
		size := 0
		for _, key := range w.Keys() {
			size += len(w.Value(key))
		}
		if size > 64<<10 {
			t.Fatalf("%q has become %d bytes", log, size)
		}
	}
	if refused < 1000 || answered < 1000 {
		t.Errorf("%d refused, %d answered", refused, answered)
	}
}

const hostileID = "0123456789abcdeA"

// hostileLog returns tokens of one kind and some of others or of none.
func hostileLog(r *rand.Rand) string {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	number := func() string {
		return pick("0", "1", "-1", "7", "1@1700000003", "1700000005", "9223372036854775807", "-9223372036854775808", "99999999999999999999", "1099511627777", "007", "1.5", "")
	}
	member := func() string {
		return pick("a", "b", "c", "%20", "%", "%zz", strings.Repeat("m", 251), "\x00", "ä", "+a", "~1:a", "@x", ":", "a:b", "z=1:a", "")
	}
	orderID := func() string {
		return pick(hostileID, "short", "") + pick(".", "") + number() + pick(".", "") + number()
	}
	proper := []func() string{
		func() string { return pick("+", "-", "~1700000003:", "~1600000000:") + pick("a", "b", "c") },
		func() string { return pick("z=5:", "z+1:", "z(7:", "z)3:", "z~4@1700000004:", "z-") + pick("a", "b") },
		func() string { return pick("l>", "l<", "l:") + pick("a", "b") },
		func() string { return "t=" + pick("1", "2") + ":" + hostileID + ":" + pick("a", "b") },
	}[r.IntN(4)]
	var log strings.Builder
	for range r.IntN(9) {
		word := proper()
		switch r.IntN(8) {
		case 0:
			word = pick("+", "-", "~", "z", "l", "t", "h", "q", "@") + pick("", "+", "-", "=", "~", "(", ")", "<", ">", ":", "@") + number() + pick(":", "", ";", "@") + member()
		case 1:
			word = pick("z", "l", "t") + pick("<", ">", "~", "=", "+") + orderID() + pick(".", "") + pick("(", ")", "") + number() + pick(":", "") + member()
		case 2:
			word = "@" + pick(hostileID, "short") + ":" + number() + ":" + number() + ":" + pick("", "z", "l", "t", "s", "x")
		case 3:
			word = "z~" + strings.Repeat(number()+"@"+number()+";", r.IntN(4)) + number() + ":" + member()
		}
		log.WriteString(word + pick(" ", " ", " ", "", "\r\n", "\t"))
	}
	return log.String()
}
