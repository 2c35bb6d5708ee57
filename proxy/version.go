package proxy

import (
	"fmt"
	"strings"
)

// version is a memcached's version: major, minor, patch.
type version [3]int

// parseVersion reads "VERSION 1.6.38". What can't be read is 0.
func parseVersion(line []byte) (v version) {
	_, text, _ := strings.Cut(string(line), " ")
	_, _ = fmt.Sscanf(text, "%d.%d.%d", &v[0], &v[1], &v[2])
	return v
}

func (v version) String() string { return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]) }

// atLeast reports whether v is w or a later one.
func (v version) atLeast(w version) bool {
	for i := range v {
		if v[i] != w[i] {
			return v[i] > w[i]
		}
	}
	return true
}

var (
	// metaCommands is the version from which on verbs can be carried out.
	metaCommands = version{1, 6, 0}
	// appendCreates is the version from which on one meta set can append or
	// create.
	appendCreates = version{1, 6, 20}
)
