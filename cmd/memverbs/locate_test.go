package main

import (
	"strings"
	"testing"
)

// What can be no key is refused, whether it is an argument or a line. The lines before it are answered.
func TestLocateRefusesWhatIsNoKey(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("k", 251)
	for _, test := range []struct{ key, shown string }{
		{"", `"" has 0 bytes, and a key 1 to 250`},
		{long, `"` + long[:40] + `"… has 251 bytes, and a key 1 to 250`},
	} {
		for _, c := range []struct {
			args             []string
			in, out, message string
		}{
			{[]string{"--", "good", test.key, "other"}, "", "good\ta\n", test.shown},
			{nil, "good\n" + test.key + "\nother\n", "good\ta\n", "line 2: " + test.shown},
			{[]string{"--of", test.key, "good"}, "", "", "--of: " + test.shown},
		} {
			if c.args != nil && c.args[0] == "--of" && test.key == "" {
				continue // means none
			}
			var out, errs strings.Builder
			status := run(append([]string{"locate", "--upstream", "a"}, c.args...), strings.NewReader(c.in), &out, &errs)
			if status == exitOK || out.String() != c.out || errs.String() != "memverbs: "+c.message+"\n" {
				t.Errorf("%q with the input %q: status %d, %q, %q", c.args, c.in, status, out.String(), errs.String())
			}
		}
	}
	var out, errs strings.Builder
	if status := run([]string{"locate", "--upstream", "a", long[:250], "é", "a b", "odd\x1b[2J"}, nil, &out, &errs); status != exitOK || errs.Len() > 0 {
		t.Errorf("good keys: status %d, %q", status, errs.String())
	}
}
