package secure

import (
	"crypto/x509"
	"strings"
	"testing"
	"time"
)

// A certificate is warned of if it is not valid, or not for a week more; the warning has the file and
// the date.
func TestValidityWarning(t *testing.T) {
	t.Parallel()
	begin := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	c := &x509.Certificate{NotBefore: begin, NotAfter: begin.AddDate(0, 1, 0)}
	for _, test := range []struct {
		now  time.Time
		says string
	}{
		{begin.Add(-time.Second), "the certificate f.pem is not valid before 2030-01-01T00:00:00Z, "},
		{begin, ""},
		{c.NotAfter.Add(-soon), ""},
		{c.NotAfter.Add(-soon + 1), "the certificate f.pem expires at 2030-02-01T00:00:00Z, "},
		{c.NotAfter, "the certificate f.pem expires at 2030-02-01T00:00:00Z, "},
		{c.NotAfter.Add(1), "the certificate f.pem expired at 2030-02-01T00:00:00Z, "},
	} {
		if got := validityWarning("f.pem", c, test.now); !strings.HasPrefix(got, test.says) || (got == "") != (test.says == "") {
			t.Errorf("at %v it says %q, expected %q", test.now, got, test.says)
		}
	}
}
