package structures

import "testing"

func TestTheModelOfSetsTellsRightFromWrong(t *testing.T) {
	of := alphabet{"a": {"a0"}, "b": {"b0", "b1"}}
	try(t, sets, setLanguage{of}, []trial{
		{name: "in order", expected: right, steps: []step{
			{"scard", 1, 2, "NOT_FOUND"}, {"srem a", 3, 4, "NOT_FOUND"}, {"sadd b a", 5, 6, "STORED"},
			{"smembers", 7, 8, "{ba}"}, {"scard", 9, 10, "3"}, {"srem b", 11, 12, "STORED"},
			{"sismember a b", 13, 14, "1 0"}, {"delete", 15, 16, "DELETED"}, {"smembers", 17, 18, "absent"}}},
		{name: "at the same time", expected: right, steps: []step{
			{"sadd a", 1, 10, "STORED"}, {"sadd b", 2, 9, "STORED"}, {"smembers", 3, 8, "{b}"}}},
		{name: "the order of two adds changed", expected: wrong, steps: []step{
			{"sadd a", 1, 2, "STORED"}, {"sadd b", 3, 4, "STORED"}, {"smembers", 5, 6, "{ba}"}}},
		{name: "an add was lost", expected: wrong, steps: []step{
			{"sadd a", 1, 2, "STORED"}, {"sadd b", 3, 4, "STORED"}, {"scard", 5, 6, "2"}}},
		{name: "a removed member came back", expected: wrong, steps: []step{
			{"sadd a", 1, 2, "STORED"}, {"srem a", 3, 4, "STORED"}, {"smembers", 5, 6, "{}"},
			{"sismember a", 7, 8, "1"}}},
		{name: "a change without an answer comes late", expected: right, steps: []step{
			{"sadd a", 1, 0, unanswered}, {"smembers", 2, 3, "absent"}, {"smembers", 4, 5, "{a}"}}},
		{name: "or never", expected: right, steps: []step{{"sadd a", 1, 0, unanswered}, {"smembers", 2, 3, "absent"}}},
		{name: "but not before it was asked for", expected: wrong, steps: []step{
			{"smembers", 1, 2, "{a}"}, {"sadd a", 3, 0, unanswered}}},
		{name: "nor twice", expected: wrong, steps: []step{
			{"sadd a", 1, 0, unanswered}, {"scard", 2, 3, "1"}, {"srem a", 4, 5, "STORED"},
			{"smembers", 6, 7, "{}"}, {"smembers", 8, 9, "{a}"}}},
		{name: "new, and changed", expected: right, steps: []step{
			{"saddnew a b a", 1, 2, "3"}, {"saddnew b", 3, 4, "0"}, {"schange -a +c", 5, 6, "STORED"}, {"smembers", 7, 8, "{bc}"}}},
		{name: "for a time", expected: right, steps: []step{
			{"saddp a b 600", 1, 2, "STORED"}, {"sadd a", 3, 4, "STORED"}, {"sadd a b", 5, 6, "STORED"}, {"sadd a", 7, 8, "STORED"}, {"smembers", 9, 10, "{ab}"},
			{"saddp a 600", 11, 12, "STORED"}, {"saddnew a", 13, 14, "0"}, {"smembers", 15, 16, "{ba}"}, {"srem a", 17, 18, "STORED"}, {"scard", 19, 20, "2"}}},
		{name: "for a time, and not moved to the end", expected: wrong, steps: []step{
			{"saddp a 600", 1, 2, "STORED"}, {"sadd c", 3, 4, "STORED"}, {"saddp a 600", 5, 6, "STORED"}, {"smembers", 7, 8, "{ac}"}}},
		{name: "new for two", expected: wrong, steps: []step{{"saddnew a", 1, 4, "1"}, {"saddnew a", 2, 3, "1"}}},
		{name: "half a change", expected: wrong, steps: []step{
			{"sadd a", 1, 2, "STORED"}, {"schange -a +c", 3, 6, "STORED"}, {"smembers", 4, 5, "{}"}}},
		{name: "a change of nothing", expected: right, steps: []step{{"schange -a", 1, 2, "NOT_FOUND"}, {"schange -a +b", 3, 4, "STORED"}, {"scard", 5, 6, "2"}}},
		{name: "two who pop", expected: right, steps: []step{
			{"sadd a b", 1, 2, "STORED"}, {"spop", 3, 6, "{b}"}, {"spop", 4, 5, "{a}"}, {"spop", 7, 8, "{}"}}},
		{name: "two who pop the same", expected: wrong, steps: []step{
			{"sadd a b", 1, 2, "STORED"}, {"spop", 3, 6, "{b}"}, {"spop", 4, 5, "{b}"}}},
		{name: "a pop without an answer", expected: right, steps: []step{
			{"sadd a b", 1, 2, "STORED"}, {"spop", 3, 0, unanswered}, {"scard", 4, 5, "2"}, {"smembers", 6, 7, "{b}"}}},
		{name: "an error that no such set gives", expected: wrong, steps: []step{{"sadd a", 1, 2, "CLIENT_ERROR a does not hold a set"}}},
	})
}
