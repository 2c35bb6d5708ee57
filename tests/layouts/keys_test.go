package layouts

import (
	"math/rand/v2"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// keyCount is how many keys each layout is proved with, and someKeys if a proof differs from another in
// the hash, the client or the pool alone.
const (
	keyCount = 10_000
	someKeys = 2_500
)

// maxKey is the length of the longest key that memcached takes.
const maxKey = 250

// keySet returns keyCount different keys, the same at every call and run, that a
// kind of client takes. The value that is stored under a key is the key.
type keySet func() []string

var (
	anyBytes = newKeySet(func(key string) string { return key }) // all that memcached takes
	utf8Text = newKeySet(toUTF8)
	// What npm's memcached takes, and does not mix up: of "$$" it makes "$".
	javaScript = newKeySet(func(key string) string { return strings.Map(withoutSpaceAndDollar, toUTF8(key)) })
	ascii      = newKeySet(toASCII)
)

// newKeySet returns the set of keys of all shapes, each made into one that is
// allowed.
func newKeySet(allow func(string) string) keySet {
	return sync.OnceValue(func() []string {
		r := rand.New(rand.NewPCG(1, 2))
		seen := map[string]bool{}
		list := make([]string, 0, keyCount)
		for len(list) < keyCount {
			key := allow(shapes[r.IntN(len(shapes))](r))
			if !seen[key] {
				seen[key] = true
				list = append(list, key)
			}
		}
		return list
	})
}

func toUTF8(key string) string { return strings.ToValidUTF8(key, "u") }

func withoutSpaceAndDollar(r rune) rune {
	if r == '$' || r == '\ufeff' || unicode.IsSpace(r) {
		return 's'
	}
	return r
}

func toASCII(key string) string {
	b := []byte(key)
	for i := range b {
		b[i] = printable[int(b[i]-'!')%len(printable)]
	}
	return string(b)
}

// shapes make up the kinds of keys that are found in the wild, and kinds that
// ask something of a hash: all lengths modulo a block, bytes above 0x7f,
// nothing but digits, things in braces.
var shapes = []func(*rand.Rand) string{
	func(r *rand.Rand) string { return of(r, letters, 1, 8) },
	func(r *rand.Rand) string { return of(r, digits, 1, 20) },
	func(r *rand.Rand) string { return "user:" + of(r, digits, 1, 7) + ":" + of(r, letters, 3, 10) },
	func(r *rand.Rand) string { return "/" + of(r, letters, 1, 20) + "?q=" + of(r, printable, 1, 40) },
	func(r *rand.Rand) string { return of(r, printable, 1, 60) },
	func(r *rand.Rand) string { return of(r, printable, 200, maxKey) },
	func(r *rand.Rand) string { return of(r, letters, maxKey, maxKey) },
	func(r *rand.Rand) string { return words(r, 1, 40) },
	func(r *rand.Rand) string { return words(r, 150, maxKey) },
	func(r *rand.Rand) string { return of(r, allBytes, 1, maxKey) },
	tagged,
}

const (
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
	digits  = "0123456789"
)

// printable are the bytes of ASCII that a key may have, allBytes all of them.
var printable, allBytes = bytesUpTo(0x7e), bytesUpTo(0xff)

func bytesUpTo(last int) string {
	var b []byte
	for c := '!'; c <= rune(last); c++ {
		if c != 0x7f {
			b = append(b, byte(c))
		}
	}
	return string(b)
}

// of returns least to most bytes of those in from.
func of(r *rand.Rand, from string, least, most int) string {
	b := make([]byte, least+r.IntN(most-least+1))
	for i := range b {
		b[i] = from[r.IntN(len(from))]
	}
	return string(b)
}

// scripts are ranges of letters that take one to four bytes in UTF-8.
var scripts = [][2]rune{{'a', 'z'}, {'à', 'ö'}, {'а', 'я'}, {'α', 'ω'}, {'ぁ', 'ん'}, {'一', '龠'}, {'😀', '🙏'}}

// words returns text of least to most bytes.
func words(r *rand.Rand, least, most int) string {
	length := least + r.IntN(most-least+1)
	var b []byte
	for len(b) < length {
		s := scripts[r.IntN(len(scripts))]
		next := s[0] + r.Int32N(s[1]-s[0]+1)
		if len(b)+utf8.RuneLen(next) > length {
			next = 'a'
		}
		b = utf8.AppendRune(b, next)
	}
	return string(b)
}

// tagged returns a key with braces, which some proxies hash the inside of.
func tagged(r *rand.Rand) string {
	before, tag, after := of(r, letters, 0, 10), of(r, letters, 0, 6), of(r, letters, 0, 10)
	forms := []string{"{b}t", "b{t}a", "b{t", "bt}a", "b}t{a", "b{{t}}a", "b{}t", "{t}{b}a", "{t}", "{", "}b{t}"}
	form := forms[r.IntN(len(forms))]
	return strings.NewReplacer("b", before, "t", tag, "a", after).Replace(form) + of(r, digits, 1, 3)
}
