package structure

import "testing"

// A pointer names the kind of its segment.
func TestPointerNamesKind(t *testing.T) {
	for _, test := range []struct {
		head   string
		letter byte
		ok     bool
	}{
		{"", 0, true},
		{"+a ", 0, true},
		{"hello", 0, true},
		{"y", 'y', true},
		{"y ", 'y', true},
		{"y+a +b ", 'y', true},
		{"+b y+a ", 0, true},
		{"@0123456789abcdeA:1:9 y+a ", 0, true},
		{"@0123456789abcdeA:1:9:y +a ", 'y', true},
		{"@0123456789abcdeA:1:9:y @1123456789abcdeA:1:9:y ", 'y', true},
		{"@0123456789abcdeA:1:9:y @1123456789abcdeA:1:9 ", 0, false},
		{"@0123456789abcdeA:1:9:yy ", 0, false},
		{"@0123456789abcdeA:1:9: ", 0, false},
		{"@0123456789abcdeA:1:9:7 ", 0, false},
	} {
		h, ok := parseHead([]byte(test.head))
		if ok != test.ok || h.letter != test.letter {
			t.Errorf("%q: kind %q, %v; expected %q, %v", test.head, h.letter, ok, test.letter, test.ok)
		}
		if ok && string(h.prefix(len(h.segments))) != string(h.pointers) {
			t.Errorf("%q: the pointers are written as %q", test.head, h.prefix(len(h.segments)))
		}
	}
}
