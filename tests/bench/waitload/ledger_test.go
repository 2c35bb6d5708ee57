//go:build linux

package waitload

import (
	"strings"
	"testing"
)

func TestDeliveries(t *testing.T) {
	l := newLedger()
	first, second := l.push(1e6, 0, 7), l.push(2e6, 1, 7)
	if first == second || len(first) != elementSize || l.missing != 2 {
		t.Fatalf("%q, %q, %d missing", first, second, l.missing)
	}
	if err := l.deliver([]byte(second), 5e6, 0, 7); err != nil {
		t.Fatal(err)
	}
	if err := l.deliver([]byte(first), 5e6, 0, 7); err != nil {
		t.Fatal(err)
	}
	if l.missing != 0 || l.Same.Requests != 1 || l.Other.Requests != 1 || l.Same.Took.Max()/1e6 != 4 || l.Other.Took.Max()/1e6 != 3 {
		t.Errorf("%d missing, %d and %d, after %d and %d ns", l.missing, l.Same.Requests, l.Other.Requests, l.Same.Took.Max(), l.Other.Took.Max())
	}
}

// Whatever is not delivered as it was pushed is an error.
func TestWrongDeliveries(t *testing.T) {
	for _, test := range []struct {
		element func(string) string
		times   int
		list    int
		want    string
	}{
		{func(e string) string { return e }, 2, 7, "element 0 of list 7 was delivered twice"},
		{func(e string) string { return e }, 1, 8, "element 0 of list 7 was delivered to a client of list 8"},
		{func(string) string { return numbered(1) }, 1, 7, "was not pushed"},
		{func(e string) string { return e[1:] }, 1, 7, "was not pushed"},
		{func(e string) string { return e + "e" }, 1, 7, "was not pushed"},
		{func(string) string { return "" }, 1, 7, "was not pushed"},
	} {
		l := newLedger()
		element := test.element(l.push(0, 0, 7))
		var err error
		for range test.times {
			if err != nil {
				t.Fatal(err)
			}
			err = l.deliver([]byte(element), 1, 0, test.list)
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v instead of %s", element, err, test.want)
		}
	}
}
