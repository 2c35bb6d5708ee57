package protocol

import (
	"strings"
	"testing"
)

// check reports whether answer can be the reply to the request typed.
func check(t testing.TB, typed, answer string) bool {
	t.Helper()
	req := parse(t, typed)
	k := Check{Command: req.Command, Asked: req.Asked(nil)}
	for rest := []byte(answer); len(rest) > 0; {
		var unit Reply
		n, _, err := ParseReply(rest, &unit)
		if err != nil || n == 0 {
			t.Fatalf("%q is no reply: %v", answer, err)
		}
		if !k.Fits(&unit) {
			return false
		}
		rest = rest[n:]
	}
	return true
}

// Requests with possible answers and with impossible ones.
func TestCheck(t *testing.T) {
	for typed, answers := range map[string][2][]string{
		"get a b  c\r\n": {
			{"END", "VALUE a 0 1|x|VALUE b 0 1|y|VALUE c 0 1|z|END", "VALUE c 0 1|z|END", "VALUE a 0 1|x|SERVER_ERROR out of memory", "ERROR"},
			{"VALUE d 0 1|x|END", "VALUE b 0 1|y|VALUE a 0 1|x|END", "VALUE a 0 1|x|VALUE a 0 1|x|END", "VALUE a 0 1 5|x|END", "STORED", "HD", "MN",
				"VALUE ab 0 1|x|END"},
		},
		"gets a a\r\n": {
			{"VALUE a 0 1 5|x|VALUE a 0 1 5|x|END"},
			{"VALUE a 0 1|x|END", "VALUE a 0 1 5|x|VALUE a 0 1 5|x|VALUE a 0 1 5|x|END"},
		},
		"gat 0 a\r\n":                   {{"VALUE a 0 1|x|END", "END"}, {"TOUCHED", "VALUE 0 0 1|x|END"}},
		"gats 0 a\r\n":                  {{"VALUE a 0 1 9|x|END"}, {"VALUE a 0 1|x|END", "VALUE a 0 1 x|x|END", "VALUE a 0 1 9 9|x|END"}},
		"set a 0 0 1\r\nx\r\n":          {{"STORED", "NOT_STORED", "SERVER_ERROR x", "CLIENT_ERROR x"}, {"EXISTS", "5", "OK", "HD", "END", "DELETED", "STORED x"}},
		"cas a 0 0 1 5\r\nx\r\n":        {{"STORED", "EXISTS", "NOT_FOUND"}, {"DELETED", "1"}},
		"delete a\r\n":                  {{"DELETED", "NOT_FOUND"}, {"STORED", "TOUCHED", "OK"}},
		"touch a 0\r\n":                 {{"TOUCHED", "NOT_FOUND"}, {"DELETED"}},
		"incr a 1\r\n":                  {{"5", "NOT_FOUND", "CLIENT_ERROR cannot increment or decrement non-numeric value"}, {"STORED", "5 "}},
		"flush_all\r\n":                 {{"OK"}, {"STORED"}},
		"mn\r\n":                        {{"MN"}, {"HD", "OK"}},
		"version\r\n":                   {{"VERSION 1"}, {"OK"}},
		"mg a\r\n":                      {{"HD", "EN", "HD W", "HD X Z"}, {"VA 1|x", "NF", "HD c5", "HD Y", "HD O1", "MN", "ME a x", "HD WX", "STORED"}},
		"mg a v t k O12 c\r\n":          {{"VA 1 t-1 ka O12 c18446744073709551615|x", "VA 1 t5 ka O12 c5 W Z|x", "EN ka O12", "EN O12", "EN"}, {"HD t-1 ka O12 c5", "VA 1 t-1 kb O12 c5|x", "VA 1 ka O1 c5|x", "VA 1 O12 ka|x", "VA 1 tx ka|x", "VA 1 t5 O12 c5|x", "VA 1|x", "EN kb", "EN ka O1"}},
		"mg YSBi b k v\r\n":             {{"VA 1 kYSBi b|x", "VA 1 ka b|x", "EN kYSBi b"}, {"VA 1 kYSBi c|x", "VA 1 ka c|x", "VA 1 ka|x", "VA 1|x", "EN ka bb"}},
		"ms a 1 c k s\r\nx\r\n":         {{"HD c7 ka s1", "NS ka", "EX c0 ka", "NF", "HD c7 ka"}, {"EN", "VA 1|x", "HD ka c7", "HD s1 s1", "HD c7 s1", "HD"}},
		"md a k\r\n":                    {{"HD ka", "NF ka", "EX ka"}, {"NS", "EN", "HD kb", "HD"}},
		"ma a v k\r\n":                  {{"VA 1 ka|5", "VA 20 ka|18446744073709551615", "NF ka", "NS", "EX"}, {"HD ka", "EN", "VA 1 kb|5", "VA 1|5", "VA 1 ka|x", "VA 0 ka|", "VA 2 ka|-5", "VA 2 ka|5 ", "VA 20 ka|18446744073709551616"}},
		"ma b k\r\n":                    {{"HD kb"}, {"VA 1 kb|5", "HD kb b"}},
		"me a\r\n":                      {{"ME a exp=-1 la=0", "ME YQ== exp=-1", "EN"}, {"ME b exp=-1", "ME Yg== exp=-1", "HD", "ME"}},
		"ms YSBi 1 b k MS\r\nx\r\n":     {{"HD kYSBi b"}, {"HD kYSBi b b"}},
		"get " + key250 + "\r\n":        {{"VALUE " + key250 + " 0 0||END"}, {"VALUE " + key250[1:] + " 0 0||END"}},
		"mg a O" + key250[:31] + "\r\n": {{"HD O" + key250[:31]}, {"HD O" + key250[:30]}},
	} {
		for i, fits := range []bool{true, false} {
			for _, answer := range answers[i] {
				if check(t, typed, strings.ReplaceAll(answer, "|", "\r\n")+"\r\n") != fits {
					t.Errorf("%.40q answered by %.80q: fits is not %v", typed, answer, fits)
				}
			}
		}
	}
}

// Check panics at no answer, and does not allocate for ordinary ones.
func FuzzCheck(f *testing.F) {
	for _, seed := range [][2]string{
		{"mg a v t k O1\r\n", "VA 1 t-1 ka O1\r\nx\r\n"}, {"get a b\r\n", "VALUE b 0 1\r\nx\r\nEND\r\n"},
		{"mg YSBi b k\r\n", "HD ka b\r\n"}, {"ms a 1 c\r\nx\r\n", "HD c1\r\n"}, {"me a\r\n", "ME a x=1\r\n"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, typed, answer string) {
		var req Request
		p := Parser{MaxData: maxData, Verbs: testVerbs}
		if _, status := p.Next([]byte(typed), &req); status != Ready || req.Refusal != "" {
			return
		}
		k := Check{Command: req.Command, Asked: req.Asked(nil)}
		for rest := []byte(answer); len(rest) > 0; {
			var unit Reply
			n, _, err := ParseReply(rest, &unit)
			if err != nil || n == 0 || !k.Fits(&unit) {
				return
			}
			if unit.Kind == ReplyValue && !strings.Contains(" "+string(req.Words)+" ", " "+string(unit.Key)+" ") {
				t.Fatalf("%q answered by %q", typed, answer)
			}
			rest = rest[n:]
		}
	})
}
