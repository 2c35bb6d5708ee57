package verbkeys

import "testing"

// What clients send if they are given anything but a string, or compress it, is recognized where its bytes could be
// words; and what they send as plain text is not, whatever its flags.
func TestEncoding(t *testing.T) {
	for _, test := range []struct {
		client string
		flags  uint32
		data   string
		want   string
	}{
		{"php-memcached, an array", 4, `a:2:{i:0;s:4:"kiwi";i:1;s:4:"plum";}`, "serialized by PHP"},
		{"php-memcached, an array with a line feed", 4, "a:1:{i:0;s:3:\"a\nb\";}", "serialized by PHP"},
		{"php-memcached, an empty array", 4, "a:0:{}", "serialized by PHP"},
		{"php-memcached, null", 4, "N;", "serialized by PHP"},
		{"php-memcached, an object", 4, `O:8:"stdClass":1:{s:1:"a";i:1;}`, "serialized by PHP"},
		{"php-memcached, an enum", 4, `E:11:"Suit:Hearts";`, "serialized by PHP"},
		{"php-memcached with user flags, an array", 7<<16 | 4, "a:0:{}", "serialized by PHP"},
		{"php-memcached, an array as JSON", 6, `["kiwi","plum"]`, "JSON"},
		{"php-memcached, null as JSON", 6, "null", "JSON"},
		{"php-memcached, an array by msgpack", 7, "\x92\xa4kiwi\xa4plum", "serialized by msgpack"},
		{"php-memcached, null by msgpack", 7, "\xc0", "serialized by msgpack"},
		{"php-memcached, a string", 0, `a:2:{i:0;s:4:"kiwi";i:1;s:4:"plum";}`, ""},
		{"php-memcached, a long", 1, "42", ""},
		{"php-memcached, a double", 2, "4.2", ""},
		{"php-memcached, true", 3, "1", ""},
		{"memcached of Node.js, an array", 2, `["kiwi","plum"]`, "JSON"},
		{"memcached of Node.js, an object", 2, `{"kiwi":1}`, "JSON"},
		{"memcached of Node.js, true", 2, "true", "JSON"},
		{"memcached of Node.js, a buffer", 4, "kiwi plum", ""},
		{"memcached of Node.js, a number", 8, "42", ""},
		{"python-memcached, a list", 1, "(lp0\nVkiwi\np1\naVplum\np2\na.", "a pickle of Python"},
		{"python-memcached, None", 1, "N.", "a pickle of Python"},
		{"python-memcached, True", 1, "I01\n.", "a pickle of Python"},
		{"pymemcache, an int", 2, "42", ""},
		{"pymemcache, a str", 16, "kiwi plum.", ""},
		{"pymemcache, bytes", 0, "(lp0\nVkiwi\np1\na.", ""},
		{"pylibmc, compressed", 8, "x\x9c\xcb\xce,\xcf\xccTH+\xcd\xc9\xd1\xc0\xc0", "compressed"},
		{"dalli, compressed", 2, "x\x9c\xcb\xce,\xcf\xccTH+\xcd\xc9\xd1\xc0\xc0", "compressed"},
		{"dalli, raw", 0, "kiwi plum", ""},
		{"dalli 5, a string", 32, "kiwi plum", ""},
		{"Enyim, a string", 0x112, "kiwi plum", ""},
		{"gomemcache, flags of one's own", 1, "kiwi plum.", ""},
		{"gomemcache, flags of one's own", 4, "a:b N;", ""},
		{"gomemcache, flags of one's own", 6, "[kiwi plum", ""},
		{"gomemcache, flags of one's own", 7, "kiwi Äpfel", ""},
		{"gomemcache, flags of one's own", 2, "true north", ""},
		{"gomemcache, flags of one's own", 8, "x^y", ""},
	} {
		if got := encoding(test.flags, []byte(test.data)); got != test.want {
			t.Errorf("%s: flags %d with %q are %q, not %q", test.client, test.flags, test.data, got, test.want)
		}
	}
}
