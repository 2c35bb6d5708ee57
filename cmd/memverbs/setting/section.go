package setting

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
)

// Section is a mapping of a file: settings, and keys whose values are read by functions.
type Section struct {
	*pflag.FlagSet
	Parts []*pflag.FlagSet         // its settings, for those who read about them
	Given map[string]yamlfile.Node // the values by key, once they are read
	// Unknown are the keys that are unknown to the section; one of them may be a misspelt required key.
	Unknown []yamlfile.Entry

	other map[string]func(yamlfile.Node) error
	wrong map[string]bool // the keys whose values were refused
}

// NewSection returns a section. title tells where its keys belong. other reads the values of keys that are no settings.
func NewSection(title string, other map[string]func(yamlfile.Node) error) *Section {
	return &Section{FlagSet: NewSet(title), Given: make(map[string]yamlfile.Node), other: other, wrong: make(map[string]bool)}
}

// Part adds the settings that define defines, with a title.
func (s *Section) Part(title string, define func(f *pflag.FlagSet)) {
	f := NewSet(title)
	define(f)
	s.Parts = append(s.Parts, f)
	s.AddFlagSet(f)
}

// Read reads the mapping. Its error has all mistakes except unknown keys.
func (s *Section) Read(n yamlfile.Node) error {
	return EachEntry(n, func(e yamlfile.Entry) error {
		s.Given[e.Key] = e.Value
		err := s.readValue(e)
		s.wrong[e.Key] = err != nil
		return err
	})
}

func (s *Section) readValue(e yamlfile.Entry) error {
	if read, ok := s.other[e.Key]; ok {
		return read(e.Value)
	}
	f := s.Lookup(e.Key)
	if f == nil {
		s.Unknown = append(s.Unknown, e)
		return nil
	}
	if l, ok := f.Value.(elements); ok && l.takesPairs() {
		return EachEntry(e.Value, func(pair yamlfile.Entry) error {
			return SetFrom(pair.Value, e.Key, func(text string) error { return l.add([]string{pair.Key + "=" + text}) })
		})
	}
	if l, ok := f.Value.(elements); ok && !(l.takesText() && e.Value.IsText()) {
		return EachElement(e.Value, func(n yamlfile.Node) error {
			return SetFrom(n, e.Key, func(text string) error { return l.add([]string{text}) })
		})
	}
	return SetFrom(e.Value, e.Key, f.Value.Set)
}

// Lacks reports whether a key is missing for sure, rather than misspelt, or lost because the
// section could not be read.
func (s *Section) Lacks(key string) bool {
	_, given := s.Given[key]
	return !given && s.Unknown == nil && len(s.Given) > 0
}

// Refused reports whether the value of one of keys was refused.
func (s *Section) Refused(keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return s.wrong[key] })
}

// Keys returns the keys that the section may have.
func (s *Section) Keys() (keys []string) {
	for key := range s.other {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	s.VisitAll(func(f *pflag.Flag) { keys = append(keys, f.Name) })
	return keys
}

// Place returns an error about settings, which begins with the name of one, with the place of that setting in the
// file or, if it is not given there, the place of the section.
func (s *Section) Place(at yamlfile.Node, err error) error {
	if err == nil {
		return nil
	}
	name, _, _ := strings.Cut(err.Error(), ":")
	if given, ok := s.Given[name]; ok {
		at = given
	}
	return at.Errorf("%w", err)
}

// SetFrom sets the value of a key from its text.
func SetFrom(n yamlfile.Node, key string, set func(text string) error) error {
	text, err := n.Text()
	if err != nil {
		return err
	}
	if err := set(text); err != nil {
		return n.Errorf("%s: %w", key, err)
	}
	return nil
}

// EachEntry calls do for each entry of a mapping and returns all errors.
func EachEntry(n yamlfile.Node, do func(yamlfile.Entry) error) error {
	entries, err := n.Entries()
	return each(entries, err, do)
}

// EachElement calls do for each element of a list and returns all errors.
func EachElement(n yamlfile.Node, do func(yamlfile.Node) error) error {
	list, err := n.List()
	return each(list, err, do)
}

// each calls do for each part of what was read with an error, which may be nil, and returns all errors.
func each[T any](parts []T, err error, do func(T) error) error {
	errs := []error{err}
	for _, part := range parts {
		errs = append(errs, do(part))
	}
	return errors.Join(errs...)
}
