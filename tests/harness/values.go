package harness

import (
	"fmt"
	"strings"
)

// Numbered returns a value of size bytes of which no two places look alike.
func Numbered(size int) string {
	var b strings.Builder
	for b.Len() < size {
		fmt.Fprintf(&b, "%d,", b.Len())
	}
	return b.String()[:size]
}
