package memverbs

import (
	"strconv"
	"time"
)

// Set is a set of texts.
type Set structure

// Set returns the set with a name.
func (v *Verbs) Set(name string) Set { return Set(v.structure(name)) }

// Add adds members.
func (s Set) Add(members ...string) error {
	_, err := s.verbs.set(wordsOf(members), "sadd", s.name)
	return err
}

// AddFor adds members for so long.
func (s Set) AddFor(stay time.Duration, members ...string) error {
	_, err := s.verbs.set(wordsOf(members), "saddp", s.name, strconv.Itoa(seconds(stay)))
	return err
}

// AddNew adds a member, and returns whether it was not there.
func (s Set) AddNew(member string) (bool, error) {
	return s.verbs.add(Word(member), 0, "saddnew", s.name)
}

// Remove removes members, such as are there.
func (s Set) Remove(members ...string) error {
	_, err := s.verbs.set(wordsOf(members), "srem", s.name)
	return err
}

// Has tells whether a member is there.
func (s Set) Has(member string) (bool, error) {
	value, err := s.verbs.get("sismember", s.name, Word(member))
	return string(value) == "1", err
}

// Members returns all members.
func (s Set) Members() ([]string, error) {
	value, err := s.verbs.get("smembers", s.name)
	if err != nil {
		return nil, err
	}
	return textsOf(value)
}
