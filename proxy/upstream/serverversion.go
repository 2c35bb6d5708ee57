package upstream

import (
	"fmt"
	"slices"
	"strings"
)

// Version is a memcached's version: major, minor, patch.
type Version [3]int

// parseVersion parses "VERSION 1.6.38". Parts that can't be parsed are 0.
func parseVersion(line []byte) (v Version) {
	_, text, _ := strings.Cut(string(line), " ")
	_, _ = fmt.Sscanf(text, "%d.%d.%d", &v[0], &v[1], &v[2])
	if v[0] < 0 || v[1] < 0 || v[2] < 0 {
		return Version{}
	}
	return v
}

func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]) }

// AtLeast reports whether v is w or a later one.
func (v Version) AtLeast(w Version) bool { return slices.Compare(v[:], w[:]) >= 0 }

var (
	// MetaCommands is the first version with meta commands.
	MetaCommands = Version{1, 6, 0}
	// IncrCreates is the first version in which a meta arithmetic command can count or create, and answers as later ones do.
	IncrCreates = Version{1, 6, 10}
	// AppendCreates is the first version in which one meta set can append or create.
	AppendCreates = Version{1, 6, 20}
)
