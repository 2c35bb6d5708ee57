package structures

import (
	"strconv"
	"strings"
)

// set is what a key may hold: nothing, or members in their order, each a letter,
// in braces. It is text, so that two can be compared. What is a member here may
// be several to memverbs.
type set string

const (
	absent set = "absent"
	empty  set = "{}"
)

func (s set) has(member string) bool { return strings.Contains(string(s), member) }

func (s set) without(member string) set { return set(strings.Replace(string(s), member, "", 1)) }

// card returns the number of members as memverbs counts them.
func (s set) card(of alphabet) (n int) {
	for name, words := range of {
		if s.has(name) {
			n += len(words)
		}
	}
	return n
}

func stepAdd(s set, a action, answer string) []set {
	if s == absent {
		s = empty
	}
	for _, m := range a.words {
		if !s.has(m) {
			s = s[:len(s)-1] + set(m) + "}"
		}
	}
	return answers(answer, "STORED", s)
}

func stepRemove(s set, a action, answer string) []set {
	if s == absent {
		return answers(answer, "NOT_FOUND", s)
	}
	for _, m := range a.words {
		s = s.without(m)
	}
	return answers(answer, "STORED", s)
}

func stepAddNew(s set, a action, answer string) []set {
	after := stepAdd(s, a, unanswered)[0]
	of := a.of.(setLanguage).alphabet
	before := 0
	if s != absent {
		before = s.card(of)
	}
	return answers(answer, strconv.Itoa(after.card(of)-before), after)
}

func stepChange(s set, a action, answer string) []set {
	adds := strings.Contains(strings.Join(a.words, " "), "+")
	switch {
	case s == absent && !adds:
		return answers(answer, "NOT_FOUND", s)
	case s == absent:
		s = empty
	}
	for _, word := range a.words {
		if m := word[1:]; word[0] == '-' {
			s = s.without(m)
		} else {
			s = stepAdd(s, action{words: []string{m}}, unanswered)[0]
		}
	}
	return answers(answer, "STORED", s)
}

func stepMembers(s set, _ action, answer string) []set {
	return answers(answer, string(s), s)
}

func stepIsMember(s set, a action, answer string) []set {
	if s == absent {
		return answers(answer, "NOT_FOUND", s)
	}
	var bits []string
	for _, m := range a.words {
		if s.has(m) {
			bits = append(bits, "1")
		} else {
			bits = append(bits, "0")
		}
	}
	return answers(answer, strings.Join(bits, " "), s)
}

func stepCard(s set, a action, answer string) []set {
	if s == absent {
		return answers(answer, "NOT_FOUND", s)
	}
	return answers(answer, strconv.Itoa(s.card(a.of.(setLanguage).alphabet)), s)
}

// stepPop takes any of the members for the one that was chosen, as long as it
// is not known which it was.
func stepPop(s set, _ action, answer string) (next []set) {
	if s == absent || s == empty {
		return answers(answer, string(s), s)
	}
	for _, m := range names {
		if s.has(m) {
			next = append(next, answers(answer, "{"+m+"}", s.without(m))...)
		}
	}
	return next
}

func stepDelete(s set, _ action, answer string) []set {
	if s == absent {
		return answers(answer, "NOT_FOUND", s)
	}
	return answers(answer, "DELETED", absent)
}
