package sharding

import (
	"slices"
	"strings"
	"testing"
)

func TestUnhashedPrefix(t *testing.T) {
	for _, test := range []struct{ prefixes, key, want string }{
		{"app:", "app:user:7", "user:7"},
		{"app:", "app:app:7", "app:7"}, // one prefix is cut, once
		{"app:", "App:user:7", "App:user:7"},
		{"app:", "xapp:user:7", "xapp:user:7"},
		{"app:", "ap", "ap"},
		{"app:", "app:", ""},
		{"app:", "", ""},
		{"app: web:", "app:7", "7"},
		{"app: web:", "web:7", "7"},
		{"app: web:", "job:7", "job:7"},
		{"a a: a:b:", "a:b:7", "7"},
		{"a:b: a: a", "a:b:7", "7"},
		{"a: a:b: a", "a:b7", "b7"},
		{"a: a:b: a", "ab:7", "b:7"},
		{"a:b: a: a a:", "a:7", "7"},
		{"\xff é,", "\xff7", "7"},
		{"\xff é,", "é,7", "7"},
	} {
		prefixes := strings.Fields(test.prefixes)
		given := slices.Clone(prefixes)
		var seen echo
		layout, err := NewUnhashedPrefix(&seen, prefixes...)
		if err != nil {
			t.Fatal(err)
		}
		if layout.Locate([]byte(test.key)); seen.key != test.want {
			t.Errorf("prefixes %q, key %q: hashed %q, expected %q", prefixes, test.key, seen.key, test.want)
		}
		if !slices.Equal(prefixes, given) {
			t.Errorf("prefixes %q were changed into %q", given, prefixes)
		}
	}
}

func TestWithoutPrefixesALayoutStays(t *testing.T) {
	var seen echo
	if layout, err := NewUnhashedPrefix(&seen); err != nil || layout != Layout(&seen) {
		t.Errorf("%v, %v", layout, err)
	}
}

// The tag is searched for after the prefix, whatever the prefix contains.
func TestUnhashedPrefixBeforeHashTag(t *testing.T) {
	for key, want := range map[string]string{
		"{app}:user:{7}": "7",
		"{app}:user:7":   "user:7",
		"{app}user:{7}":  "app",
		"user:{7}":       "7",
	} {
		var seen echo
		tagged, err := NewHashTag(&seen, "{}")
		if err != nil {
			t.Fatal(err)
		}
		layout, err := NewUnhashedPrefix(tagged, "{app}:")
		if err != nil {
			t.Fatal(err)
		}
		if layout.Locate([]byte(key)); seen.key != want {
			t.Errorf("key %q: hashed %q, expected %q", key, seen.key, want)
		}
	}
}

func TestNewUnhashedPrefixRefuses(t *testing.T) {
	for _, prefix := range []string{"", "a b", " ", "app\t", "app:\r\n", "\x00", "\x7f", strings.Repeat("p", longestPrefix+1)} {
		layout, err := NewUnhashedPrefix(&echo{}, "fine:", prefix)
		if err == nil || layout != nil || !strings.Contains(err.Error(), "1 to 250 bytes without white space") {
			t.Errorf("prefix %q: %v, %v", prefix, layout, err)
		}
	}
	if _, err := NewUnhashedPrefix(&echo{}, strings.Repeat("p", longestPrefix)); err != nil {
		t.Errorf("the longest prefix: %v", err)
	}
}
