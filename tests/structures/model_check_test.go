package structures

import (
	"testing"

	"github.com/anishathalye/porcupine"
)

// The checker is only as good as the model: here are histories that it must
// take, and others that it must not.
func TestTheModelTellsRightFromWrong(t *testing.T) {
	of := alphabet{"a": {"a0"}, "b": {"b0", "b1"}}
	type step struct {
		verb, members string
		call, back    int64 // 0 for no answer
		answer        string
	}
	for _, test := range []struct {
		name     string
		expected porcupine.CheckResult
		steps    []step
	}{
		{"in order", porcupine.Ok, []step{
			{"scard", "", 1, 2, "NOT_FOUND"}, {"srem", "a", 3, 4, "NOT_FOUND"}, {"sadd", "ba", 5, 6, "STORED"},
			{"smembers", "", 7, 8, "{ba}"}, {"scard", "", 9, 10, "3"}, {"srem", "b", 11, 12, "STORED"},
			{"sismember", "ab", 13, 14, "1 0"}, {"delete", "", 15, 16, "DELETED"}, {"smembers", "", 17, 18, "absent"}}},
		{"at the same time", porcupine.Ok, []step{
			{"sadd", "a", 1, 10, "STORED"}, {"sadd", "b", 2, 9, "STORED"}, {"smembers", "", 3, 8, "{b}"}}},
		{"the order of two adds changed", porcupine.Illegal, []step{
			{"sadd", "a", 1, 2, "STORED"}, {"sadd", "b", 3, 4, "STORED"}, {"smembers", "", 5, 6, "{ba}"}}},
		{"an add was lost", porcupine.Illegal, []step{
			{"sadd", "a", 1, 2, "STORED"}, {"sadd", "b", 3, 4, "STORED"}, {"scard", "", 5, 6, "2"}}},
		{"a removed member came back", porcupine.Illegal, []step{
			{"sadd", "a", 1, 2, "STORED"}, {"srem", "a", 3, 4, "STORED"}, {"smembers", "", 5, 6, "{}"},
			{"sismember", "a", 7, 8, "1"}}},
		{"a change without an answer comes late", porcupine.Ok, []step{
			{"sadd", "a", 1, 0, unanswered}, {"smembers", "", 2, 3, "absent"}, {"smembers", "", 4, 5, "{a}"}}},
		{"or never", porcupine.Ok, []step{{"sadd", "a", 1, 0, unanswered}, {"smembers", "", 2, 3, "absent"}}},
		{"but not before it was asked for", porcupine.Illegal, []step{
			{"smembers", "", 1, 2, "{a}"}, {"sadd", "a", 3, 0, unanswered}}},
		{"nor twice", porcupine.Illegal, []step{
			{"sadd", "a", 1, 0, unanswered}, {"scard", "", 2, 3, "1"}, {"srem", "a", 4, 5, "STORED"},
			{"smembers", "", 6, 7, "{}"}, {"smembers", "", 8, 9, "{a}"}}},
		{"two who pop", porcupine.Ok, []step{
			{"sadd", "ab", 1, 2, "STORED"}, {"spop", "", 3, 6, "{b}"}, {"spop", "", 4, 5, "{a}"}, {"spop", "", 7, 8, "{}"}}},
		{"two who pop the same", porcupine.Illegal, []step{
			{"sadd", "ab", 1, 2, "STORED"}, {"spop", "", 3, 6, "{b}"}, {"spop", "", 4, 5, "{b}"}}},
		{"a pop without an answer", porcupine.Ok, []step{
			{"sadd", "ab", 1, 2, "STORED"}, {"spop", "", 3, 0, unanswered}, {"scard", "", 4, 5, "2"}, {"smembers", "", 6, 7, "{b}"}}},
		{"an error that no such set gives", porcupine.Illegal, []step{{"sadd", "a", 1, 2, "CLIENT_ERROR a does not hold a set"}}},
	} {
		h := &history{alphabet: of}
		for client, s := range test.steps {
			a := action{verb: verbNamed(s.verb)}
			for _, letter := range s.members {
				a.members = append(a.members, string(letter))
			}
			n := h.enter(client, a)
			h.answer(n, s.answer)
			h.operations[n].Call, h.operations[n].Return = s.call, s.back
		}
		if verdict := porcupine.CheckOperationsTimeout(model, h.toCheck(), thinking); verdict != test.expected {
			t.Errorf("%s: %s\n%s", test.name, verdict, h)
		}
	}
}
