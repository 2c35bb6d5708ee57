package memverbs

import "strconv"

// Leaderboard has members with scores, which are whole numbers; the highest come first.
type Leaderboard structure

// Leaderboard returns the leaderboard with a name.
func (v *Verbs) Leaderboard(name string) Leaderboard { return Leaderboard(v.structure(name)) }

// Score is a member with its score.
type Score struct {
	Member string
	Score  int64
}

// Put sets the score of a member.
func (b Leaderboard) Put(member string, score int64) error {
	_, err := b.verbs.set(strconv.FormatInt(score, 10)+" "+Word(member), "zadd", b.name)
	return err
}

// Add adds points to a score, and returns the new one. memcached knows no negative results: if the score is below zero then,
// that is an error; it is counted all the same.
func (b Leaderboard) Add(member string, points int64) (uint64, error) {
	return b.verbs.count(points, "zincrby", b.name, Word(member))
}

// Score returns the score of a member, and whether there is one.
func (b Leaderboard) Score(member string) (score int64, found bool, err error) {
	value, err := b.verbs.get("zget", b.name, Word(member))
	if err != nil || value == nil || string(value) == "null" {
		return 0, false, err
	}
	score, err = strconv.ParseInt(string(value), 10, 64)
	return score, true, err
}

// Place returns the place of a member, from 0 for the highest score, or -1 if there is none.
func (b Leaderboard) Place(member string) (int, error) {
	value, err := b.verbs.get("zrevrank", b.name, Word(member))
	if err != nil || value == nil {
		return -1, err
	}
	return strconv.Atoi(string(value))
}

// Top returns so many members with the highest scores, after so many others.
func (b Leaderboard) Top(count, offset int) ([]Score, error) {
	return scores(b.verbs.get("zrevrange", b.name, strconv.Itoa(offset), strconv.Itoa(count), "withscores"))
}

// Around returns a member with so many before it and after it, or none if it is not there.
func (b Leaderboard) Around(member string, count int) ([]Score, error) {
	return scores(b.verbs.get("zrevaround", b.name, Word(member), strconv.Itoa(count), "withscores"))
}

// Remove removes a member.
func (b Leaderboard) Remove(member string) error {
	_, err := b.verbs.delete("zrem", b.name, Word(member))
	return err
}

// scores reads members, each followed by its score.
func scores(value []byte, err error) ([]Score, error) {
	if err != nil {
		return nil, err
	}
	words, err := textsOf(value)
	if err != nil {
		return nil, err
	}
	found := make([]Score, len(words)/2)
	for i := range found {
		score, err := strconv.ParseInt(words[2*i+1], 10, 64)
		if err != nil {
			return nil, err
		}
		found[i] = Score{words[2*i], score}
	}
	return found, nil
}
