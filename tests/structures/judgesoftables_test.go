package structures

import "testing"

func TestTheModelOfTablesTellsRightFromWrong(t *testing.T) {
	one, two, other := step{"hset a 1", 1, 2, "STORED"}, step{"hset a 2", 3, 4, "STORED"}, step{"hset b 3", 3, 4, "STORED"}
	try(t, tables, tableLanguage{}, []trial{
		{name: "in order", expected: right, steps: []step{
			{"hlen", 1, 2, "NOT_FOUND"}, {"hkeys", 3, 4, "absent"}, {"hgetall", 3, 4, "{}"}, {"hadd a 5", 5, 6, "STORED"},
			{"hadd a 6", 7, 8, "NOT_STORED"}, {"hincr a 2", 9, 10, "7"}, {"hdecr a 9", 11, 12, "0"}, {"hdecr b 1", 13, 14, "NOT_FOUND"},
			{"hset b 3", 15, 16, "STORED"}, {"hgetall", 17, 18, "{a=0 b=3}"}, {"hdel a c", 19, 20, "DELETED"}, {"hdel a", 21, 22, "NOT_FOUND"},
			{"hexists a b", 23, 24, "0 1"}, {"hkeys", 25, 26, "{b}"}, {"hlen", 27, 28, "1"}, {"delete", 29, 30, "DELETED"},
			{"hexists b", 31, 32, "NOT_FOUND"}, {"hget a b", 33, 34, "{}"}}},
		{name: "a row was lost", expected: wrong, steps: []step{one, other, {"hget a b", 5, 6, "{b=3}"}}},
		{name: "an error that no such table gives", expected: wrong, steps: []step{{"hget a", 1, 2, "CLIENT_ERROR a does not hold a table"}}},
		{name: "an old row", expected: wrong, steps: []step{one, two, {"hget a", 5, 6, "{a=1}"}}},
		{name: "two at the same time", expected: right, steps: []step{one, {"hset a 2", 1, 9, "STORED"}, {"hget a", 5, 6, "{a=1}"}, {"hget a", 7, 8, "{a=2}"}}},
		{name: "added twice", expected: wrong, steps: []step{{"hadd a 1", 1, 9, "STORED"}, {"hadd a 2", 2, 8, "STORED"}}},
		{name: "counted from", expected: right, steps: []step{{"hincr a 2 7", 1, 2, "7"}, {"hincr b 2 9", 3, 4, "9"}, {"hincr a 2 9", 5, 6, "9"}, {"hkeys", 7, 8, "{a b}"}}},
		{name: "counted from twice", expected: wrong, steps: []step{{"hincr a 2 7", 1, 4, "7"}, {"hincr a 2 8", 2, 3, "8"}}},
		{name: "counted from, which makes the table", expected: wrong, steps: []step{{"hincr b 2 7", 1, 2, "7"}, {"hexists a", 3, 4, "NOT_FOUND"}}},
		{name: "counted once of two", expected: wrong, steps: []step{one, {"hincr a 1", 3, 6, "2"}, {"hincr a 1", 3, 6, "2"}}},
		{name: "counted without an answer", expected: right, steps: []step{one, {"hincr a 1", 3, 0, unanswered}, {"hget a", 4, 5, "{a=1}"}, {"hget a", 6, 7, "{a=2}"}}},
		{name: "counted twice without an answer", expected: wrong, steps: []step{one, {"hincr a 1", 3, 0, unanswered}, {"hget a", 4, 5, "{a=3}"}}},
		{name: "unlisted", expected: wrong, steps: []step{one, other, {"hkeys", 5, 6, "{b}"}}},
		{name: "not among all", expected: wrong, steps: []step{one, other, {"hgetall", 5, 6, "{b=3}"}}},
		{name: "not counted", expected: wrong, steps: []step{one, {"hlen", 5, 6, "0"}}},
		{name: "not listed yet", expected: right, steps: []step{{"hset a 1", 1, 9, "STORED"}, {"hget a", 2, 3, "{a=1}"}, {"hgetall", 4, 5, "{}"}}},
		{name: "unlisted as it was stored by half", expected: right, steps: []step{{"hset a 1", 1, 0, unanswered}, {"hget a", 2, 3, "{a=1}"}, {"hkeys", 4, 5, "{}"}}},
		{name: "unlisted when it was set again", expected: wrong, steps: []step{{"hset a 1", 1, 0, unanswered}, two, {"hkeys", 5, 6, "{}"}}},
		{name: "listed after it was deleted", expected: wrong, steps: []step{one, {"hdel a", 3, 4, "DELETED"}, {"hkeys", 5, 6, "{a}"}}},
		{name: "listed twice", expected: wrong, steps: []step{one, {"hkeys", 5, 6, "{a a}"}}},
		{name: "a removed row came back", expected: wrong, steps: []step{one, {"hdel a", 3, 4, "DELETED"}, {"hget a", 5, 6, "{}"}, {"hget a", 7, 8, "{a=1}"}}},
		{name: "a removed row came back with others", expected: wrong, steps: []step{one, {"hdel a b", 3, 4, "DELETED"}, {"hget a", 7, 8, "{a=1}"}}},
		{name: "named twice while it is deleted", expected: right, steps: []step{one, {"hdel a", 3, 9, "DELETED"}, {"hexists a b a", 4, 5, "1 0 0"}, {"hget a a", 3, 6, "{a=1}"}}},
		{name: "named twice and there once", expected: wrong, steps: []step{one, {"hexists a b a", 4, 5, "1 0 0"}}},
		{name: "named twice and told once", expected: wrong, steps: []step{one, {"hget a a", 4, 5, "{a=1}"}}},
		{name: "named twice and back", expected: wrong, steps: []step{one, {"hdel a", 3, 4, "DELETED"}, {"hexists a a", 5, 6, "1 0"}}},
		{name: "a row of a dead table", expected: wrong, steps: []step{one, {"delete", 2, 3, "DELETED"}, other, {"hget a", 5, 6, "{a=1}"}}},
		{name: "was told DELETED without a table", expected: wrong, steps: []step{{"delete", 2, 3, "DELETED"}}},
		{name: "the memcached died", expected: right, steps: []step{one, {"vanish", 3, 0, unanswered}, other, {"hkeys", 5, 6, "{b}"}}},
		{name: "and took but half", expected: wrong, steps: []step{one, {"vanish", 3, 0, unanswered}, other, {"hkeys", 5, 6, "{b}"}, {"hget a", 7, 8, "{a=1}"}}},
		{name: "a table is gone though nothing happened", expected: wrong, steps: []step{one, {"hkeys", 5, 6, "absent"}}},
		{name: "the row was evicted", expected: right, forgetful: true, steps: []step{one, other, {"hgetall", 5, 6, "{b=3}"}, {"hget a", 7, 8, "{}"}}},
		{name: "the table was evicted", expected: right, forgetful: true, steps: []step{one, other, {"hkeys", 5, 6, "absent"}}},
		{name: "the row was evicted and is back", expected: wrong, forgetful: true, steps: []step{one, other, {"hgetall", 5, 6, "{b=3}"}, {"hget a", 7, 8, "{a=1}"}}},
		{name: "the table was evicted and is back", expected: wrong, forgetful: true, steps: []step{one, {"hlen", 5, 6, "NOT_FOUND"}, {"hget a", 7, 8, "{a=1}"}}},
		{name: "the index was evicted while a row was set", expected: right, forgetful: true, steps: []step{
			one, {"hset a 2", 3, 10, "STORED"}, {"hget a", 4, 5, "{a=2}"}, {"hkeys", 6, 7, "absent"}, {"hget a", 11, 12, "{a=2}"}}},
		{name: "set again after it was told", expected: wrong, forgetful: true, steps: []step{
			one, {"hset a 2", 3, 6, "STORED"}, {"hkeys", 7, 8, "absent"}, {"hget a", 11, 12, "{a=2}"}}},
	})
}
