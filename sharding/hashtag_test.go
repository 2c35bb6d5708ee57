package sharding

import (
	"strings"
	"testing"
)

// echo is a layout that records the key it was asked for.
type echo struct{ key string }

func (e *echo) Locate(key []byte) int {
	e.key = string(key)
	return 0
}

func TestHashTag(t *testing.T) {
	for _, test := range []struct{ tag, key, want string }{
		{"{}", "user:{7}:name", "7"},
		{"{}", "{7}", "7"},
		{"{}", "no tag", "no tag"},
		{"{}", "", ""},
		{"{}", "{", "{"},
		{"{}", "a{b", "a{b"},
		{"{}", "a}b", "a}b"},
		{"{}", "a}b{c", "a}b{c"},
		{"{}", "a}b{c}d", "c"},
		{"{}", "a{}b", "a{}b"},
		{"{}", "a{}b{c}", "a{}b{c}"}, // only the first tag counts
		{"{}", "a{{b}}", "{b"},
		{"{}", "a{b}{c}", "b"},
		{"$$", "a$b$c", "b"},
		{"$$", "a$b", "a$b"},
		{"$$", "a$$b$", "a$$b$"},
	} {
		var seen echo
		layout, err := NewHashTag(&seen, test.tag)
		if err != nil {
			t.Fatal(err)
		}
		if layout.Locate([]byte(test.key)); seen.key != test.want {
			t.Errorf("tag %s, key %q: hashed %q, expected %q", test.tag, test.key, seen.key, test.want)
		}
	}
}

func TestNewHashTagRefuses(t *testing.T) {
	for _, tag := range []string{"", "{", "{}}", "é}"} {
		if layout, err := NewHashTag(&echo{}, tag); err == nil || layout != nil || !strings.Contains(err.Error(), "two characters") {
			t.Errorf("tag %q: %v, %v", tag, layout, err)
		}
	}
}
