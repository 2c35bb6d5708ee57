package yamlfile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/goccy/go-yaml/token"

	"github.com/memverbs/memverbs/cmd/memverbs/smallfile"
)

// Error is an error in a file. Its text begins with the file, line and column.
type Error struct {
	at   position
	what error
}

func (e *Error) Error() string { return e.at.String() + ": " + e.what.Error() }

// Unwrap returns the error that was formatted with %w, if any.
func (e *Error) Unwrap() error { return errors.Unwrap(e.what) }

func errorAt(at position, format string, args ...any) error {
	return &Error{at, fmt.Errorf(format, args...)}
}

// position is a place in a file.
type position struct {
	file         string
	line, column int // from 1
}

func (p position) String() string {
	return fmt.Sprintf("%s:%d:%d", smallfile.Name(p.file), p.line, p.column)
}

// Sort returns the errors that [errors.Join] has joined to err, in the order of their places in the
// file. Those that are of another type than [*Error] come first.
func Sort(err error) error {
	errs := flat(err)
	slices.SortStableFunc(errs, func(a, b error) int {
		one, other := placeOf(a), placeOf(b)
		return cmp.Or(cmp.Compare(one.line, other.line), cmp.Compare(one.column, other.column))
	})
	return errors.Join(errs...)
}

func placeOf(err error) position {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.at
	}
	return position{}
}

// flat returns the errors that are joined to err, and those joined to them, and so on.
func flat(err error) (errs []error) {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	for _, e := range joined.Unwrap() {
		errs = append(errs, flat(e)...)
	}
	return errs
}

// positionOf returns the place of a token, the beginning of the file if it has none.
func positionOf(file string, t *token.Token) position {
	if t == nil || t.Position == nil {
		return position{file, 1, 1}
	}
	return position{file, t.Position.Line, t.Position.Column}
}
