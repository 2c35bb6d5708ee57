package main

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// A set of flags defines settings: their names, defaults and kinds, and what they are for. The
// command line is read by one, and each mapping of a file by another with the same
// definitions. So whatever can be set is defined once.

// define defines a setting whose value is kept in to.
func define[T any](f *pflag.FlagSet, to *T, initially T, of kind[T], name, help string) {
	*to = initially
	f.Var(value[T]{of, to}, name, help)
}

// defineList defines a setting that is a list, which is kept in to. A text given on the
// command line is split into elements by split, which may be nil.
func defineList[T any](f *pflag.FlagSet, to *[]T, of kind[T], split func(text string) ([]string, error), name, help string) {
	f.Var(&list[T]{kind: of, to: to, split: split}, name, help)
}

// defineWords is defineList for a list with a default, which may be a single text in a file.
func defineWords[T any](f *pflag.FlagSet, to *[]T, initially []T, of kind[T], split func(text string) ([]string, error), name, help string) {
	*to = initially
	f.Var(&list[T]{kind: of, to: to, split: split, text: true}, name, help)
}

// sample gives a setting the value that an example of a file has for it, where the default is none or
// differs between machines.
func sample(f *pflag.FlagSet, name, text string) {
	if err := f.SetAnnotation(name, sampled, []string{text}); err != nil {
		panic(err) // no such setting
	}
}

// sampled is the annotation of such a setting.
const sampled = "sample"

// value is a setting that is kept in to.
type value[T any] struct {
	kind[T]
	to *T
}

// Set implements pflag.Value.
func (v value[T]) Set(text string) error {
	read, err := v.read(text)
	if err == nil {
		*v.to = read
	}
	return err
}

// String implements pflag.Value.
func (v value[T]) String() string { return v.show(*v.to) }

// Type implements pflag.Value.
func (v value[T]) Type() string { return v.name }

// list is a setting with several values, which are kept in to. The first that is given
// replaces the default; to is not nil then.
type list[T any] struct {
	kind[T]
	to    *[]T
	split func(text string) ([]string, error)
	given bool
	text  bool // in a file, a text is accepted for a list of one
}

// takesText reports whether a text is accepted for a list of one.
func (l *list[T]) takesText() bool { return l.text }

// Set implements pflag.Value. It adds what the command line gives.
func (l *list[T]) Set(text string) (err error) {
	elements := []string{text}
	if l.split != nil {
		if elements, err = l.split(text); err != nil {
			return fmt.Errorf("%q can't be split at its commas: %w", text, err)
		}
	}
	return l.add(elements)
}

// add adds elements.
func (l *list[T]) add(elements []string) error {
	if !l.given {
		*l.to, l.given = []T{}, true
	}
	for _, text := range elements {
		read, err := l.read(text)
		if err != nil {
			return err
		}
		*l.to = append(*l.to, read)
	}
	return nil
}

// String implements pflag.Value.
func (l *list[T]) String() string {
	if len(*l.to) == 0 {
		return ""
	}
	var texts []string
	for _, element := range *l.to {
		texts = append(texts, l.show(element))
	}
	if l.text {
		return strings.Join(texts, ",")
	}
	return "[" + strings.Join(texts, ",") + "]"
}

// Type implements pflag.Value.
func (l *list[T]) Type() string { return l.name }
