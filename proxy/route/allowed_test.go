package route

import (
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/passwords"
)

// guardedPools are a pool in which everything is allowed, and others.
func guardedPools(t testing.TB) pools {
	t.Helper()
	return newPools(t, of("open", 2, nil),
		of("fixed", 1, func(p *config.Pool) { p.Guard.ReadOnly = true }),
		of("kept", 1, func(p *config.Pool) { p.Guard.NoFlush, p.Guard.NoStatsReset = true, true }),
		of("few", 1, func(p *config.Pool) { p.Guard.DeniedVerbs = []string{"smembers", "sinter"} }))
}

// A request is refused if the pool of one of its keys refuses it; a flush if any pool of the table does.
func TestRefusals(t *testing.T) {
	t.Parallel()
	p := guardedPools(t)
	all := []config.Route{{Pool: "open"}, {Prefix: "f:", Pool: "fixed"}, {Prefix: "k:", Pool: "kept"}, {Prefix: "w:", Pool: "few"}}
	onlyOpen := p.table(all[0])
	r := p.table(all...)
	for request, refusal := range map[string]string{
		"get a f:a k:a w:a\r\n":     "",
		"set a 0 0 1\r\nx\r\n":      "",
		"set f 0 0 1\r\nx\r\n":      "", // the prefix is f:
		"set k:a 0 0 1\r\nx\r\n":    "",
		"set f:a 0 0 1\r\nx\r\n":    "set is not allowed in pool fixed by its setting read-only",
		"incr f:a 1\r\n":            "incr is not allowed in pool fixed by its setting read-only",
		"touch f:a 1\r\n":           "touch is not allowed in pool fixed by its setting read-only",
		"gat 1 a f:a\r\n":           "gat is not allowed in pool fixed by its setting read-only",
		"gat 1 a k:a\r\n":           "",
		"md f:a\r\n":                "md is not allowed in pool fixed by its setting read-only",
		"mg f:a v\r\n":              "",
		"mg f:a T30\r\n":            "mg is not allowed in pool fixed by its setting read-only",
		"mg a T30\r\n":              "",
		"mg a v h\r\n":              "",
		"mg f:a v h\r\n":            "mg with the flag h is not allowed in pool fixed by its setting read-only",
		"mg Zjph v h b\r\n":         "mg with the flag h is not allowed in pool fixed by its setting read-only", // f:a
		"sadd f:a x\r\n":            "sadd is not allowed in pool fixed by its setting read-only",
		"smembers f:a\r\n":          "",
		"smembers w:a\r\n":          "smembers is not allowed in pool few by its setting verbs",
		"smembers a\r\n":            "",
		"sinter w:a w:b\r\n":        "sinter is not allowed in pool few by its setting verbs",
		"scard w:a\r\n":             "",
		"flush_all\r\n":             "flush_all is not allowed in pool fixed by its setting read-only",
		"stats\r\n":                 "",
		"help\r\n":                  "",
		"mn\r\n":                    "",
		"delete f:a noreply\r\n":    "delete is not allowed in pool fixed by its setting read-only",
		"get " + manyKeys("f:")[1:]: "",
	} {
		if refusal != "" {
			refusal = "CLIENT_ERROR " + refusal
		}
		if got := r.Refuses(parse(t, request)); got != refusal {
			t.Errorf("%.40q: %q, expected %q", request, got, refusal)
		}
		if got := onlyOpen.Refuses(parse(t, request)); got != "" {
			t.Errorf("%.40q is refused although no pool of the table refuses anything: %q", request, got)
		}
	}
	noFlush := p.table(all[0], all[2])
	if got := noFlush.Refuses(parse(t, "flush_all\r\n")); got != "CLIENT_ERROR flush_all is not allowed in pool kept by its setting flush" {
		t.Errorf("flush_all: %q", got)
	}
	if got := noFlush.RefusesReset(); got != "CLIENT_ERROR stats reset is not allowed in pool kept by its setting stats-reset" {
		t.Errorf("stats reset: %q", got)
	}
	if got := onlyOpen.RefusesReset(); got != "" {
		t.Errorf("stats reset: %q", got)
	}
}

// manyKeys returns a space and as many keys with a prefix as one request has, and the end of the line.
func manyKeys(prefix string) string {
	return strings.Repeat(" "+prefix+"x", protocol.MaxKeys) + "\r\n"
}

// help leaves out the verbs that no pool of the table allows.
func TestHelpOfATable(t *testing.T) {
	t.Parallel()
	p := guardedPools(t)
	few := p.table(config.Route{Pool: "few"})
	both := p.table(config.Route{Pool: "few"}, config.Route{Prefix: "a:", Pool: "open"})
	if text := few.Help(nil); strings.Contains(text, "smembers") || !strings.Contains(text, "scard") {
		t.Errorf("without smembers: %s", text)
	}
	if text := few.Help([]byte("smembers")); text != "CLIENT_ERROR smembers is not allowed here, by a setting of the pool\r\n" {
		t.Errorf("smembers: %s", text)
	}
	if text := both.Help([]byte("smembers")); !strings.HasPrefix(text, "smembers <") {
		t.Errorf("smembers, which one pool allows: %s", text)
	}
}

// The keys of a verb are in one pool, and all or none of them are stripped, by one prefix.
func TestKeysApart(t *testing.T) {
	t.Parallel()
	p := newPools(t, of("main", 2, nil), of("other", 1, nil))
	plain := p.table(config.Route{Pool: "main"})
	routed := p.table(config.Route{Pool: "main"}, config.Route{Prefix: "m:", Pool: "main"}, config.Route{Prefix: "o:", Pool: "other"})
	stripped := p.table(config.Route{Pool: "main"}, config.Route{Prefix: "m:", Pool: "main"}, config.Route{Prefix: "s:", Pool: "main", Strip: true}, config.Route{Prefix: "t:", Pool: "main", Strip: true})
	for _, test := range []struct {
		table          *Table
		words, refusal string
	}{
		{plain, "a o:b", ""},
		{routed, "", ""},
		{routed, "a", ""},
		{routed, "a m:b c", ""}, // two routes of one pool
		{routed, "o:a o:b", ""},
		{routed, "a o:b", SeveralPools},
		{routed, "a b c o:d", SeveralPools},
		{routed, "o:a o", SeveralPools},
		{stripped, "s:a s:b", ""},
		{stripped, "a m:b", ""},
		{stripped, "a s:b", SeveralPrefixes},
		{stripped, "s:a b", SeveralPrefixes},
		{stripped, "s:a t:a", SeveralPrefixes},
	} {
		if got := test.table.Apart([]byte(test.words)); got != test.refusal {
			t.Errorf("%q: %q, expected %q", test.words, got, test.refusal)
		}
	}
}

// A verb that an ordinary command carries is refused for all the reasons for which it is by itself.
func TestRefusalsOfCarriedVerbs(t *testing.T) {
	t.Parallel()
	p := newPools(t, of("main", 1, nil), of("fixed", 1, func(p *config.Pool) { p.Guard.ReadOnly = true }))
	r := NewTable(&config.Listener{VerbKeys: "verb/", Routes: []config.Route{{Pool: "main"}, {Prefix: "f:", Pool: "fixed"}, {Prefix: "s:", Pool: "main", Strip: true}}}, p.list)
	for key, refusal := range map[string]string{
		"verb/smembers/a":   "",
		"verb/smembers/f:a": "",
		"verb/smembers/s:a": "",
		"verb/smembers/s:":  "CLIENT_ERROR nothing is left of the key s: without its prefix, which is stripped",
		"verb/lpop/f:a":     "CLIENT_ERROR lpop is not allowed in pool fixed by its setting read-only",
		"verb/lpop/a":       "",
	} {
		var verb protocol.Request
		if got := r.RefusesNamed(protocol.Get, []byte(key), &verb); got != refusal {
			t.Errorf("%s: %q, expected %q", key, got, refusal)
		}
	}
	var verb protocol.Request
	for _, key := range []string{"verb/", "verb/none/a", "verb/sadd/a"} {
		if got := r.RefusesNamed(protocol.Get, []byte(key), &verb); !strings.HasPrefix(got, "CLIENT_ERROR "+key) {
			t.Errorf("%s: %q", key, got)
		}
	}
	if !r.Covers([]byte("verb/x")) || r.Covers([]byte("verb")) || p.table(config.Route{Pool: "main"}).Covers([]byte("verb/x")) {
		t.Error("keys are taken for names of verbs, or are not")
	}
	routed := p.table(config.Route{Pool: "main"}, config.Route{Prefix: "f:", Pool: "fixed"})
	if got := routed.RefusesCarried(parse(t, "sinter a f:a\r\n"), p.named("main")); got != SeveralPools {
		t.Errorf("a verb of keys of two pools: %q", got)
	}
}

// A retrieval is divided if it names too many verbs with large answers.
func TestLoad(t *testing.T) {
	t.Parallel()
	p := newPools(t, of("main", 1, nil))
	list := &passwords.List{}
	r := NewTable(&config.Listener{VerbKeys: "verb/", Passwords: list, Routes: []config.Route{{Pool: "main"}}}, p.list)
	if r.Passwords != list {
		t.Error("the table lacks the passwords")
	}
	large := strings.Repeat(" verb/smembers/a", MaxLarge)
	for request, is := range map[string]struct {
		named int
		large bool
	}{
		"get a b\r\n":                                        {0, false},
		"get a verb/scard/b\r\n":                             {1, false},
		"get" + large + "\r\n":                               {MaxLarge, false},
		"get" + large + " verb/scard/a\r\n":                  {MaxLarge + 1, false},
		"get" + large + " verb/hgetall/a\r\n":                {MaxLarge + 1, true},
		"get" + large + " verb/none/a verb/\r\n":             {MaxLarge + 2, false}, // will be refused
		"set verb/sadd/a 0 0 1\r\nx\r\n":                     {1, false},
		"set a 0 0 1\r\nx\r\n":                               {0, false},
		"smembers verb/smembers/a\r\n":                       {0, false}, // the verb's own key
		"flush_all\r\n":                                      {0, false},
		"mg dmVyYi9oZ2V0YWxsL2E= v b\r\n":                    {1, false}, // verb/hgetall/a
		"get" + strings.Repeat(" verb/llen/a", 100) + "\r\n": {100, false},
	} {
		var c Carriage
		c.Load = Load{Named: 5, large: MaxLarge + 5} // of the request before
		if c.Weigh(r.Keys, parse(t, request)); c.Load.Named != is.named || c.Load.TooLarge() != is.large {
			t.Errorf("%.60q: %+v", request, c.Load)
		}
		if c.Weigh(nil, parse(t, request)); c.Load != (Load{}) {
			t.Errorf("%.60q without keys that name verbs: %+v", request, c.Load)
		}
	}
}
