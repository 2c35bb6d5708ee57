package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
	"github.com/memverbs/memverbs/proxy"
)

// section is a mapping of a file: settings, and keys whose values are read by functions.
type section struct {
	*pflag.FlagSet
	title string // where its keys belong
	parts []part // of its settings, for those who read about them
	other map[string]func(yamlfile.Node) error
	given map[string]yamlfile.Node // the values by key, once they are read
	wrong map[string]bool          // the keys whose values were refused
	// unknown says that there was a key that the section does not have: what seems to be missing
	// may be written there.
	unknown bool
}

func newSection(title string, other map[string]func(yamlfile.Node) error) *section {
	f := pflag.NewFlagSet(title, pflag.ContinueOnError)
	f.SortFlags = false
	return &section{FlagSet: f, title: title, other: other, given: make(map[string]yamlfile.Node), wrong: make(map[string]bool)}
}

// part is a number of settings of a section, one after the other.
type part struct {
	title    string
	settings []*pflag.Flag
}

// part adds the settings that define defines as a part.
func (s *section) part(title string, define func(f *pflag.FlagSet)) {
	f := pflag.NewFlagSet(title, pflag.ContinueOnError)
	f.SortFlags = false
	define(f)
	p := part{title: title}
	f.VisitAll(func(setting *pflag.Flag) { p.settings = append(p.settings, setting) })
	s.parts = append(s.parts, p)
	s.AddFlagSet(f)
}

// read reads the mapping. Its error tells all that is wrong.
func (s *section) read(n yamlfile.Node) error {
	return eachEntry(n, s.readEntry)
}

func (s *section) readEntry(e yamlfile.Entry) error {
	s.given[e.Key] = e.Value
	err := s.readValue(e)
	s.wrong[e.Key] = err != nil
	return err
}

func (s *section) readValue(e yamlfile.Entry) error {
	if read, ok := s.other[e.Key]; ok {
		return read(e.Value)
	}
	f := s.Lookup(e.Key)
	if f == nil {
		s.unknown = true
		if isNutcracker(e.Value) {
			return e.At.Errorf("%q is a pool of a file of twemproxy: memverbs import makes a file of memverbs from one", e.Key)
		}
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
		return n.Errorf("%s: %w", key, err)
	}
	return nil
}

// lacks reports whether a key is missing for sure, rather than misspelt, or lost because the
// section could not be read.
func (s *section) lacks(key string) bool {
	_, given := s.given[key]
	return !given && !s.unknown && len(s.given) > 0
}

// refused reports whether the value of one of keys was refused.
func (s *section) refused(keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return s.wrong[key] })
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

// shown returns those settings of the section whose names are wanted.
func (s *section) shown(wanted func(name string) bool) (list []proxy.Setting) {
	s.VisitAll(func(f *pflag.Flag) {
		if wanted(f.Name) {
			list = append(list, proxy.Setting{Name: f.Name, Text: f.Value.String()})
		}
	})
	return list
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
	if best := nearest(word, known); best != "" {
		return fmt.Sprintf("; is %q meant?", best)
	}
	if len(known) <= few {
		return fmt.Sprintf(": expected one of %q", known)
	}
	return ": see the keys in the documentation"
}

// nearest returns the known word that may be meant by an unknown one, empty if there is none.
func nearest(word string, known []string) (best string) {
	distance := min(3, max(1, len(word)/2)) + 1
	for _, k := range known {
		if d := levenshtein.ComputeDistance(word, k); d < distance {
			best, distance = k, d
		}
	}
	return best
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
