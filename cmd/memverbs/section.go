package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
)

// section is a mapping of a file: settings, and keys whose values are read by functions.
type section struct {
	*pflag.FlagSet
	title string // where its keys belong
	other map[string]func(yamlfile.Node) error
	given map[string]yamlfile.Node // the values by key, once they are read
}

func newSection(title string, other map[string]func(yamlfile.Node) error) *section {
	f := pflag.NewFlagSet(title, pflag.ContinueOnError)
	f.SortFlags = false
	return &section{f, title, other, make(map[string]yamlfile.Node)}
}

// read reads the mapping. Its error tells all that is wrong.
func (s *section) read(n yamlfile.Node) error {
	return eachEntry(n, s.readEntry)
}

func (s *section) readEntry(e yamlfile.Entry) error {
	s.given[e.Key] = e.Value
	if read, ok := s.other[e.Key]; ok {
		return read(e.Value)
	}
	f := s.Lookup(e.Key)
	if f == nil {
		return e.At.Errorf("no key %q here%s", e.Key, s.hint(e.Key))
	}
	if l, ok := f.Value.(listValue); ok && !(l.takesText() && e.Value.IsText()) {
		return eachElement(e.Value, func(n yamlfile.Node) error {
			return setFrom(n, e.Key, func(text string) error { return l.add([]string{text}) })
		})
	}
	return setFrom(e.Value, e.Key, f.Value.Set)
}

// listValue is a setting that is a list.
type listValue interface {
	add(elements []string) error
	takesText() bool
}

// setFrom sets the value of a key from its text.
func setFrom(n yamlfile.Node, key string, set func(text string) error) error {
	text, err := n.Text()
	if err != nil {
		return err
	}
	if err := set(text); err != nil {
		return n.Errorf("%s: %v", key, err)
	}
	return nil
}

// keys returns the keys that the section may have.
func (s *section) keys() (keys []string) {
	for key := range s.other {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	s.VisitAll(func(f *pflag.Flag) { keys = append(keys, f.Name) })
	return keys
}

// hint returns the end of an error about an unknown key: where it belongs, or what may be
// meant.
func (s *section) hint(key string) string {
	for _, other := range emptySections() {
		if slices.Contains(other.keys(), key) {
			return ": it belongs " + other.title
		}
	}
	return suggest(key, s.keys())
}

// suggest returns the end of an error about an unknown word: the word that may be meant, or all
// that there are, if these are few.
func suggest(word string, known []string) string {
	const few = 12
	best, distance := "", min(3, max(1, len(word)/2))+1
	for _, k := range known {
		if d := levenshtein.ComputeDistance(word, k); d < distance {
			best, distance = k, d
		}
	}
	switch {
	case best != "":
		return fmt.Sprintf("; is %q meant?", best)
	case len(known) <= few:
		return fmt.Sprintf(": expected one of %q", known)
	}
	return ": see the keys in the documentation"
}

// eachEntry calls do for each entry of a mapping and returns all errors.
func eachEntry(n yamlfile.Node, do func(yamlfile.Entry) error) error {
	entries, err := n.Entries()
	errs := []error{err}
	for _, e := range entries {
		errs = append(errs, do(e))
	}
	return errors.Join(errs...)
}

// eachElement calls do for each element of a list and returns all errors.
func eachElement(n yamlfile.Node, do func(yamlfile.Node) error) error {
	list, err := n.List()
	errs := []error{err}
	for _, element := range list {
		errs = append(errs, do(element))
	}
	return errors.Join(errs...)
}
