//go:build linux

package clients

import (
	"fmt"
	"math/rand/v2"

	"github.com/memverbs/memverbs/tests/bench/article"
	"github.com/memverbs/memverbs/tests/bench/verbload"
)

// Job is what the clients do, all the time.
type Job struct {
	Addrs []string // of the memcacheds
	Conns int      // clients
	Verb  Verb
	Sets  verbload.Sets
}

// Verb is what is done to a set.
type Verb string

// What can be done to a set. Of [Sadd], each adds a member from the pool;
// [Smembers] and the others expect the members that the set had in the
// beginning.
const (
	Sadd      Verb = "sadd"
	Smembers  Verb = "smembers"
	Sismember Verb = "sismember"
	Scard     Verb = "scard"
)

// act returns what a client does once. Clients share it.
func (j *Job) act() (func(*article.Sets) error, error) {
	key := texts(j.Sets.Keys, j.Sets.Key)
	member := texts(j.Sets.Pool, j.Sets.Member)
	switch j.Verb {
	case Sadd:
		return func(sets *article.Sets) error { return sets.Add(pick(key), pick(member)) }, nil
	case Smembers:
		return func(sets *article.Sets) error {
			members, err := sets.Members(pick(key))
			return j.whole(len(members), err)
		}, nil
	case Scard:
		return func(sets *article.Sets) error { return j.whole(sets.Count(pick(key))) }, nil
	case Sismember:
		return func(sets *article.Sets) error {
			has, err := sets.Has(pick(key), pick(member[:j.Sets.Members]))
			if err == nil && !has {
				err = fmt.Errorf("a member is missing")
			}
			return err
		}, nil
	}
	return nil, fmt.Errorf("there is no verb %q", j.Verb)
}

// whole checks the number of members that a set has.
func (j *Job) whole(members int, err error) error {
	if err == nil && members != j.Sets.Members {
		err = fmt.Errorf("%d members instead of %d", members, j.Sets.Members)
	}
	return err
}

func texts(n int, make func(i int) string) (texts []string) {
	for i := range n {
		texts = append(texts, make(i))
	}
	return texts
}

func pick(from []string) string { return from[rand.IntN(len(from))] }
