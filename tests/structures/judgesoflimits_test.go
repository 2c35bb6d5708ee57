package structures

import "testing"

func TestTheJudgeOfLimitsTellsRightFromWrong(t *testing.T) {
	three := step{"limit 3", 1, 2, "1 0 0"}
	try(t, limits, limitLanguage{count: 3, seconds: 1}, []trial{
		{name: "as many as there are", expected: right, steps: []step{
			{"limit 2", 1, 2, "1 1 0"}, {"left", 3, 4, "1 1 0"}, {"limit 2", 3, 4, "0 1 1050"}, {"limit 1", 5, 6, "1 0 0"}, {"left", 7, 8, "0 0 1050"}}},
		{name: "one more", expected: wrong, steps: []step{three, {"limit 1", 3, 4, "1 0 0"}}},
		{name: "one more at the end of the window", expected: wrong, steps: []step{three, {"limit 1", 960, 965, "1 0 0"}}},
		{name: "after the window", expected: right, steps: []step{three, {"limit 1", 1002, 1003, "1 2 0"}}},
		{name: "perhaps after the window", expected: right, steps: []step{three, {"limit 1", 980, 1010, "1 2 0"}}},
		{name: "refused a little longer", expected: right, steps: []step{three, {"limit 1", 1060, 1061, "0 0 1"}}},
		{name: "refused too long", expected: wrong, steps: []step{three, {"limit 1", 1100, 1101, "0 0 1"}}},
		{name: "refused without a reason", expected: wrong, steps: []step{{"limit 2", 1, 2, "0 1 1"}}},
		{name: "refused with what may have counted", expected: right, steps: []step{{"limit 2", 1, 0, unanswered}, {"limit 2", 3, 4, "0 1 1"}}},
		{name: "allowed beside what may have counted", expected: right, steps: []step{{"limit 2", 1, 0, unanswered}, {"limit 3", 3, 4, "1 0 0"}}},
		{name: "refused beside what is taken back", expected: right, steps: []step{{"limit 2", 1, 5, "1 0 0"}, {"limit 2", 2, 4, "0 1 1"}}},
		{name: "the memcached died", expected: right, steps: []step{three, {"vanish", 3, 0, unanswered}, {"limit 3", 4, 5, "1 0 0"}, {"limit 3", 6, 7, "1 0 0"}}},
		{name: "but once", expected: wrong, steps: []step{
			three, {"vanish", 3, 0, unanswered}, {"limit 3", 4, 5, "1 0 0"}, {"limit 3", 6, 7, "1 0 0"}, {"limit 1", 8, 9, "1 2 0"}}},
		{name: "and long ago", expected: wrong, steps: []step{{"vanish", 3, 0, unanswered}, {"limit 3", 2000, 2001, "1 0 0"}, {"limit 1", 2002, 2003, "1 2 0"}}},
		{name: "evicted", expected: right, forgetful: true, steps: []step{three, {"limit 3", 3, 4, "1 0 0"}, {"limit 3", 5, 6, "1 0 0"}}},
		{name: "evicted, and refused without a reason", expected: wrong, forgetful: true, steps: []step{{"limit 2", 1, 2, "0 1 1"}}},
		{name: "more left than there are", expected: wrong, steps: []step{{"limit 2", 1, 2, "1 2 0"}}},
		{name: "more left than others have left", expected: wrong, steps: []step{{"limit 2", 1, 2, "1 1 0"}, {"left", 3, 4, "1 2 0"}}},
		{name: "more left beside what is allowed", expected: wrong, steps: []step{{"limit 1", 1, 2, "1 2 0"}, {"limit 1", 3, 4, "1 2 0"}}},
		{name: "more left beside what is refused", expected: wrong, steps: []step{three, {"limit 1", 3, 4, "0 1 1"}}},
		{name: "more left at the same time", expected: right, steps: []step{{"limit 2", 1, 5, "1 1 0"}, {"left", 2, 4, "1 3 0"}}},
		{name: "more left after the window", expected: right, steps: []step{three, {"left", 1002, 1003, "1 3 0"}}},
		{name: "more left where memcached evicts", expected: right, forgetful: true, steps: []step{three, {"left", 3, 4, "1 3 0"}}},
		{name: "more left where a memcached died", expected: right, steps: []step{three, {"vanish", 3, 0, unanswered}, {"left", 4, 5, "1 3 0"}}},
		{name: "less left than nobody has taken", expected: wrong, steps: []step{{"left", 1, 2, "1 2 0"}}},
		{name: "less left than was taken by who knows", expected: right, steps: []step{{"limit 2", 1, 0, unanswered}, {"left", 3, 4, "1 1 0"}}},
		{name: "less left long after", expected: wrong, steps: []step{three, {"left", 1200, 1201, "1 2 0"}}},
		{name: "by keys", expected: right, steps: []step{
			{"limit 1 incr", 1, 2, "1 2 0"}, {"limit 3 incr", 3, 4, "0"}, {"left get", 5, 6, "1 2 0"}, {"limit 2 incr", 7, 8, "1 0 0"}, {"left incr", 9, 10, "0"}}},
		{name: "by a key, refused without a reason", expected: wrong, steps: []step{{"limit 3 incr", 1, 2, "0"}}},
		{name: "by keys, one more", expected: wrong, steps: []step{{"limit 3 incr", 1, 2, "1 0 0"}, {"limit 1 incr", 3, 4, "1 2 0"}}},
		{name: "a miss in place of an answer", expected: wrong, steps: []step{{"left get", 1, 2, ""}}},
		{name: "no answer", expected: wrong, steps: []step{{"limit 2", 1, 2, "ERROR"}}},
		{name: "free long after the window", expected: wrong, steps: []step{three, {"limit 2", 3, 4, "0 0 1070"}}},
	})
}
