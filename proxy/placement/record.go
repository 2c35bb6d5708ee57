package placement

import (
	"slices"
	"strings"
)

// Record is what a server says of the lists of servers that verbs have used: the one in use first, then earlier ones, the
// latest first. Those that are pending may be used by some proxies and not by others. The lists have no layouts. It is stored as a text of a line for each list, after a line that says what it is:
//
//	memverbs servers 1
//	ketama 10.0.0.1:11211 10.0.0.2:11211 10.0.0.3:11211
//	ketama 10.0.0.1:11211 10.0.0.2:11211
type Record []List

// pending begins the line of a list that a proxy has not settled on.
const pending = "pending "

// heading is the first line of a record. Its number changes with the form of what follows.
const heading = "memverbs servers 1"

// longestRecord is how long a record may be, in bytes.
const longestRecord = 256 << 10

// Key returns the key of the record of a pool.
func Key(pool string) []byte { return []byte("memverbs:servers:" + pool) }

// String returns the record as it is stored. The spaces in the text of a server are tabs there.
func (r Record) String() string {
	var b strings.Builder
	b.WriteString(heading)
	for _, list := range r {
		b.WriteByte('\n')
		if list.Pending {
			b.WriteString(pending)
		}
		b.WriteString(list.Rule)
		for _, server := range list.Servers {
			b.WriteString(" " + strings.ReplaceAll(server, " ", "\t"))
		}
	}
	return b.String()
}

// ParseRecord returns the record that a text is, nil if it is none. Anybody may have stored the text.
func ParseRecord(text []byte) (r Record) {
	rest, is := strings.CutPrefix(string(text), heading+"\n")
	if !is || len(text) > longestRecord {
		return nil
	}
	for line := range strings.SplitSeq(rest, "\n") {
		line, isPending := strings.CutPrefix(line, pending)
		words := strings.Split(line, " ")
		if len(words) < 2 || slices.Contains(words, "") || len(r) > mostLists {
			return nil
		}
		list := List{Rule: words[0], Pending: isPending}
		for _, server := range words[1:] {
			list.Servers = append(list.Servers, strings.ReplaceAll(server, "\t", " "))
		}
		r = append(r, list)
	}
	return r
}
