package verbkeys

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
)

// zlib is "kiwi plum " 500 times, as clients compress it: for each the bytes are the same.
const zlib = "x\x9c\xed\xc6\xb1\r\x00 \x08\x00\xb0Wx\x8f\xa0\t\x0b\xe1}\xafpk\xa7VnF\x9f\xb9Qfffffffff\xf6i\x0f\x80w8\x12"

// What running clients were seen to send for values of several types, and for long ones: php-memcached 3.2.0, pylibmc
// 1.6.3, pymemcache 3.5.2 and 4.0.0, python-memcached 1.59 and 1.62, Django 3.2, dalli 3.0.6, 3.2.8 and 5.2.1, Rails 6.1
// and 7.2, memcached 2.2.2 and memjs 1.3.2 of Node.js, spymemcached 2.12.3. Plain text is taken as words whatever its
// flags; everything else is refused, by its flags and bytes where these could be words.
func TestEncoding(t *testing.T) {
	const words, control = "", "without control characters"
	for _, test := range []struct {
		client string
		flags  uint32
		data   string
		want   string
	}{
		{"php-memcached, a string", 0, "kiwi plum", words},
		{"php-memcached, an int", 1, "42", words},
		{"php-memcached, a float", 2, "4.2", words},
		{"php-memcached, true", 3, "1", words},
		{"php-memcached, an array", 4, `a:2:{i:0;s:4:"kiwi";i:1;s:4:"plum";}`, "serialized by PHP"},
		{"php-memcached, an array with a line feed", 4, "a:1:{i:0;s:3:\"a\nb\";}", "serialized by PHP"},
		{"php-memcached, an empty array", 4, "a:0:{}", "serialized by PHP"},
		{"php-memcached, null", 4, "N;", "serialized by PHP"},
		{"php-memcached, an object", 4, `O:8:"stdClass":1:{s:1:"a";i:1;}`, "serialized by PHP"},
		{"php-memcached, an object that serializes itself", 4, `C:3:"Ser":9:{kiwi plum}`, "serialized by PHP"},
		{"php-memcached, an enum", 4, `E:11:"Suit:Hearts";`, "serialized by PHP"},
		{"php-memcached with user flags, an array", 458756, `a:1:{i:0;s:4:"kiwi";}`, "serialized by PHP"},
		{"php-memcached with igbinary, an array", 5, "\x00\x00\x00\x02\x14\x02\x06\x00\x11\x04kiwi\x06\x01\x11\x04plum", control},
		{"php-memcached with JSON, an array", 6, `["kiwi","plum"]`, "JSON"},
		{"php-memcached with JSON, an array with keys", 6, `{"kiwi":1}`, "JSON"},
		{"php-memcached with JSON, null", 6, "null", "JSON"},
		{"php-memcached with JSON and user flags, an array", 458758, `["kiwi"]`, "JSON"},
		{"php-memcached with msgpack, an array", 7, "\x92\xa4kiwi\xa4plum", "serialized by msgpack"},
		{"php-memcached with msgpack, an empty array", 7, "\x90", "serialized by msgpack"},
		{"php-memcached with msgpack, null", 7, "\xc0", "serialized by msgpack"},
		{"php-memcached, a long string, by fastlz", 80, "\x88\x13\x00\x00\tkiwi plum \xe0\xfd\t\xe0\xfd\t\xe0\x00\t\x02um ", control},
		{"php-memcached, a long string, by zlib", 48, "\x88\x13\x00\x00" + zlib, control},
		{"php-memcached, a long array, by fastlz", 84, "\xce \x00\x00\x18a:500:{i:0;s:4:\"kiwi\";i:1\xe0\x05\x0e\x002", control},

		{"pymemcache without a serializer, a list", 0, "['kiwi', 'plum']", words},
		{"pymemcache, python-memcached, pylibmc, bytes", 0, "kiwi plum", words},
		{"pymemcache, python-memcached, pylibmc, a str", 16, "kiwi plum", words},
		{"pymemcache, python-memcached, an int", 2, "42", words},
		{"pylibmc, True", 2, "1", words},
		{"pylibmc, an int", 4, "42", words},
		{"pymemcache, pylibmc, Django, a list", 1, "\x80\x05\x95\x13\x00\x00\x00\x00\x00\x00\x00]\x94(\x8c\x04kiwi\x94\x8c\x04plum\x94e.", control},
		{"pymemcache, pylibmc, Django, an empty list", 1, "\x80\x05]\x94.", control},
		{"pymemcache, pylibmc, Django, None", 1, "\x80\x05N.", control},
		{"python-memcached with protocol 2, an empty list", 1, "\x80\x02]q\x00.", control},
		{"python-memcached, a list", 1, "(lp0\nVkiwi\np1\naVplum\np2\na.", "a pickle of Python"},
		{"python-memcached, an empty list", 1, "(lp0\n.", "a pickle of Python"},
		{"python-memcached, a dict", 1, "(dp0\nVkiwi\np1\nI1\ns.", "a pickle of Python"},
		{"python-memcached, None", 1, "N.", "a pickle of Python"},
		{"python-memcached, True", 1, "I01\n.", "a pickle of Python"},
		{"python-memcached, a float", 1, "F4.2\n.", "a pickle of Python"},
		{"pymemcache, python-memcached, pylibmc, a long str", 24, zlib, "compressed"},
		{"pymemcache, pylibmc, a long list", 9, "x\x9cE\xd4+\x12\x9dU\x14\x84Q\x0c\x0fO\xe1\x91(*\xb7w\xff\xaf", "compressed"},

		{"dalli, Rails, raw", 0, "kiwi plum", words},
		{"dalli, raw, a list", 0, `["kiwi", "plum"]`, words},
		{"dalli, raw, a long string", 2, zlib, "compressed"},
		{"dalli, a string", 1, "\x04\bI\"\x0ekiwi plum\x06:\x06ET", control},
		{"dalli, nil", 1, "\x04\b0", control},
		{"dalli, a long string", 3, "x\x9c\xed\xc6\xb1\t\x800\x10\x00@\x10\t\xf6Y 8F\xfa\x14\xf6.\xf1D", "compressed"},
		{"dalli with JSON, a list", 1, `["kiwi","plum"]`, "JSON"},
		{"dalli with JSON, a string", 1, `"kiwi plum"`, "JSON"},
		{"dalli 5 with string_fastpath, a string", 4, "kiwi plum", words},
		{"Rails 6.1, a list", 1, "\x04\bo: ActiveSupport::Cache::Entry\t:\v@value[\aI\"\tkiwi\x06:\x06ETI\"\tplum\x06;\aT:\r@version0", control},
		{"Rails 7.2, a list", 1, "\x04\b\"#\x00\x04\b[\x06[\aI\"\tkiwi\x06:\x06ETI\"\tplum\x06;\x00T", control},

		{"memcached of Node.js, a string", 0, "kiwi plum", words},
		{"memcached of Node.js, a number", 8, "42", words},
		{"memcached of Node.js, a buffer", 4, "kiwi plum", words},
		{"memcached of Node.js, an array", 2, `["kiwi","plum"]`, "JSON"},
		{"memcached of Node.js, an object", 2, `{"kiwi":1}`, "JSON"},
		{"memcached of Node.js, true", 2, "true", "JSON"},
		{"memcached of Node.js, null", 2, "null", "JSON"},
		{"memcached of Node.js, a date", 2, `"1970-01-01T00:00:00.000Z"`, "JSON"},
		{"memjs, a string", 0, "kiwi plum", words},
		{"memjs, an array", 0, "\x00\x00", control},

		{"spymemcached, a string", 0, "kiwi plum", words},
		{"spymemcached, a boolean", 256, "1", words},
		{"spymemcached, an int, 42", 512, "*", words}, // could be anything
		{"spymemcached, bytes", 2048, "kiwi plum", words},
		{"spymemcached, a list", 1, "\xac\xed\x00\x05sr\x00\x13java.util.ArrayListx\x81\xd2\x1d\x99", control},
		{"spymemcached, a long string", 2, "\x1f\x8b\b\x00\x00\x00\x00\x00\x00\xff\xed\xc6\xb1\t\x000\b\x00\xb0W|Ol", control},

		{"flags of one's own", 1, "kiwi plum.", words},
		{"flags of one's own", 4, "a:b N;", words},
		{"flags of one's own", 6, "[kiwi plum", words},
		{"flags of one's own", 7, "kiwi Äpfel", words},
		{"flags of one's own", 2, "true north", words},
		{"flags of one's own", 1, `"kiwi" "plum"`, words},
		{"flags of one's own", 8, "x^y", words},
		{"no flags", 0, `a:2:{i:0;s:4:"kiwi";i:1;s:4:"plum";}`, words},
		{"no flags", 0, `["kiwi","plum"]`, words},
		{"no flags", 0, "(lp0\nVkiwi\np1\na.", words},
	} {
		req := parse(t, fmt.Sprintf("set verb/sadd/t %d 0 %d\r\n%s\r\n", test.flags, len(test.data), test.data))
		var verb protocol.Request
		refusal := New("verb/").Translate(req, &verb, now)
		if (refusal == "") != (test.want == "") || !strings.Contains(refusal, test.want) {
			t.Errorf("%s: flags %d with %q are answered by %q, expected %q", test.client, test.flags, test.data, refusal, test.want)
		}
	}
}
