package structures

import (
	"hash/maphash"
	"strconv"
	"strings"

	"github.com/anishathalye/porcupine"
)

// set is what a key may hold: nothing, or members in their order, each a letter,
// in braces. It is text, so that two can be compared. What is a member here may
// be several to memverbs, which are always added and removed together; see
// names_test.go.
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

// unanswered is the answer of an action of which it is not known whether it
// happened. Such an action goes on for ever as far as the checker is concerned:
// it may come at any time from its call on, or, which is the same as never,
// after everything that was seen.
const unanswered = "unanswered"

// verb is something that can be done to a set, and how a set takes it.
type verb struct {
	name  string
	share int  // how often it is asked for, in relation to the others
	most  int  // members that it may name
	reads bool // it changes nothing
	alone bool // it is only for sets whose names are one member each
	// step returns the sets that s may be afterwards: none if answer can't be
	// the answer. It takes unanswered for an answer.
	step func(s set, a action, answer string) []set
}

// verbs are what clients do. One that may answer in several ways returns a set
// for each of them.
var verbs = []*verb{
	{name: "sadd", share: 32, most: 3, step: stepAdd},
	{name: "srem", share: 22, most: 2, step: stepRemove},
	{name: "smembers", share: 20, reads: true, step: stepMembers},
	{name: "sismember", share: 12, most: 3, reads: true, step: stepIsMember},
	{name: "scard", share: 12, reads: true, step: stepCard},
	{name: "delete", share: 2, step: stepDelete},
	{name: "spop", share: 8, alone: true, step: stepPop},
}

func verbNamed(name string) *verb {
	for _, v := range verbs {
		if v.name == name {
			return v
		}
	}
	panic("no verb " + name)
}

// vanish is what happens to sets when a memcached dies. It has no answer.
var vanish = &verb{name: "(a memcached dies)", step: func(set, action, string) []set { return []set{absent} }}

// answers returns next, if answer may be what was expected.
func answers(answer, expected string, next set) []set {
	if answer == expected || answer == unanswered {
		return []set{next}
	}
	return nil
}

func stepAdd(s set, a action, answer string) []set {
	if s == absent {
		s = empty
	}
	for _, m := range a.members {
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
	for _, m := range a.members {
		s = s.without(m)
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
	for _, m := range a.members {
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
	return answers(answer, strconv.Itoa(s.card(a.of)), s)
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

// action is what a client asks of a set.
type action struct {
	verb    *verb
	members []string
	of      alphabet
}

func (a action) String() string {
	return strings.Join(append([]string{a.verb.name}, a.members...), " ")
}

var hashSeed = maphash.MakeSeed()

// model says which histories of one set are right, to porcupine.
var model = (&porcupine.NondeterministicModel{
	Init: func() []any { return []any{absent} },
	Step: func(state, input, output any) (next []any) {
		a := input.(action)
		for _, s := range a.verb.step(state.(set), a, output.(string)) {
			next = append(next, s)
		}
		return next
	},
	Hash: func(state any) uint64 { return maphash.String(hashSeed, string(state.(set))) },
	DescribeOperation: func(input, output any) string {
		return input.(action).String() + " → " + output.(string)
	},
	DescribeState: func(state any) string { return string(state.(set)) },
}).ToModel()
