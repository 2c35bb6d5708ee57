package structures

import "testing"

func TestTheModelOfLocksTellsRightFromWrong(t *testing.T) {
	mine, theirs := step{"lock a 1", 1, 2, "STORED"}, step{"lock b 1", 1500, 1501, "STORED"}
	try(t, locks, lockLanguage{}, []trial{
		{name: "in turn", expected: right, steps: []step{
			{"get", 0, 1, ""}, {"relock a 1", 1, 2, "NOT_FOUND"}, {"lock a 1", 3, 4, "STORED"}, {"lock b 1", 5, 6, "NOT_STORED"},
			{"relock b 1", 5, 6, "EXISTS"}, {"unlock b", 5, 6, "EXISTS"}, {"get", 7, 8, "a"}, {"relock a 2", 9, 10, "STORED"},
			{"lock a 1", 11, 12, "STORED"}, {"unlock a", 13, 14, "DELETED"}, {"unlock a", 15, 16, "NOT_FOUND"}, {"lock b 1", 17, 18, "STORED"}}},
		{name: "two hold it", expected: wrong, steps: []step{mine, {"lock b 1", 3, 4, "STORED"}}},
		{name: "nobody holds it", expected: wrong, steps: []step{{"lock b 1", 3, 4, "NOT_STORED"}}},
		{name: "lost", expected: wrong, steps: []step{mine, {"relock a 1", 3, 4, "NOT_FOUND"}}},
		{name: "released by another", expected: wrong, steps: []step{mine, {"unlock b", 3, 4, "DELETED"}}},
		{name: "its time is over", expected: right, steps: []step{mine, theirs}},
		{name: "or not yet", expected: right, steps: []step{mine, {"lock b 1", 1500, 1501, "NOT_STORED"}, {"unlock a", 1502, 1503, "DELETED"}}},
		{name: "over too early", expected: wrong, steps: []step{mine, {"lock b 1", 950, 951, "STORED"}}},
		{name: "perhaps just in time", expected: right, steps: []step{mine, {"lock b 1", 950, 1050, "STORED"}}},
		{name: "held on", expected: wrong, steps: []step{mine, {"relock a 1", 900, 901, "STORED"}, theirs}},
		{name: "perhaps held on", expected: right, steps: []step{mine, {"relock a 1", 900, 0, unanswered}, theirs}},
		{name: "over, and back", expected: wrong, steps: []step{mine, {"get", 1500, 1501, ""}, {"get", 1502, 1503, "a"}}},
		{name: "perhaps taken", expected: right, steps: []step{{"lock a 1", 1, 0, unanswered}, {"lock b 1", 3, 4, "NOT_STORED"}, {"unlock a", 5, 6, "DELETED"}}},
		{name: "perhaps taken, but once", expected: wrong, steps: []step{
			{"lock a 1", 1, 0, unanswered}, {"lock b 1", 3, 4, "NOT_STORED"}, {"unlock a", 5, 6, "DELETED"}, {"get", 7, 8, "a"}}},
		{name: "the memcached died", expected: right, steps: []step{mine, {"vanish", 3, 0, unanswered}, {"lock b 1", 4, 5, "STORED"}}},
		{name: "but once", expected: wrong, steps: []step{mine, {"vanish", 3, 0, unanswered}, {"lock b 1", 4, 5, "STORED"}, {"lock c 1", 6, 7, "STORED"}}},
		{name: "evicted", expected: right, forgetful: true, steps: []step{mine, {"lock b 1", 4, 5, "STORED"}}},
		{name: "evicted, and released by another", expected: wrong, forgetful: true, steps: []step{mine, {"lock b 1", 4, 5, "STORED"}, {"unlock a", 6, 7, "DELETED"}}},
	})
}
