package secure

import (
	"errors"
	"strings"
	"testing"
)

// What a peer has sent, and an error quotes, is shown in one short line.
func TestClean(t *testing.T) {
	t.Parallel()
	for text, shown := range map[string]string{
		"tls: failed to verify certificate: x509: bad": "x509: bad",
		"a\r\nSTORED\r\n\x00\xff":                      "a??STORED????",
	} {
		if got := clean(errors.New(text)); got != shown {
			t.Errorf("%q is shown as %q, expected %q", text, got, shown)
		}
	}
	if got := clean(errors.New(strings.Repeat("é", 1000))); len(got) > longest+len("…") {
		t.Errorf("an error is shown in %d bytes", len(got))
	}
}
