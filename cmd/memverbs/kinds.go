package main

import (
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// kind is a kind of setting: how its text is read, and how it is shown. Its errors quote
// the text and tell what is expected.
type kind[T any] struct {
	name string // in --help, unless the help of the setting has a word in back quotes
	read func(text string) (T, error)
	show func(T) string
}

// count is the kind of whole numbers from least to most.
func count(least, most int) kind[int] {
	expected := fmt.Sprintf("from %d to %d", least, most)
	if most == math.MaxInt {
		expected = fmt.Sprintf("of at least %d", least)
	}
	return kind[int]{"int", func(text string) (int, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > most {
			return 0, fmt.Errorf("%q is not a whole number %s", text, expected)
		}
		return n, nil
	}, strconv.Itoa}
}

// duration is the kind of durations of at least least.
func duration(least time.Duration) kind[time.Duration] {
	return kind[time.Duration]{"duration", func(text string) (time.Duration, error) {
		d, err := time.ParseDuration(text)
		if err != nil {
			return 0, fmt.Errorf("%q is not a duration: use a number with ms, s, m or h, like 500ms", text)
		}
		if d < least {
			return 0, fmt.Errorf("%q is not a duration of at least %v", text, least)
		}
		return d, nil
	}, time.Duration.String}
}

// wholeSeconds is the kind of durations that memcached can count.
func wholeSeconds() kind[time.Duration] {
	k := duration(time.Second)
	read := k.read
	k.read = func(text string) (time.Duration, error) {
		d, err := read(text)
		if err == nil && d%time.Second != 0 {
			err = fmt.Errorf("%q is not in whole seconds, in which memcached counts", text)
		}
		return d, err
	}
	return k
}

// oneOf is the kind of words among words.
func oneOf(words ...string) kind[string] {
	return checked(func(text string) error {
		if !slices.Contains(words, text) {
			return fmt.Errorf("%q is none of %s", text, strings.Join(words, ", "))
		}
		return nil
	})
}

// checked is the kind of texts that check accepts.
func checked(check func(text string) error) kind[string] {
	return kind[string]{"string", func(text string) (string, error) { return text, check(text) }, func(text string) string { return text }}
}

// optional is the kind of texts that are empty or accepted by check.
func optional(check func(text string) error) kind[string] {
	return checked(func(text string) error {
		if text == "" {
			return nil
		}
		return check(text)
	})
}

// level is the kind of levels of the log.
func level() kind[slog.Level] {
	return kind[slog.Level]{"string", func(text string) (level slog.Level, err error) {
		if level.UnmarshalText([]byte(text)) != nil {
			err = fmt.Errorf("%q is none of debug, info, warn and error", text)
		}
		return level, err
	}, func(level slog.Level) string { return strings.ToLower(level.String()) }}
}

// yesOrNo is the kind of switches.
func yesOrNo() kind[bool] {
	return kind[bool]{"bool", func(text string) (bool, error) {
		if text != "true" && text != "false" {
			return false, fmt.Errorf("%q is neither true nor false", text)
		}
		return text == "true", nil
	}, strconv.FormatBool}
}
