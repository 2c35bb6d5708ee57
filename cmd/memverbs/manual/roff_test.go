package manual

import "testing"

// What begins a line, or is an escape, must not be a command to what shows the page.
func TestRoff(t *testing.T) {
	t.Parallel()
	for text, expected := range map[string]string{
		"a-b":          `a\-b`,
		`\fB`:          `\efB`,
		".conf is":     `\&.conf is`,
		"in\n'a'\n.b":  "in\n\\&'a'\n\\&.b",
		"it's 1.5 MB.": "it's 1.5 MB.",
	} {
		if got := Roff(text); got != expected {
			t.Errorf("%q became %q, expected %q", text, got, expected)
		}
	}
}
