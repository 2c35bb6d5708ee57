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
		ch := change{old: []byte(test.old), closed: test.closed}
		if got := ch.fits([]byte(test.value)); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}
