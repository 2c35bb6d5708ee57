package structures

import (
	"strconv"
	"strings"
)

// set is what a key may hold: nothing, or members in their order, each a letter,
// in braces. It is text, so that two can be compared. What is a member here may
// be several to memverbs. A letter of one that was added for a time is followed by
// a mark: the time is not over before the history is, but who adds such a member moves
// it to the end.
type set string

const forATime = "'"

const (
	absent set = "absent"
	empty  set = "{}"
)

func (s set) has(member string) bool { return strings.Contains(string(s), member) }

func (s set) without(member string) set {
	return set(strings.NewReplacer(member+forATime, "", member, "").Replace(string(s)))
}

// list returns the set as it is listed.
func (s set) list() string { return strings.ReplaceAll(string(s), forATime, "") }

// with adds a member, for a time if mark says so.
func (s set) with(member, mark string) set {
	switch {
	case s == absent:
		s = empty
	case mark == "" && s.has(member) && !s.has(member+forATime):
		return s
	}
	s = s.without(member)
	return s[:len(s)-1] + set(member+mark) + "}"
}

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
	for _, m := range a.words {
		s = s.with(m, "")
	}
	return answers(answer, "STORED", s)
}

func stepAddForATime(s set, a action, answer string) []set {
	for _, m := range a.words[:len(a.words)-1] {
		s = s.with(m, forATime)
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
	after := s
	for _, m := range a.words { // it leaves those that are there
		if after == absent || !after.has(m) {
			after = after.with(m, "")
		}
	}
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
			s = s.with(m, "")
		}
	}
	return answers(answer, "STORED", s)
}

func stepMembers(s set, _ action, answer string) []set {
	return answers(answer, s.list(), s)
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
