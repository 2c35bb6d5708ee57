package route

import (
	"bytes"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/proxy/config"
)

// strippedTable strips s: and long:, but not the prefix of another pool.
func strippedTable(t testing.TB) *Table {
	t.Helper()
	p := newPools(t, of("main", 2, nil), of("other", 1, nil))
	return p.table(config.Route{Pool: "main"}, config.Route{Prefix: "s:", Pool: "main", Strip: true},
		config.Route{Prefix: "long:", Pool: "main", Strip: true}, config.Route{Prefix: "o:", Pool: "other"})
}

// Each key of a request is sent without the prefix of its own route, and the client's request stays as it is.
func TestStrippedRequests(t *testing.T) {
	t.Parallel()
	r := strippedTable(t)
	var s Stripped
	for request, is := range map[string]struct{ sent, prefix string }{
		"get s:a\r\n":                     {"get a\r\n", "s:"},
		"get s:a b long:c o:d\r\n":        {"get a b c o:d\r\n", "s:"},
		"get b s:a\r\n":                   {"get b a\r\n", ""},
		"get s:s:a\r\n":                   {"get s:a\r\n", "s:"},
		"gat 10 s:a s:b\r\n":              {"gat 10 a b\r\n", "s:"},
		"set s:a 1 2 3\r\nabc\r\n":        {"set a 1 2 3\r\nabc\r\n", "s:"},
		"set a 1 2 3\r\nabc\r\n":          {"set a 1 2 3\r\nabc\r\n", ""},
		"incr long:a 5\r\n":               {"incr a 5\r\n", "long:"},
		"delete o:a\r\n":                  {"delete o:a\r\n", ""},
		"touch s:a 5\r\n":                 {"touch a 5\r\n", "s:"},
		"mg s:a v t\r\n":                  {"mg a v t\r\n", "s:"},
		"mg czph v b\r\n":                 {"mg YQ== v b\r\n", "s:"}, // s:a
		"ms s:a 2 c\r\nab\r\n":            {"ms a 2 c\r\nab\r\n", "s:"},
		"flush_all\r\n":                   {"flush_all\r\n", ""},
		"get s:" + long("x") + " s:b\r\n": {"get " + long("x") + " b\r\n", "s:"},
	} {
		req := parse(t, request)
		before := string(req.AppendTo(nil))
		sent := s.Request(r, req)
		if text := string(sent.AppendTo(nil)); text != is.sent || string(sent.Prefix) != is.prefix {
			t.Errorf("%q is sent as %q, with the prefix %q", request, text, sent.Prefix)
		}
		if after := string(req.AppendTo(nil)); after != before {
			t.Errorf("the request %q has become %q", before, after)
		}
	}
}

// long returns the longest key that text can be repeated to and still have a prefix.
func long(text string) string { return strings.Repeat(text, 240) }

// The words of a verb are its keys for some verbs, and for others not.
func TestStrippedVerbs(t *testing.T) {
	t.Parallel()
	r := strippedTable(t)
	var s Stripped
	for request, is := range map[string]struct{ key, words string }{
		"sinter s:a s:b\r\n":    {"a", "a b"},
		"sinter b s:a\r\n":      {"b", "b a"},
		"sadd s:a s:b s:c\r\n":  {"a", "s:b s:c"}, // members
		"sadd a s:b\r\n":        {"a", "s:b"},
		"hget s:t s:field\r\n":  {"t", "s:field"},
		"sismember o:a s:b\r\n": {"o:a", "s:b"},
	} {
		sent := s.Request(r, parse(t, request))
		words := bytes.TrimPrefix(sent.Words, []byte("s:t ")) // some verbs' words begin with the key
		if string(sent.Key) != is.key || string(words) != is.words {
			t.Errorf("%q is carried out with the key %q and the words %q", request, sent.Key, sent.Words)
		}
	}
}

// Nothing may be left of a key: then memcached would take the next word for it. Keys that name verbs are no keys yet.
func TestBareKeys(t *testing.T) {
	t.Parallel()
	r := strippedTable(t)
	p := newPools(t, of("main", 1, nil))
	carries := NewTable(&config.Listener{VerbKeys: "s:verb/", Routes: []config.Route{{Pool: "main"}, {Prefix: "s:", Pool: "main", Strip: true}, {Prefix: "s:verb/", Pool: "main", Strip: true}}}, p.list)
	refusal := "CLIENT_ERROR nothing is left of the key %s without its prefix, which is stripped"
	for _, test := range []struct {
		table   *Table
		request string
		bare    string // the key that is refused
	}{
		{r, "get s:\r\n", "s:"},
		{r, "get a s:b long: c\r\n", "long:"},
		{r, "set s: 0 0 1\r\nx\r\n", "s:"},
		{r, "mg czo= v b\r\n", "s:"},
		{r, "sadd s: a\r\n", "s:"},
		{r, "sadd a s:\r\n", ""}, // a member
		{r, "sinter s:a long:\r\n", "long:"},
		{r, "get s\r\n", ""},
		{r, "get o: s:a\r\n", ""}, // whose prefix is not stripped
		{r, "delete o:\r\n", ""},
		{r, "stats\r\n", ""},
		{r, "flush_all\r\n", ""},
		{carries, "get s:verb/\r\n", ""}, // which package verbkeys refuses
		{carries, "set s:verb/ 0 0 1\r\nx\r\n", "s:verb/"},
	} {
		want := ""
		if test.bare != "" {
			want = strings.Replace(refusal, "%s", test.bare, 1)
		}
		if got := test.table.Refuses(parse(t, test.request)); got != want {
			t.Errorf("%q: %q", test.request, got)
		}
	}
}

// Of many keys, the scratch keeps no more than it may.
func TestStrippedScratch(t *testing.T) {
	t.Parallel()
	r := strippedTable(t)
	var s Stripped
	s.words = make([]byte, 0, keptWords)
	if s.Request(r, parse(t, "get s:a s:b\r\n")); cap(s.words) != keptWords {
		t.Errorf("%d bytes are kept, rather than used again", cap(s.words))
	}
	s.words = make([]byte, 0, keptWords+1)
	if s.Request(r, parse(t, "get s:a s:b\r\n")); cap(s.words) > keptWords || string(s.words) != "a b " {
		t.Errorf("%d bytes are kept; %q", cap(s.words), s.words)
	}
	plain := newPools(t, of("main", 1, nil)).table(config.Route{Pool: "main"})
	if req := parse(t, "get s:a\r\n"); s.Request(plain, req) != req {
		t.Error("without a prefix that is stripped, the request is copied")
	}
}

// A value gets back the prefix of its client's key, and no other part of it changes.
func TestBegin(t *testing.T) {
	t.Parallel()
	var s Stripped
	for value, is := range map[string]struct{ begin, rest string }{
		"VALUE a 0 3\r\nabc\r\n":  {"VALUE s:a", " 0 3\r\nabc\r\n"},
		"VALUE a 0 3\r\nVALUE":    {"VALUE s:a", " 0 3\r\nVALUE"},
		"SERVER_ERROR away\r\n":   {"", "SERVER_ERROR away\r\n"},
		"VALUE s:a 0 1 5\r\n\xff": {"VALUE s:s:a", " 0 1 5\r\n\xff"},
	} {
		begin, rest := s.Begin([]byte(value), []byte("s:"))
		if string(begin)+string(rest) != is.begin+is.rest {
			t.Errorf("%q: %q and %q", value, begin, rest)
		}
	}
}
