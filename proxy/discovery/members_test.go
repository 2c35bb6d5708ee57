package discovery

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

const leave = time.Minute

// list writes members: those that are away with a minus sign.
func list(members []Member) string {
	var words []string
	for _, m := range members {
		if m.Away.IsZero() {
			words = append(words, m.Server)
		} else {
			words = append(words, "-"+m.Server)
		}
	}
	return strings.Join(words, " ")
}

// Each step is an answer at a second, and the list after it.
func TestMembers(t *testing.T) {
	t.Parallel()
	type step struct {
		at      int
		answer  string
		list    string
		changed bool
	}
	for name, steps := range map[string][]step{
		"a server is added":                {{0, "a", "a", true}, {1, "a", "a", false}, {2, "a b", "a b", true}},
		"one vanishes":                     {{0, "a b", "a b", true}, {10, "a", "a -b", true}, {69, "a", "a -b", false}, {70, "a", "a", true}},
		"one returns":                      {{0, "a b", "a b", true}, {10, "a", "a -b", true}, {60, "a b", "a b", true}, {65, "a", "a -b", true}, {124, "a", "a -b", false}, {125, "a", "a", true}},
		"nobody answers while one is away": {{0, "a b", "a b", true}, {10, "a", "a -b", true}, {600, "a b", "a b", true}},
		"all are replaced":                 {{0, "a b", "a b", true}, {10, "c", "-a -b c", true}, {80, "c", "c", true}},
		"three changes within a minute":    {{0, "a", "a", true}, {10, "a b", "a b", true}, {20, "a c", "a -b c", true}, {30, "a d", "a -b -c d", true}, {80, "a d", "a -c d", true}, {90, "a d", "a d", true}},
		"one comes and goes":               {{0, "a", "a", true}, {1, "a b", "a b", true}, {2, "a", "a -b", true}, {3, "a b", "a b", true}, {4, "a", "a -b", true}, {64, "a", "a", true}},
	} {
		m, start := NewMembers(leave), time.Now()
		for _, s := range steps {
			changed, err := m.Take(Answer{Servers: strings.Fields(s.answer)}, start.Add(time.Duration(s.at)*time.Second))
			if err != nil || changed != s.changed || list(m.List()) != s.list {
				t.Errorf("%s: after %d s and %q there are %q (changed: %v, %v), expected %q", name, s.at, s.answer, list(m.List()), changed, err, s.list)
			}
		}
	}
}

// A source that lists other servers each time can't make the list grow for ever.
func TestEverOtherServers(t *testing.T) {
	t.Parallel()
	m, now, refused := NewMembers(leave), time.Now(), 0
	for n := range 600 {
		var a Answer
		for i := range 100 {
			a.Servers = append(a.Servers, fmt.Sprint(n, "-", i))
		}
		if _, err := m.Take(a, now.Add(time.Duration(n)*time.Second)); err != nil {
			refused++
		}
		if len(m.List()) > MaxServers {
			t.Fatalf("there are %d servers", len(m.List()))
		}
	}
	if refused < 100 || refused == 600 {
		t.Errorf("%d answers were refused", refused)
	}
}

func TestOrder(t *testing.T) {
	t.Parallel()
	ordered := []string{"10.0.0.2:1", "10.0.0.9:1", "10.0.0.10:1", "10.0.0.10:2", "a:1", "cache-2.x:1", "cache-02.x:1", "cache-9.x:1", "cache-10.x:1", "cache-10.y:1", "cache-a.x:1"}
	got := slices.Clone(ordered)
	slices.Reverse(got)
	slices.SortFunc(got, compare)
	slices.Sort(ordered[5:7])
	slices.SortFunc(ordered[5:7], compare)
	if !slices.Equal(got, ordered) {
		t.Errorf("the order is %q", got)
	}
	for _, a := range ordered {
		for _, b := range ordered {
			if (compare(a, b) == 0) != (a == b) || compare(a, b) != -compare(b, a) {
				t.Errorf("%s and %s are compared as %d and %d", a, b, compare(a, b), compare(b, a))
			}
		}
	}
}
