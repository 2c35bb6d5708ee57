package structure

import "testing"

// Text appended after a token without its space would continue that token.
func TestChangeFits(t *testing.T) {
	for _, test := range []struct {
		old, value string
		closed     bool
		want       bool
	}{
		{"", "", true, true},
		{"", "+a ", true, true},
		{"+a ", "+a ", true, true},
		{"+a ", "+a +b ", true, true},
		{"+a ", "+b +a ", true, false},
		{"+a ", "", true, false},
		{"+a", "+a", true, true},
		{"+a", "+a+b ", true, false},
		{"@x ", "@x @y +a ", false, true},
		{"@x ", "@x @y +a ", true, false},
		{"@x ", "@x  @y +a ", true, false},
	} {
		ch := change{old: []byte(test.old), new: []byte("+n "), closed: test.closed}
		if got := ch.fits([]byte(test.value)); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}

// Where nothing is left of what was folded, what follows tells the kind, which must remain.
func TestChangeToNothingFits(t *testing.T) {
	for _, test := range []struct {
		value  string
		letter byte
		want   bool
	}{
		{"old ", 0, true},
		{"old +a ", 0, true},
		{"old  +a ", 0, true},
		{"old @x ", 0, true},
		{"old l>a +b ", 0, false},
		{"old ", 'l', false},
		{"old l>a ", 'l', true},
		{"old @x:l ", 'l', true},
		{"old +a ", 'l', false},
		{"old z>a ", 'l', false},
	} {
		ch := change{old: []byte("old "), letter: test.letter}
		if got := ch.fits([]byte(test.value)); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}

// A member that is dropped for good must not be appended again before the change is made: it would move.
func TestChangeThatDropsMembers(t *testing.T) {
	t.Parallel()
	ch := change{old: []byte("+a +b +c "), new: []byte("+a +c "), letter: 's'}
	ch.dropped.Add([]byte("b"))
	for value, fits := range map[string]bool{
		"+a +b +c ":          true,
		"+a +b +c +d +bb ":   true,
		"+a +b +c -b ":       true,
		"+a +b +c +d +b +e ": false,
		"+a +b +c  +b":       false,
	} {
		if got := ch.fits([]byte(value)); got != fits {
			t.Errorf("the change fits %q: %v, expected %v", value, got, fits)
		}
	}
}
