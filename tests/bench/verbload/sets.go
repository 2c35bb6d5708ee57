//go:build linux

package verbload

import "fmt"

// Sets are the sets of a load. Keys and Members must be at least 1, and Pool no less
// than Members.
type Sets struct {
	Keys    int // how many sets there are
	Members int // how many members each has in the beginning
	Pool    int // from how many members those to add or to ask for are drawn
	Worn    int // the least length of a log, in bytes: members are added again until it is reached
}

// Key returns the name of a set.
func (s Sets) Key(i int) string { return fmt.Sprintf("set:%07d", i) }

// Member returns a member, of 10 bytes.
func (s Sets) Member(i int) string { return fmt.Sprintf("m%09d", i) }

// log returns a set as memverbs and the article store it.
func (s Sets) log() []byte {
	var log []byte
	for i := 0; i < s.Members || len(log) < s.Worn; i++ {
		log = append(append(append(log, '+'), s.Member(i%s.Members)...), ' ')
	}
	return log
}

func (s Sets) collections() collections { return collections{s.Keys, s.Members, s.Key, s.Member} }
