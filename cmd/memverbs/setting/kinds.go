package setting

import (
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Kind is a kind of setting: how its text is read, and how it is shown. The errors of Read quote
// the text and tell what is expected.
type Kind[T any] struct {
	Name string // in --help, unless the help of the setting has a word in back quotes
	Read func(text string) (T, error)
	Show func(T) string
	// Exact, if not nil, returns a text that differs if values differ that are shown alike, such as a
	// digest of a file's content. It must not contain secrets.
	Exact func(T) string

	sample string // the text in an example of a file, where the default is none or differs between machines
	atOnce bool   // a change takes effect at a reload, without a new process or new connections
}

// Sample returns the kind with the text that an example of a file has, where the default is none or differs between
// machines.
func (k Kind[T]) Sample(text string) Kind[T] {
	k.sample = text
	return k
}

// AtOnce returns the kind of settings of which a change takes effect at a reload, without a new process or new
// connections.
func (k Kind[T]) AtOnce() Kind[T] {
	k.atOnce = true
	return k
}

func (k Kind[T]) example() string { return k.sample }

func (k Kind[T]) changesAtOnce() bool { return k.atOnce }

func (k Kind[T]) exact(value T) string {
	if k.Exact == nil {
		return k.Show(value)
	}
	return k.Show(value) + " " + k.Exact(value)
}

// Count is the kind of whole numbers from least to most.
func Count(least, most int) Kind[int] {
	expected := fmt.Sprintf("from %d to %d", least, most)
	if most == math.MaxInt {
		expected = fmt.Sprintf("of at least %d", least)
	}
	return Kind[int]{Name: "int", Read: func(text string) (int, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > most {
			return 0, fmt.Errorf("%q is not a whole number %s", text, expected)
		}
		return n, nil
	}, Show: strconv.Itoa}
}

// Duration is the kind of durations of at least least.
func Duration(least time.Duration) Kind[time.Duration] {
	return Kind[time.Duration]{Name: "duration", Read: func(text string) (time.Duration, error) {
		d, err := time.ParseDuration(text)
		if err != nil {
			return 0, fmt.Errorf("%q is not a duration: use a number with ms, s, m or h, like 500ms", text)
		}
		if d < least {
			return 0, fmt.Errorf("%q is not a duration of at least %v", text, least)
		}
		return d, nil
	}, Show: time.Duration.String}
}

// WholeSeconds is the kind of durations that memcached can count.
func WholeSeconds() Kind[time.Duration] {
	k := Duration(time.Second)
	read := k.Read
	k.Read = func(text string) (time.Duration, error) {
		d, err := read(text)
		if err == nil && d%time.Second != 0 {
			err = fmt.Errorf("%q is not in whole seconds, in which memcached counts", text)
		}
		return d, err
	}
	return k
}

// OneOf is the kind of words among words.
func OneOf(words ...string) Kind[string] {
	return Checked(func(text string) error {
		if !slices.Contains(words, text) {
			return fmt.Errorf("%q is none of %s", text, strings.Join(words, ", "))
		}
		return nil
	})
}

// Checked is the kind of texts that check accepts.
func Checked(check func(text string) error) Kind[string] {
	return Kind[string]{Name: "string", Read: func(text string) (string, error) { return text, check(text) }, Show: func(text string) string { return text }}
}

// Any is the kind of texts that are checked later, together with other settings.
func Any() Kind[string] { return Checked(func(string) error { return nil }) }

// Optional is the kind of texts that are empty or accepted by check.
func Optional(check func(text string) error) Kind[string] {
	return Checked(func(text string) error {
		if text == "" {
			return nil
		}
		return check(text)
	})
}

// Level is the kind of levels of the log.
func Level() Kind[slog.Level] {
	return Kind[slog.Level]{Name: "string", Read: func(text string) (level slog.Level, err error) {
		if level.UnmarshalText([]byte(text)) != nil {
			err = fmt.Errorf("%q is none of debug, info, warn and error", text)
		}
		return level, err
	}, Show: func(level slog.Level) string { return strings.ToLower(level.String()) }}
}

// YesOrNo is the kind of switches.
func YesOrNo() Kind[bool] {
	return Kind[bool]{Name: "bool", Read: func(text string) (bool, error) {
		if text != "true" && text != "false" {
			return false, fmt.Errorf("%q is neither true nor false", text)
		}
		return text == "true", nil
	}, Show: strconv.FormatBool}
}
