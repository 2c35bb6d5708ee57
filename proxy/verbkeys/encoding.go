package verbkeys

import (
	"bytes"
	"encoding/json"
	"regexp"
	"unicode/utf8"
)

// Clients note in an item's flags how they have encoded its value, each in its own way: 1 is an integer of
// php-memcached, and a pickle of pymemcache. So neither the flags nor the bytes alone show that a value is encoded.
// It counts as encoded if some client sets exactly these flags for values that begin like these bytes. Encodings
// that always have control characters are not listed, because such a value can't be words anyway: igbinary,
// Marshal, Java's, pickles from protocol 1 on, and gzip.

// encodings are the encodings of clients, with their names in errors.
var encodings = []struct {
	is    func(flags uint32, data []byte) bool
	named string
}{
	{func(flags uint32, data []byte) bool { return flags&phpTypes == 4 && phpSerialized.Match(data) }, "serialized by PHP"},
	{func(flags uint32, data []byte) bool { return flags&phpTypes == 7 && !utf8.Valid(data) }, "serialized by msgpack"},
	{func(flags uint32, data []byte) bool {
		return (flags&phpTypes == 6 || flags == 2 || flags == 1) && isJSON(data)
	}, "JSON"},
	{func(flags uint32, data []byte) bool { return flags&0xff == 1 && isPickle(data) }, "a pickle of Python"},
	{func(flags uint32, data []byte) bool { return flags&(2|8) != 0 && isZlib(data) }, "compressed"},
}

// phpTypes are the flags in which php-memcached notes the type of a value.
const phpTypes = 0xf

// encoding returns how a client has encoded data that has flags, empty if it is plain text as far as one can see.
func encoding(flags uint32, data []byte) string {
	if flags == 0 {
		return ""
	}
	for _, e := range encodings {
		if e.is(flags, data) {
			return e.named
		}
	}
	return ""
}

// phpSerialized matches what PHP's serialize returns for what php-memcached serializes: null, arrays and objects.
var phpSerialized = regexp.MustCompile(`(?s)^(N;|a:\d+:\{.*\}|[OCE]:\d+:".*[;}])$`)

// isJSON reports whether data is a JSON value other than a number, which is the same in plain text. dalli sends strings
// as JSON if that is its serializer, and memcached of Node.js sends dates that way.
func isJSON(data []byte) bool {
	return len(data) > 0 && bytes.IndexByte([]byte(`[{"tfn`), data[0]) >= 0 && json.Valid(data)
}

// isPickle reports whether data looks like a pickle of protocol 0, which python-memcached writes, and pylibmc if it
// is told to. It is text: opcodes with their arguments, each of which ends its line, and a full stop.
func isPickle(data []byte) bool {
	body, ends := bytes.CutSuffix(data, []byte{'.'})
	if !ends || len(body) == 0 {
		return false
	}
	return string(body) == "N" || bytes.IndexByte([]byte("(cFILSV"), body[0]) >= 0 && bytes.IndexByte(body, '\n') > 0
}

// isZlib reports whether data begins like a stream of zlib, as dalli and the clients for Python compress.
func isZlib(data []byte) bool {
	return len(data) > 2 && data[0] == 'x' && (int(data[0])<<8+int(data[1]))%31 == 0 && !utf8.Valid(data)
}
