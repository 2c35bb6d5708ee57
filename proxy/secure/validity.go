package secure

import (
	"crypto/x509"
	"fmt"
	"time"

	"github.com/memverbs/memverbs/cmd/memverbs/smallfile"
)

// soon is how long before a certificate expires operators are warned of it.
const soon = 7 * 24 * time.Hour

// validityWarning returns a warning if the certificate that was read from a file is not valid now,
// or will soon expire. Otherwise it is empty.
func validityWarning(path string, c *x509.Certificate, now time.Time) string {
	const replace = "replace the file, which memverbs reads again without a restart"
	path = smallfile.Name(path)
	date := func(t time.Time) string { return t.UTC().Format(time.RFC3339) }
	switch {
	case now.Before(c.NotBefore):
		return fmt.Sprintf("the certificate %s is not valid before %s, so nobody will accept it until then: set the clock right, or %s", path, date(c.NotBefore), replace)
	case now.After(c.NotAfter):
		return fmt.Sprintf("the certificate %s expired at %s, so nobody will accept it: %s", path, date(c.NotAfter), replace)
	case c.NotAfter.Sub(now) < soon:
		return fmt.Sprintf("the certificate %s expires at %s, in less than a week: %s", path, date(c.NotAfter), replace)
	}
	return ""
}

// Validity is when a certificate expires.
type Validity struct {
	File string
	Ends time.Time // when it expires
}
