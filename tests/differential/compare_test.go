package differential

import (
	"strings"
	"testing"
)

// A CAS id is remembered for the key it belongs to, and for no other.
func TestKeysAreReadFromAnswers(t *testing.T) {
	spaces := strings.Repeat(" b ", 62)
	for line, want := range map[string]string{
		"VALUE a 0 1 5\r\n":            "a",
		"HD ka c5\r\n":                 "a",
		"VA 1 t-1 ka c5\r\n":           "a",
		"HD c5 kYQ== b t-1\r\n":        "a",
		"HD kYQ== b\r\n":               "a",
		"HD c5 kYSBi b l0\r\n":         "a b",
		"HD c5 ka b l0 Z\r\n":          "a b", // made by mg, and not marked as binary
		"HD c5 ka b\r\n":               "a b",
		"HD kc\r c5\r\n":               "c\r",
		"HD c5 k" + spaces + " l0\r\n": spaces,
		"HD Oka c5 kb\r\n":             "b",
		"HD c5 kkey:10\r\n":            "key:10",
		"HD c5 kq b\r\n":               "q", // no base64
		"HD c5 t-1\r\n":                "",
		"EN\r\n":                       "",
		"ME key:10 exp=-1 cas=5\r\n":   "",
	} {
		if got := keyOf(unit{line: line}); got != want {
			t.Errorf("%q names %q, not %q", line, got, want)
		}
	}
}
