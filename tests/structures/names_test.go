package structures

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// names are the members that a set may have: few, so that each is added and
// removed over and over, and the checker has few states to tell apart.
var names = strings.Split("abcdef", "")

// alphabet says what each of the names is on the wire: one member, a short or a
// long one, or dozens that are added and removed together, so that the set
// takes anything from some bytes to several times as much as an item may.
type alphabet map[string][]string

// newAlphabet makes up an alphabet, with only one member for each name if alone
// is set.
func newAlphabet(random *rand.Rand, alone bool) alphabet {
	const longest = 250
	a := alphabet{}
	for _, name := range names {
		most := []int{1, 1, 8, 60}[random.IntN(4)]
		if alone {
			most = 1
		}
		for i := range 1 + random.IntN(most) {
			word := fmt.Sprintf("%s%d", name, i)
			a[name] = append(a[name], word+strings.Repeat(".", random.IntN(longest-len(word)+1)))
		}
	}
	return a
}

// String tells how many members and bytes each name stands for.
func (a alphabet) String() string {
	var list []string
	for _, name := range names {
		list = append(list, fmt.Sprintf("%s: %d members of %d bytes", name, len(a[name]), len(strings.Join(a[name], ""))))
	}
	return strings.Join(list, ", ")
}

// request returns an action as it is sent.
func (a alphabet) request(key string, of action) string {
	words := []string{of.verb.name, key}
	for _, name := range of.members {
		words = append(words, a[name]...)
	}
	return strings.Join(words, " ") + "\r\n"
}

// understand returns an answer in the words of the model. What makes no sense
// stays as it is, and the model will not have it.
func (a alphabet) understand(of action, line, value string) string {
	switch of.verb.name {
	case "smembers", "spop":
		return a.understandMembers(line, value)
	case "sismember":
		return a.understandBits(of.members, line)
	}
	return line
}

func (a alphabet) understandMembers(line, value string) string {
	switch {
	case line == "END":
		return string(absent)
	case !strings.HasPrefix(line, "VALUE "):
		return line
	}
	var found strings.Builder
	for words := strings.Fields(value); len(words) > 0; {
		name := words[0][:1]
		all := strings.Join(a[name], " ")
		if len(words) < len(a[name]) || strings.Join(words[:len(a[name])], " ") != all {
			return line + " " + value
		}
		words = words[len(a[name]):]
		found.WriteString(name)
	}
	return "{" + found.String() + "}"
}

func (a alphabet) understandBits(asked []string, line string) string {
	bits := strings.Fields(line)
	var found []string
	for _, name := range asked {
		if n := len(a[name]); len(bits) < n || strings.Count(strings.Join(bits[:n], ""), bits[0]) < n {
			return line
		}
		found = append(found, bits[0])
		bits = bits[len(a[name]):]
	}
	return strings.Join(found, " ")
}
