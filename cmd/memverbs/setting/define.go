package setting

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// NewSet returns a set without settings, which keeps the order in which they are defined.
func NewSet(title string) *pflag.FlagSet {
	f := pflag.NewFlagSet(title, pflag.ContinueOnError)
	f.SortFlags = false
	return f
}

// Define defines a setting whose value is kept in to.
func Define[T any](f *pflag.FlagSet, to *T, initially T, of Kind[T], name, help string) {
	*to = initially
	f.Var(value[T]{of, to}, name, help)
}

// DefineList defines a setting that is a list, which is kept in to. A text given on the
// command line is split into elements by split, which may be nil.
func DefineList[T any](f *pflag.FlagSet, to *[]T, of Kind[T], split func(text string) ([]string, error), name, help string) {
	f.Var(&list[T]{Kind: of, to: to, split: split}, name, help)
}

// DefineWords is DefineList for a list with a default, which may be a single text in a file.
func DefineWords[T any](f *pflag.FlagSet, to *[]T, initially []T, of Kind[T], name, help string) {
	*to = initially
	f.Var(&list[T]{Kind: of, to: to, split: SplitList, text: true}, name, help)
}

// DefinePairs defines a setting that is a list of keys with values, each like key=value. A file has a mapping for it.
func DefinePairs[T any](f *pflag.FlagSet, to *[]T, of Kind[T], name, help string) {
	f.Var(&list[T]{Kind: of, to: to, split: SplitList, pairs: true}, name, help)
}

// CutPair cuts a key with a value at the last =.
func CutPair(text string) (key, value string, ok bool) {
	at := strings.LastIndexByte(text, '=')
	if at < 0 {
		return "", "", false
	}
	return text[:at], text[at+1:], true
}

// SampleOf returns the value of a setting in an example of a file: its sample, or its default.
func SampleOf(f *pflag.Flag) (text string, isDefault bool) {
	if text = f.Value.(defined).example(); text != "" {
		return text, false
	}
	return f.DefValue, true
}

// defined is the value of a setting.
type defined interface {
	example() string     // of its kind
	exact() string       // a text that differs whenever the value differs
	changesAtOnce() bool // at a reload, without a new process or new connections
}

// value is a setting that is kept in to.
type value[T any] struct {
	Kind[T]
	to *T
}

// Set implements pflag.Value.
func (v value[T]) Set(text string) error {
	read, err := v.Read(text)
	if err == nil {
		*v.to = read
	}
	return err
}

// String implements pflag.Value.
func (v value[T]) String() string { return v.Show(*v.to) }

// Type implements pflag.Value.
func (v value[T]) Type() string { return v.Name }

func (v value[T]) exact() string { return v.Kind.exact(*v.to) }

// list is a setting with several values, which are kept in to. The first given value replaces the
// default; then to is not nil.
type list[T any] struct {
	Kind[T]
	to    *[]T
	split func(text string) ([]string, error)
	given bool
	text  bool // in a file, a text is accepted for a list of one
	pairs bool // in a file, it is a mapping
}

// elements is a setting that is a list.
type elements interface {
	add(elements []string) error
	takesText() bool
	takesPairs() bool
}

// IsList reports whether a file must have a list for a setting, rather than a text.
func IsList(f *pflag.Flag) bool {
	l, is := f.Value.(elements)
	return is && !l.takesText() && !l.takesPairs()
}

// IsMapping reports whether a file must have a mapping for a setting.
func IsMapping(f *pflag.Flag) bool {
	l, is := f.Value.(elements)
	return is && l.takesPairs()
}

func (l *list[T]) takesText() bool { return l.text }

func (l *list[T]) takesPairs() bool { return l.pairs }

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

func (l *list[T]) add(elements []string) error {
	if !l.given {
		*l.to, l.given = []T{}, true
	}
	for _, text := range elements {
		read, err := l.Read(text)
		if err != nil {
			return err
		}
		*l.to = append(*l.to, read)
	}
	return nil
}

func (l *list[T]) each(text func(T) string) (texts []string) {
	for _, element := range *l.to {
		texts = append(texts, text(element))
	}
	return texts
}

// String implements pflag.Value.
func (l *list[T]) String() string {
	texts := strings.Join(l.each(l.Show), ",")
	if l.text || texts == "" {
		return texts
	}
	return "[" + texts + "]"
}

// Type implements pflag.Value.
func (l *list[T]) Type() string { return l.Name }

func (l *list[T]) exact() string { return fmt.Sprintf("%q", l.each(l.Kind.exact)) }

// SplitList splits a list with commas, in which an element may be quoted. It may have several lines, as a
// file with a server in each has.
func SplitList(text string) (elements []string, err error) {
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord = -1
	lines, err := r.ReadAll()
	return slices.Concat(lines...), err
}
