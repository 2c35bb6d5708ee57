package smallfile

import (
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Name returns the name of a file for a message of one line: quoted, as in Go, if it has a line end
// or anything else that can't be printed.
func Name(path string) string {
	if utf8.ValidString(path) && !strings.ContainsFunc(path, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return path
	}
	return strconv.Quote(path)
}

// Named returns the error of a file, whose text has its name as [Name] returns it.
func Named(err error) error {
	if wrong := (*fs.PathError)(nil); errors.As(err, &wrong) {
		return &fs.PathError{Op: wrong.Op, Path: Name(wrong.Path), Err: wrong.Err}
	}
	return err
}
