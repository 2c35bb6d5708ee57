//go:build linux

package clients

import (
	"fmt"
	"math/rand/v2"

	"github.com/bradfitz/gomemcache/memcache"

	"github.com/memverbs/memverbs/tests/bench/verbload"
)

// Job is what the clients do again and again, and the structures that they do it to: those that the verb
// is about.
type Job struct {
	Addrs  []string // of the memcacheds
	Conns  int      // clients
	Verb   Verb
	Sets   verbload.Sets
	Lists  verbload.Lists
	Tables verbload.Tables
	Locks  verbload.Locks
}

// Verb is what is done.
type Verb string

// act is what a client does once. Clients share it.
type act func(*memcache.Client) error

// act returns what the verb of the job is.
func (j *Job) act() (act, error) {
	for _, acts := range []map[Verb]act{setActs(j.Sets), listActs(j.Lists), tableActs(j.Tables), lockActs(j.Locks)} {
		if act := acts[j.Verb]; act != nil {
			return act, nil
		}
	}
	return nil, fmt.Errorf("there is no verb %q", j.Verb)
}

func texts(n int, make func(i int) string) (texts []string) {
	for i := range n {
		texts = append(texts, make(i))
	}
	return texts
}

func pick(from []string) string { return from[rand.IntN(len(from))] }

// whole checks how many things came.
func whole(came, want int, what string, err error) error {
	if err == nil && came != want {
		err = fmt.Errorf("%d %s instead of %d", came, what, want)
	}
	return err
}
