package verbkeys

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// parse parses text as a request.
func parse(t testing.TB, text string) *protocol.Request {
	t.Helper()
	parser := &protocol.Parser{MaxData: 1 << 20, Verbs: catalog.Known}
	req := &protocol.Request{}
	if n, status := parser.Next([]byte(text), req); status != protocol.Ready || n != len(text) {
		t.Fatalf("%q is not one request: %d, %v", text, n, status)
	}
	return req
}

// show formats a verb's request as a client would type it.
func show(verb *protocol.Request) string {
	text := verb.Name() + " " + string(verb.Key)
	switch {
	case verb.Verb.Block:
		text += blockWords(verb)
	case len(verb.Words) == 0:
	case &verb.Words[0] == &verb.Key[0]: // the words of some begin with the key
		text = verb.Name() + " " + string(verb.Words)
	default:
		text += " " + string(verb.Words)
	}
	if verb.Wait != 0 {
		text += fmt.Sprintf(" wait %d", verb.Wait)
	}
	if verb.Exptime != 0 && !verb.Verb.Block {
		text += fmt.Sprintf(" (exptime %d)", verb.Exptime)
	}
	if verb.Quiet {
		text += " noreply"
	}
	return text
}

// blockWords formats the words after the key of a request with a data block, in the order of its
// verb's usage.
func blockWords(verb *protocol.Request) (text string) {
	left := strings.Fields(string(verb.Words))
	for _, word := range strings.Fields(verb.Verb.Usage)[1:] {
		switch {
		case word == "<flags>":
			text += fmt.Sprintf(" %d", verb.Flags)
		case word == "<exptime>":
			text += fmt.Sprintf(" %d", verb.Exptime)
		case word == "<bytes>":
			text += fmt.Sprintf(" %d", len(verb.Data))
		case len(left) > 0:
			text, left = text+" "+left[0], left[1:]
		case word == "<when>":
			text += fmt.Sprintf(" %d", verb.When)
		}
	}
	return text
}

func TestTranslate(t *testing.T) {
	for _, test := range []struct{ sent, want string }{
		{"set v:sadd/k 0 0 3\r\na b\r\n", "sadd k a b"},
		{"set v:sadd/k 9 60 9\r\n a\r\n\v\f\tb \r\n", "sadd k a b (exptime 60)"},
		{"set v:srem/k/x 0 0 1 noreply\r\na\r\n", "srem k/x a noreply"},
		{"ms v:sadd/k 1 T-1 q F3\r\na\r\n", "sadd k a (exptime -1) noreply"},
		{"ms djpzYWRkL2s= 1 b\r\na\r\n", "sadd k a"},
		{"set v:logput/l 4294967295 0 2\r\n\r\n\r\n", "logput l 4294967295 0 2"},
		{"ms v:logput/l 0 F12\r\n\r\n", "logput l 12 0 0"},
		{"add v:saddnew/k/l 0 60 3\r\n a \r\n", "saddnew k/l a (exptime 60)"},
		{"set v:saddp/k/l/60 0 0 3\r\na b\r\n", "saddp k/l a b 60"},
		{"ms v:saddp/k/60 1 T9 q\r\na\r\n", "saddp k a 60 (exptime 9) noreply"},
		{"ms v:schange/k 6 q\r\n+a\r\n-b\r\n", "schange k +a -b noreply"},
		{"mg v:sinter/a/b/c v\r\n", "sinter a b c"},
		{"mg v:sdiff/a/a v\r\n", "sdiff a a"},
		{"mg v:spop/k/l v\r\n", "spop k/l"},
		{"mg v:srandmember/k/3 v\r\n", "srandmember k 3"},
		{"mg v:smembers/k v\r\n", "smembers k"},
		{"mg v:scard/a/b v\r\n", "scard a/b"},
		{"mg v:sismember/a/b/c v\r\n", "sismember a/b c"},
		{"mg v:logfetch/l v\r\n", "logfetch l"},
		{"mg v:logfetch/l/5 v\r\n", "logfetch l 5"},
		{"mg v:logfetch/l/-5/0 v\r\n", "logfetch l -5 0"},
		{"mg v:logfetch/l/1/2/3 v\r\n", "logfetch l/1 2 3"},
		{"mg v:logfetch/l/x/3 v\r\n", "logfetch l/x 3"},
		{"mg v:logfetch/l/-/+ v\r\n", "logfetch l/-/+"},
		{"mg v:logfetch/5 v\r\n", "logfetch 5"},
		{"mg v:logfetch/l/5/wait/5000 v\r\n", "logfetch l 5 wait 5000"},
		{"mg v:logfetch/user/7/-5/more/3/wait/5000 v\r\n", "logfetch user/7 -5 more 3 wait 5000"},
		{"mg v:logfetch/l/1/more/x v\r\n", "logfetch l/1/more/x"},
		{"mg v:lpop/l/wait/5000 v\r\n", "lpop l wait 5000"},
		{"mg v:rpop/user/7/2/wait/5000 v\r\n", "rpop user/7 2 wait 5000"},
		{"mg v:tasktake/q/30/2/most/3/wait/5000 v\r\n", "tasktake q 30 2 most 3 wait 5000"},
		{"mg v:tasktake/user/7/30/1/wait/5000 v\r\n", "tasktake user/7 30 1 wait 5000"},
		{"mg v:lpop/wait/5 v\r\n", "lpop wait 5"},
		{"mg v:lpop/l/wait/soon v\r\n", "lpop l/wait/soon"},
		{"mg v:lrange/l/wait/5/6 v\r\n", "lrange l/wait 5 6"},
		{"add v:lock/k/l 0 30 3\r\n a \r\n", "lock k/l a 30"},
		{"add v:lock/k 0 30 7 noreply\r\nnoreply\r\n", "lock k noreply 30 noreply"},
		{"ms v:lock/k 1 ME T30 F5\r\na\r\n", "lock k a 30"},
		{"delete v:unlock/k/l/a\r\n", "unlock k/l a"},
		{"delete v:unlock/k/noreply\r\n", "unlock k noreply"},
		{"delete v:unlock/k/a noreply\r\n", "unlock k a noreply"},
		{"md v:unlock/k/a q\r\n", "unlock k a noreply"},
		{"touch v:relock/k/l/a 30\r\n", "relock k/l a 30"},
		{"mg v:relock/k/a T30\r\n", "relock k a 30"},
		{"incr v:hincr/k/f 18446744073709551615\r\n", "hincr k f 18446744073709551615"},
		{"decr v:hdecr/k/l/f 3 noreply\r\n", "hdecr k/l f 3 noreply"},
		{"ma v:hincr/k/f\r\n", "hincr k f 1"},
		{"ma v:hincr/k/f v MI D7\r\n", "hincr k f 7"},
		{"ma v:hincr/k/f M+ q\r\n", "hincr k f 1 noreply"},
		{"ma v:hdecr/k/f MD D0\r\n", "hdecr k f 0"},
		{"ma djpoZGVjci9rL2Y= b M- D2\r\n", "hdecr k f 2"},
		{"set v:zadd/k/l 0 60 7\r\n5 a\n6 b\r\n", "zadd k/l 5 a 6 b (exptime 60)"},
		{"ma v:hincr/k/f v N60 J5\r\n", "hincr k f 1 5 (exptime 60)"},
		{"ma v:hincr/k/f v N0 D7\r\n", "hincr k f 7 0"},
		{"ma v:hincr/k/f v J5\r\n", "hincr k f 1"},
		{"ma v:hdecr/k/f MD N0 J18446744073709551615\r\n", "hdecr k f 1 18446744073709551615"},
		{"ma v:zincrby/k/m v N0 J5\r\n", "zincrby k 1 m"},
		{"ma v:zincrbyp/k/m/60 v N0 J5\r\n", "zincrbyp k 1 m 60"},
		{"incr v:zincrby/k/l/m 5\r\n", "zincrby k/l 5 m"},
		{"decr v:zincrby/k/m 9223372036854775808 noreply\r\n", "zincrby k -9223372036854775808 m noreply"},
		{"decr v:zincrby/k/m 0\r\n", "zincrby k -0 m"},
		{"ma v:zincrbyp/k/m/86400 MD D7\r\n", "zincrbyp k -7 m 86400"},
		{"incr v:zincrbyp/k/l/m/60 1\r\n", "zincrbyp k/l 1 m 60"},
		{"delete v:zrem/k/m\r\n", "zrem k m"},
		{"mg v:zget/k/l/m v\r\n", "zget k/l m"},
		{"mg v:zrange/k/0/10 v\r\n", "zrange k 0 10"},
		{"mg v:zrevrange/k/5/0/-1/withscores v\r\n", "zrevrange k/5 0 -1 withscores"},
		{"set v:zmax/k 7 60 5\r\n5 m/x\r\n", "zmax k 5 m/x (exptime 60)"},
		{"set v:ztrim/k/7 0 0 4\r\n-100\r\n", "ztrim k/7 -100"},
		{"mg v:zcount/k/5/-/+ v\r\n", "zcount k/5 - +"},
		{"mg v:zbyscore/k/5/1/9 v\r\n", "zbyscore k/5 1 9"},
		{"mg v:zbyscore/k/1/9/withscores v\r\n", "zbyscore k 1 9 withscores"},
		{"mg v:zbyscore/k/page/1/9/page/0/10/withscores v\r\n", "zbyscore k/page 1 9 0 10 withscores"},
		{"mg v:zrevbyscore/k/+/-/page/10/-1 v\r\n", "zrevbyscore k + - 10 -1"},
		{"mg v:zaround/k/l/m/5/withscores v\r\n", "zaround k/l m 5 withscores"},
		{"mg v:zrevaround/k/m/5 v\r\n", "zrevaround k m 5"},
		{"mg v:zpopmin/user/7 v\r\n", "zpopmin user/7"},
		{"mg v:zpopmin/user/7/count/10 v\r\n", "zpopmin user/7 10"},
		{"mg v:zpopmax/k/count v\r\n", "zpopmax k/count"},
		{"mg v:hgetall/user/7/1 v\r\n", "hgetall user/7/1"},
		{"mg v:hgetall/user/7/1/page/0/100 v\r\n", "hgetall user/7/1 0 100"},
		{"mg v:hkeys/k/page/100/-1 v\r\n", "hkeys k 100 -1"},
		{"mg v:hkeys/page/1/2/page/3/4 v\r\n", "hkeys page/1/2 3 4"},
		{"mg v:hgetall/page/1/2 v\r\n", "hgetall page/1/2"},
		{"mg v:hgetall/book/page/7 v\r\n", "hgetall book/page/7"},
		{"mg v:hgetall/k/page/1/x v\r\n", "hgetall k/page/1/x"},
		{"mg v:hgetall/k/mypage/1/2 v\r\n", "hgetall k/mypage/1/2"},
		{"set v:hset/k/l/f 7 60 3\r\na b\r\n", "hset k/l f 7 60 3"},
		{"set v:taskput/q/l/a/0 7 60 3\r\na b\r\n", "taskput q/l a 0 7 3"},
		{"ms v:taskput/q/a/1906400000000 0 q F12\r\n\r\n", "taskput q a 1906400000000 12 0 noreply"},
		{"mg v:tasktake/q/30 v\r\n", "tasktake q 30"},
		{"mg v:tasktake/q/l/30/10 v\r\n", "tasktake q/l 30 10"},
		{"mg v:tasktake/q/7/30 v\r\n", "tasktake q 7 30"},
		{"mg v:tasktake/q/30/most/3 v\r\n", "tasktake q 30 most 3"},
		{"mg v:tasktake/q/l/30/10/most/3 v\r\n", "tasktake q/l 30 10 most 3"},
		{"mg v:tasktake/most/3/30 v\r\n", "tasktake most 3 30"},
		{"mg v:tasktake/most/30 v\r\n", "tasktake most 30"},
		{"add v:taskadd/q/l/a/0 7 60 3\r\na b\r\n", "taskadd q/l a 0 7 3"},
		{"ms v:taskadd/q/a/+5 0 ME q F12\r\n\r\n", "taskadd q a +5 12 0 noreply"},
		{"set v:taskmove/q/l/a 0 0 5\r\n+6000\r\n", "taskmove q/l a +6000"},
		{"mg v:taskpeek/q/l/a v\r\n", "taskpeek q/l a"},
		{"delete v:taskdone/q/l/0123456789abc-_Z.1 noreply\r\n", "taskdone q/l 0123456789abc-_Z.1 noreply"},
		{"touch v:taskkeep/q/0123456789abc-_Z.1 60\r\n", "taskkeep q 0123456789abc-_Z.1 60"},
		{"mg v:taskkeep/q/0123456789abc-_Z.1 T60\r\n", "taskkeep q 0123456789abc-_Z.1 60"},
		{"set v:taskretry/q/0123456789abc-_Z.1 0 0 1\r\n0\r\n", "taskretry q 0123456789abc-_Z.1 0"},
		{"md v:taskdrop/q/l/a q\r\n", "taskdrop q/l a noreply"},
		{"mg v:tasklist/q v\r\n", "tasklist q"},
		{"mg v:tasklist/q/l/0/1906400000000 v\r\n", "tasklist q/l 0 1906400000000"},
		{"mg v:tasklist/q/7/-/+ v\r\n", "tasklist q/7 - +"},
		{"mg v:tasklist/q/1906400000000/+ v\r\n", "tasklist q 1906400000000 +"},
		{"mg v:tasklist/q/-x/+ v\r\n", "tasklist q/-x +"},
		{"mg v:tasklen/q/l v\r\n", "tasklen q/l"},
		{"mg v:zrank/k/withscores v\r\n", "zrank k withscores"},
	} {
		var verb protocol.Request
		if refusal := New("v:").Translate(parse(t, test.sent), &verb, now); refusal != "" {
			t.Errorf("%q is refused: %s", test.sent, refusal)
		} else if got := show(&verb); got != test.want {
			t.Errorf("%q carries %q, not %q", test.sent, got, test.want)
		}
	}
}

// now is the time of tests, in seconds since 1970.
const now = 1_800_000_000

// An exptime that becomes a number of seconds is what memcached takes it for: up to 30 days it is one, beyond that a
// point in time; and both may be over.
func TestExptimes(t *testing.T) {
	const stamp = "0123456789abc-_Z.1"
	for _, test := range []struct{ sent, want string }{
		{"touch v:taskkeep/q/" + stamp + " 2592000\r\n", "taskkeep q " + stamp + " 2592000"},
		{"touch v:taskkeep/q/" + stamp + " 1800000002\r\n", "taskkeep q " + stamp + " 2"},
		{"touch v:taskkeep/q/" + stamp + " 1800000000\r\n", "taskkeep q " + stamp + " -1"},
		{"touch v:taskkeep/q/" + stamp + " 2592001\r\n", "taskkeep q " + stamp + " -1"},
		{"touch v:taskkeep/q/" + stamp + " -7\r\n", "taskkeep q " + stamp + " -1"},
		{"mg v:taskkeep/q/" + stamp + " T1800000060\r\n", "taskkeep q " + stamp + " 60"},
		{"touch v:relock/k/a 1800000030\r\n", "relock k a 30"},
		{"touch v:relock/k/a 1\r\n", "relock k a 1"},
		{"touch v:relock/k/a 1799999999\r\n", "relock k a -1"},
		{"add v:lock/k 0 1800000030 1\r\na\r\n", "lock k a 30"},
		{"ms v:lock/k 1 ME T1802591000\r\na\r\n", "lock k a 2591000"},
		{"set v:hset/k/f 0 1800000030 1\r\na\r\n", "hset k f 0 1800000030 1"},
		{"add v:hadd/k/f 0 -1 1\r\na\r\n", "hadd k f 0 -1 1"},
		{"set v:rpush/k 0 1800000030 1\r\na\r\n", "rpush k a (exptime 1800000030)"},
		{"set v:zadd/k 0 1799999999 3\r\n1 a\r\n", "zadd k 1 a (exptime 1799999999)"},
	} {
		var verb protocol.Request
		if refusal := New("v:").Translate(parse(t, test.sent), &verb, now); refusal != "" {
			t.Errorf("%q is refused: %s", test.sent, refusal)
		} else if got := show(&verb); got != test.want {
			t.Errorf("%q carries %q, not %q", test.sent, got, test.want)
		}
	}
}

// A delete is futile where a set would carry a verb, and only there.
func TestFutileDeletes(t *testing.T) {
	for sent, want := range map[string]string{
		"delete v:srem/k/x\r\n":         "k/x",
		"delete v:lrem/k/1 noreply\r\n": "k",
		"md v:taskput/q/l/a/0 q\r\n":    "q/l",
		"md djpzYWRkL2s= b\r\n":         "k",
		"delete v:hdel/k/f\r\n":         "",
		"delete v:lock/k\r\n":           "",
		"delete v:hadd/k/f\r\n":         "",
		"delete v:smembers/k\r\n":       "",
		"delete v:srem/\r\n":            "",
		"delete v:hset/k\r\n":           "",
		"delete v:nope/k\r\n":           "",
		"set v:srem/k 0 0 1\r\na\r\n":   "",
		"touch v:srem/k 1\r\n":          "",
	} {
		if subject, futile := New("v:").Futile(parse(t, sent)); string(subject) != want || futile != (want != "") {
			t.Errorf("%q deletes nothing of %q: %v, expected %q", sent, subject, futile, want)
		}
	}
}

func TestPrefix(t *testing.T) {
	keys := New("verb/")
	for key, want := range map[string]bool{"verb/": true, "verb/scard/x": true, "verb": false, "averb/": false, "": false} {
		if got := keys.Cover([]byte(key)); got != want {
			t.Errorf("%q: names a verb: %v", key, got)
		}
	}
	for prefix, fine := range map[string]bool{
		"verb/": true, "!": true, "": false, "a b": false, "a\x7f": false,
		strings.Repeat("x", maxPrefix): true, strings.Repeat("x", maxPrefix+1): false,
	} {
		if err := Check(prefix); (err == nil) != fine {
			t.Errorf("prefix %q: %v", prefix, err)
		}
	}
}

// What is refused for its time is told where that is to be given, and what is refused for something else is not.
func TestRefusedForItsTime(t *testing.T) {
	for sent, told := range map[string]bool{
		"touch v:taskkeep/q/0123456789abc-_Z.1 0\r\n": true,
		"touch v:taskkeep/q/0123456789abc 60\r\n":     false,
		"touch v:relock/k/a 0\r\n":                    true,
		"add v:lock/k 0 0 1\r\na\r\n":                 true,
		"add v:lock/k 0 -1 1\r\na\r\n":                true,
		"add v:lock/k 0 1799999999 1\r\na\r\n":        true,
		"add v:lock/k 0 1802600000 1\r\na\r\n":        true,
	} {
		var verb protocol.Request
		refusal := New("v:").Translate(parse(t, sent), &verb, now)
		if refusal == "" || strings.Contains(refusal, "; give it as exptime, which was ") != told {
			t.Errorf("%q is refused: %q", sent, refusal)
		}
	}
}

// A key whose parts don't fit together is answered with how they are written in a key.
func TestRefusedForItsParts(t *testing.T) {
	var verb protocol.Request
	got := New("v:").Translate(parse(t, "mg v:lrange/k/1 v\r\n"), &verb, now)
	if page := New("v:").Translate(parse(t, "mg v:hgetall/k/page/-1/5 v\r\n"), &verb, now); !strings.HasPrefix(page, "CLIENT_ERROR v:hgetall/k/page/-1/5: bad page: ") {
		t.Errorf("a page from -1 on is answered %q", page)
	}
	if want := "CLIENT_ERROR v:lrange/k/1 has other parts than those expected: v:lrange/<list>[/<start>/<stop>]"; got != want {
		t.Errorf("%q, expected %q", got, want)
	}
}

// Whatever the parts of a key are, and however many, what is wrong with it is told in one line.
func TestKeysOfAnyParts(t *testing.T) {
	keys := New("v:")
	for _, v := range catalog.All {
		if v.Carry == nil {
			continue
		}
		words := []string{"", "k", "7"}
		for part := range strings.FieldsFuncSeq(v.Carry.Shape, func(r rune) bool { return strings.ContainsRune("/[].", r) }) {
			if part[0] != '<' {
				words = append(words, part)
			}
		}
		var try func(key string, parts int)
		try = func(key string, parts int) {
			if _, wrong := keys.begin(v.Carry.By, []byte(key)); wrong != fine {
				if told := keys.explain(wrong, v.Carry.By, []byte(key)); !strings.HasPrefix(told, "CLIENT_ERROR "+key+" ") || strings.ContainsAny(told, "\r\n") {
					t.Fatalf("%s: %q", key, told)
				}
			}
			if parts == 0 {
				return
			}
			for _, word := range words {
				try(key+"/"+word, parts-1)
			}
		}
		try("v:"+v.Name, 6)
	}
}

// What follows a word that has a number is refused if it is meant to be one, rather than taken for a part of the name.
func TestRefusedForItsNumber(t *testing.T) {
	for key, want := range map[string]string{
		"lpop/k/wait/5000.0":               "bad time: <ms> is how long to wait",
		"rpop/k/2/wait/5s":                 "bad time: <ms> is how long to wait",
		"logfetch/k/0/wait/1e3":            "bad time: <ms> is how long to wait",
		"tasktake/k/30/most/3.0":           "bad number: <n> is how often a task may have been taken",
		"tasktake/k/30/most/3/wait/60000x": "bad time: <ms> is how long to wait",
		"logfetch/k/0/more/2.0/wait/5":     "bad number: <n> is how many events there may be",
		"zpopmin/k/count/10.0":             "bad count: <count> is how many members",
		"hgetall/k/page/0.0/100":           "bad page: ",
	} {
		var verb protocol.Request
		if got := New("v:").Translate(parse(t, "mg v:"+key+" v\r\n"), &verb, now); !strings.HasPrefix(got, "CLIENT_ERROR v:"+key+": "+want) {
			t.Errorf("%s is answered %q, expected %q", key, got, want)
		}
	}
}

// Whatever the request, the translated verb could have been typed by a client.
func FuzzTranslate(f *testing.F) {
	f.Add([]byte("set v:sadd/k 0 0 3\r\na b\r\n"))
	f.Add([]byte("ms v:srem/k 1 q k O1\r\na\r\n"))
	f.Add([]byte("ms v:logput/l 1 F1 T5\r\na\r\n"))
	f.Add([]byte("mg v:sismember/k/m v k O1\r\n"))
	f.Add([]byte("mg v:logfetch/k/1/2 v\r\n"))
	f.Add([]byte("mg v:tasklist/q/-/+ v\r\n"))
	f.Add([]byte("mg v:hgetall/k/page/0/10 v\r\n"))
	f.Add([]byte("mg djpzY2FyZC9r b v\r\n"))
	f.Add([]byte("mg djpub3N1Y2gNCkhEIGluamVjdGVkDQo= b v\r\n"))
	f.Add([]byte("ms v:sadd/abc 1 b\r\na\r\n"))
	f.Add([]byte("ms v:srem/a 1\r\na\r\n"))
	f.Add([]byte("add v:lock/k 0 30 1\r\na\r\n"))
	f.Add([]byte("ms v:lock/k/l 1 ME T30\r\na\r\n"))
	f.Add([]byte("delete v:unlock/k/noreply noreply\r\n"))
	f.Add([]byte("md v:unlock/k/a q\r\n"))
	f.Add([]byte("touch v:relock/k/a 2591000\r\n"))
	f.Add([]byte("mg v:relock/k/a T30 O1\r\n"))
	f.Add([]byte("incr v:hincr/k/f 18446744073709551615\r\n"))
	f.Add([]byte("ma v:hdecr/k/f v MD D2 O1\r\n"))
	f.Add([]byte("ma v:hincr/k/f v N60 J5\r\n"))
	f.Add([]byte("touch v:relock/k/a 1800000030\r\n"))
	f.Add([]byte("decr v:zincrbyp/k/m/60 5\r\n"))
	f.Add([]byte("set v:taskput/q/a/0 0 0 1\r\na\r\n"))
	f.Add([]byte("mg v:tasktake/q/30/10 v\r\n"))
	f.Add([]byte("mg v:tasktake/q/30/10/most/3 v\r\n"))
	f.Add([]byte("add v:taskadd/q/a/0 0 0 1\r\na\r\n"))
	f.Add([]byte("delete v:taskdone/q/0123456789abc-_Z.1\r\n"))
	f.Add([]byte("touch v:taskkeep/q/0123456789abc-_Z.1 60\r\n"))
	f.Add([]byte("set v:taskretry/q/0123456789abc-_Z.1 0 0 1\r\n0\r\n"))
	f.Add([]byte("mg v:zrange/k/0/10/withscores v\r\n"))
	f.Add([]byte("mg v:zbyscore/k/-/+/page/0/10/withscores v\r\n"))
	f.Add([]byte("mg v:zbyscore/k/-/page/0/10/withscores v\r\n"))
	f.Add([]byte("mg v:zpopmin/k/count/10 v\r\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		parser := protocol.Parser{MaxData: 1 << 20, Verbs: catalog.Known}
		var req, verb protocol.Request
		if _, status := parser.Next(text, &req); status != protocol.Ready || req.Refusal != "" {
			return
		}
		keys := New("v:")
		if req.Command.Retrieval() || req.Verb != nil || !keys.Cover(req.Key) {
			return
		}
		refusal := keys.Translate(&req, &verb, now)
		if refusal == "" {
			_, refusal = NewForm(&req)
		}
		if refusal != "" {
			if strings.ContainsAny(refusal, "\r\n") || !strings.Contains(refusal, "ERROR") {
				t.Fatalf("%q is refused by %q, which is no line", text, refusal)
			}
			return
		}
		line := show(&protocol.Request{Command: verb.Command, Verb: verb.Verb, Key: verb.Key, Words: verb.Words, Data: verb.Data, Flags: verb.Flags}) + "\r\n"
		if verb.Verb.Block {
			line += string(verb.Data) + "\r\n"
		}
		var typed protocol.Request
		n, status := (&protocol.Parser{MaxData: 1 << 20, Verbs: catalog.Known}).Next([]byte(line), &typed)
		lastIsOption := strings.HasSuffix(verb.Verb.Usage, "[noreply]") // "noreply" as a word
		switch {
		case len(line) > protocol.MaxLine || lastIsOption && strings.HasSuffix(line, " noreply\r\n"):
		case status != protocol.Ready || n != len(line) || typed.Refusal != "":
			t.Fatalf("%q carries %q, which is refused: %s", text, line, typed.Refusal)
		case typed.Verb != verb.Verb || string(typed.Key) != string(verb.Key) || typed.NumWords != verb.NumWords:
			t.Fatalf("%q carries %q, which is read as %+v, not %+v", text, line, typed, verb)
		}
	})
}
