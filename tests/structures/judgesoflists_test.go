package structures

import "testing"

func TestTheModelOfListsTellsRightFromWrong(t *testing.T) {
	abc := step{"rpush a b c", 1, 2, "STORED"}
	try(t, lists, listLanguage{}, []trial{
		{name: "in order", expected: right, steps: []step{
			{"llen", 1, 2, "NOT_FOUND"}, {"ltrim 0 0", 3, 4, "NOT_FOUND"}, {"lpop 1", 5, 6, "absent"}, {"lpush a b", 7, 8, "STORED"},
			{"rpush c b a", 9, 10, "STORED"}, {"lrange", 11, 12, "[bacba"}, {"lrem -1 b", 13, 14, "STORED"}, {"lrange 1 -1", 15, 16, "[aca"},
			{"lrem 0 a", 17, 18, "STORED"}, {"rpop 4", 19, 20, "[cb"}, {"lpop 1", 21, 22, "["}, {"llen", 23, 24, "0"},
			{"delete", 25, 26, "DELETED"}, {"lrem 1 a", 27, 28, "NOT_FOUND"}}},
		{name: "cut", expected: right, steps: []step{abc, {"ltrim -2 5", 3, 4, "STORED"}, {"lrange -9 0", 5, 6, "[b"}, {"lrange 2 1", 7, 8, "["}}},
		{name: "two pushes at the same time", expected: right, steps: []step{
			{"rpush a", 1, 10, "STORED"}, {"rpush b", 2, 9, "STORED"}, {"lrange", 11, 12, "[ba"}}},
		{name: "two pushes out of order", expected: wrong, steps: []step{
			{"rpush a", 1, 2, "STORED"}, {"rpush b", 3, 4, "STORED"}, {"lrange", 5, 6, "[ba"}}},
		{name: "another came between the elements of one push", expected: wrong, steps: []step{
			{"rpush a b", 1, 10, "STORED"}, {"rpush c", 2, 9, "STORED"}, {"lrange", 11, 12, "[acb"}}},
		{name: "a push was lost", expected: wrong, steps: []step{abc, abc, {"llen", 3, 4, "3"}}},
		{name: "a pop of two at once", expected: right, steps: []step{abc, {"lpop 1", 3, 6, "[b"}, {"lpop 1", 4, 5, "[a"}}},
		{name: "popped twice", expected: wrong, steps: []step{abc, {"lpop 1", 3, 6, "[a"}, {"lpop 1", 4, 5, "[a"}}},
		{name: "from the wrong end", expected: wrong, steps: []step{abc, {"rpop 1", 3, 4, "[c"}, {"lrange", 5, 6, "[bc"}}},
		{name: "a popped element came back", expected: wrong, steps: []step{abc, {"lpop 2", 3, 4, "[ab"}, {"lrange", 5, 6, "[c"}, {"lrange", 7, 8, "[bc"}}},
		{name: "a pop without an answer", expected: right, steps: []step{abc, {"lpop 1", 3, 0, unanswered}, {"llen", 4, 5, "3"}, {"lrange", 6, 7, "[bc"}}},
		{name: "comes but once", expected: wrong, steps: []step{abc, {"lpop 1", 3, 0, unanswered}, {"lrange", 6, 7, "[bc"}, {"lrange", 8, 9, "[c"}}},
		{name: "a push without an answer", expected: right, steps: []step{abc, {"lpush a", 3, 0, unanswered}, {"rpop 1", 4, 5, "[c"}, {"lrange", 6, 7, "[aab"}}},
		{name: "of which a half came", expected: wrong, steps: []step{abc, {"lpush a b", 3, 0, unanswered}, {"lrange", 6, 7, "[aabc"}}},
		{name: "the memcached died", expected: right, steps: []step{abc, {"vanish", 3, 0, unanswered}, {"lrange", 4, 5, "[abc"}, {"llen", 6, 7, "NOT_FOUND"}}},
		{name: "and the list came back", expected: wrong, steps: []step{abc, {"vanish", 3, 0, unanswered}, {"llen", 4, 5, "NOT_FOUND"}, {"llen", 6, 7, "3"}}},
		{name: "gone though nothing happened", expected: wrong, steps: []step{abc, {"llen", 4, 5, "NOT_FOUND"}}},
		{name: "evicted", expected: right, forgetful: true, steps: []step{abc, {"llen", 4, 5, "NOT_FOUND"}, {"rpush a", 6, 7, "STORED"}, {"lrange", 8, 9, "[a"}}},
		{name: "evicted by half", expected: wrong, forgetful: true, steps: []step{abc, {"lrange", 4, 5, "[bc"}}},
		{name: "evicted and back", expected: wrong, forgetful: true, steps: []step{abc, {"rpush a", 6, 7, "STORED"}, {"lrange", 8, 9, "[a"}, {"lrange", 10, 11, "[abca"}}},
	})
}
