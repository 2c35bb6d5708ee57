package structures

import "testing"

func TestTheModelOfRankingsTellsRightFromWrong(t *testing.T) {
	ab := step{"zadd 1 a 2 b", 1, 2, "STORED"}
	try(t, rankings, rankingLanguage{}, []trial{
		{name: "in order", expected: right, steps: []step{
			{"zcard", 1, 2, "NOT_FOUND"}, {"zrange", 3, 4, "absent"}, {"zrem a", 5, 6, "NOT_FOUND"}, {"zget a", 7, 8, "NOT_FOUND"},
			{"zadd 2 a 1 b 2 c", 9, 10, "STORED"}, {"zrange", 11, 12, "[b1a2c2"}, {"zrevrange 0 2", 13, 14, "[c2a2"}, {"zrange 2 -1", 15, 16, "[c2"},
			{"zinc a b", 17, 18, "STORED"}, {"zdec c", 19, 20, "STORED"}, {"zsub 3 b", 21, 22, "STORED"}, {"zget a b d", 23, 24, "3 -1 null"},
			{"zincrby 2 a -1 d 1 a", 25, 26, "5 -1 6"}, {"zincrbyp 1 d 3600", 27, 28, "0"}, {"zrank d", 29, 30, "1"}, {"zrevrank d", 31, 32, "2"},
			{"zrem d e", 33, 34, "STORED"}, {"zrank d", 35, 36, "NOT_FOUND"}, {"zcard", 37, 38, "3"}, {"delete", 39, 40, "DELETED"}, {"delete", 41, 42, "NOT_FOUND"}}},
		{name: "raised, lowered and taken out", expected: right, steps: []step{ab, {"zmax 3 a 1 b -2 c", 3, 4, "STORED"}, {"zmin 1 b 5 a", 5, 6, "STORED"},
			{"zbyscore - 1", 7, 8, "[c-2b1"}, {"zcount 0 +", 9, 10, "2"}, {"zpopmin", 11, 12, "[c-2"}, {"zpopmax 2", 13, 14, "[a3b1"}, {"zpopmin", 15, 16, "["},
			{"zadd 1 a 2 b 3 c", 17, 18, "STORED"}, {"ztrim 2", 19, 20, "STORED"}, {"ztrim -1", 21, 22, "STORED"}, {"zrange", 23, 24, "[b2"}}},
		{name: "by score from the top, and neighbours", expected: right, steps: []step{{"zaround a 1", 1, 2, "NOT_FOUND"}, {"zadd 1 a 2 b 3 c 4 d", 3, 4, "STORED"},
			{"zrevbyscore 3 2", 5, 6, "[c3b2"}, {"zrevbyscore + 4", 7, 8, "[d4"}, {"zaround b 1", 9, 10, "[a1b2c3"}, {"zrevaround d 1", 11, 12, "[d4c3"},
			{"zrevaround e 1", 13, 14, "NOT_FOUND"}, {"zaround a 0", 15, 16, "[a1"}}},
		{name: "a neighbour is missing", expected: wrong, steps: []step{ab, {"zaround a 1", 3, 4, "[a1"}}},
		{name: "one popped twice", expected: wrong, steps: []step{ab, {"zpopmin", 3, 6, "[a1"}, {"zpopmin", 4, 5, "[a1"}}},
		{name: "not the lowest", expected: wrong, steps: []step{ab, {"zpopmin", 3, 6, "[b2"}}},
		{name: "lowered by zmax", expected: wrong, steps: []step{ab, {"zmax 1 b", 3, 6, "STORED"}, {"zget b", 7, 8, "1"}}},
		{name: "emptied", expected: right, steps: []step{ab, {"zrem a b", 3, 4, "STORED"}, {"zrange", 5, 6, "["}, {"zcard", 7, 8, "0"}}},
		{name: "two sums at once", expected: right, steps: []step{ab, {"zincrby 1 a", 3, 6, "3"}, {"zincrby 1 a", 4, 5, "2"}}},
		{name: "the same sum twice", expected: wrong, steps: []step{ab, {"zincrby 1 a", 3, 6, "2"}, {"zincrby 1 a", 4, 5, "2"}}},
		{name: "a sum of two that another saw by half", expected: wrong, steps: []step{ab, {"zincrby 1 a 1 b", 3, 6, "2 3"}, {"zget a b", 4, 5, "2 2"}}},
		{name: "an increment was lost", expected: wrong, steps: []step{ab, {"zinc a", 3, 4, "STORED"}, {"zget a", 5, 6, "1"}}},
		{name: "an increment without an answer", expected: right, steps: []step{ab, {"zincrby 1 a", 3, 0, unanswered}, {"zget a", 4, 5, "1"}, {"zget a", 6, 7, "2"}}},
		{name: "comes but once", expected: wrong, steps: []step{ab, {"zincrby 1 a", 3, 0, unanswered}, {"zget a", 4, 5, "3"}}},
		{name: "in the wrong order", expected: wrong, steps: []step{ab, {"zrange", 3, 4, "[b2a1"}}},
		{name: "a removed member came back", expected: wrong, steps: []step{ab, {"zrem a", 3, 4, "STORED"}, {"zcard", 5, 6, "1"}, {"zget a", 7, 8, "1"}}},
		{name: "undone before its time", expected: wrong, steps: []step{ab, {"zincrbyp 5 a 3600", 3, 4, "6"}, {"zget a", 5, 6, "1"}}},
		{name: "the memcached died", expected: right, steps: []step{ab, {"vanish", 3, 0, unanswered}, {"zcard", 4, 5, "2"}, {"zinc a", 6, 7, "STORED"}, {"zrange", 8, 9, "[a1"}}},
		{name: "and the ranking came back", expected: wrong, steps: []step{ab, {"vanish", 3, 0, unanswered}, {"zcard", 4, 5, "NOT_FOUND"}, {"zcard", 6, 7, "2"}}},
		{name: "gone though nothing happened", expected: wrong, steps: []step{ab, {"zcard", 4, 5, "NOT_FOUND"}}},
		{name: "evicted", expected: right, forgetful: true, steps: []step{ab, {"zget a", 4, 5, "NOT_FOUND"}, {"zincrby 1 a", 6, 7, "1"}, {"zrange", 8, 9, "[a1"}}},
		{name: "evicted by half", expected: wrong, forgetful: true, steps: []step{ab, {"zrange", 4, 5, "[b2"}}},
	})
}
