package verbkeys

import (
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// The answers of verbs in each form.
func TestForms(t *testing.T) {
	const members = "VALUE k 0 3\r\na b\r\nEND\r\n"
	const events = "VALUE\r\n1000 7 5\nhello\n2000 8 0\n\nEND\r\n"
	const tasks = "VALUE\r\na 7 5 0123456789abc-_Z.1\nhello\nb 8 0 0123456789abcdef.12\n\nEND\r\n"
	for _, test := range []struct{ sent, answer, want string }{
		{"set v:sadd/k 0 0 1\r\na\r\n", "STORED\r\n", "STORED\r\n"},
		{"set v:srem/k 0 0 1\r\na\r\n", "NOT_FOUND\r\n", "NOT_STORED\r\n"},
		{"add v:saddnew/k 0 0 1\r\na\r\n", "1\r\n", "STORED\r\n"},
		{"add v:saddnew/k 0 0 1\r\na\r\n", "0\r\n", "NOT_STORED\r\n"},
		{"ms v:saddnew/k 1 ME q\r\na\r\n", "0\r\n", "NS\r\n"},
		{"add v:saddnew/k 0 0 1\r\na\r\n", "SERVER_ERROR no\r\n", "SERVER_ERROR no\r\n"},
		{"set v:logput/k 0 0 1\r\na\r\n", "NOT_STORED\r\n", "NOT_STORED\r\n"},
		{"set v:sadd/k 0 0 1\r\na\r\n", "SERVER_ERROR k is full\r\n", "SERVER_ERROR k is full\r\n"},
		{"set v:sadd/k 0 0 1 noreply\r\na\r\n", "SERVER_ERROR k is full\r\n", ""},
		{"ms v:sadd/k 1 k O1 s\r\na\r\n", "STORED\r\n", "HD kv:sadd/k O1 s1\r\n"},
		{"ms v:sadd/k 1 c\r\na\r\n", "STORED\r\n", "HD c0\r\n"},
		{"ms v:srem/k 1 c k s\r\na\r\n", "NOT_FOUND\r\n", "NS c0 kv:srem/k s1\r\n"},
		{"ms djpzYWRkL2s= 1 b O1 k\r\na\r\n", "STORED\r\n", "HD O1 kdjpzYWRkL2s= b\r\n"},
		{"ms djpzYWRkL2s= 1 b\r\na\r\n", "STORED\r\n", "HD\r\n"},
		{"mg djpzY2FyZC9r b v k O1\r\n", "2\r\n", "VA 1 kdjpzY2FyZC9r b O1\r\n2\r\n"},
		{"mg djpzY2FyZC9r b k O1\r\n", "NOT_FOUND\r\n", "EN kdjpzY2FyZC9r b O1\r\n"},
		{"ms v:sadd/k 1 q\r\na\r\n", "STORED\r\n", ""},
		{"ms v:sadd/k 1 q\r\na\r\n", "SERVER_ERROR no\r\n", "SERVER_ERROR no\r\n"},
		{"mg v:smembers/k v s c t f k O1\r\n", members, "VA 3 s3 c12 t30 f0 kv:smembers/k O1\r\na b\r\n"},
		{"mg v:smembers/k s\r\n", members, "HD s3\r\n"},
		{"mg v:scard/k v\r\n", "2\r\n", "VA 1\r\n2\r\n"},
		{"mg v:sismember/k/m v\r\n", "0\r\n", "VA 1\r\n0\r\n"},
		{"mg v:scard/k v O7 c\r\n", "NOT_FOUND\r\n", "EN O7\r\n"},
		{"mg v:scard/k v q\r\n", "NOT_FOUND\r\n", ""},
		{"ma v:hincr/k/f v k O1\r\n", "42\r\n", "VA 2 kv:hincr/k/f O1\r\n42\r\n"},
		{"ma v:hdecr/k/f MD D3\r\n", "42\r\n", "HD\r\n"},
		{"ma v:hincr/k/f v q\r\n", "42\r\n", ""},
		{"ma v:hincr/k/f v q\r\n", "NOT_FOUND\r\n", "NF\r\n"},
		{"incr v:zincrby/k/m 1\r\n", "42\r\n", "42\r\n"},
		{"incr v:limit/k/5/60 1\r\n", "1 4 0\r\n", "5\r\n"},
		{"incr v:limit/k/5/60 5\r\n", "0 4 1000\r\n", "0\r\n"},
		{"ma v:limit/k/5/60 v D2\r\n", "1 0 0\r\n", "VA 1\r\n1\r\n"},
		{"ma v:limit/k/5/60\r\n", "0 0 7\r\n", "HD\r\n"},
		{"mg v:limit/k/5/60 v\r\n", "0 0 7\r\n", "VA 5\r\n0 0 7\r\n"},
		{"ma v:zincrby/k/m MD\r\n", "-1\r\n", "HD\r\n"},
		{"ma v:zincrby/k/m MD v\r\n", "-1\r\n", "CLIENT_ERROR v:zincrby/k/m: it has counted, but the result is -1, and ma can't answer with less than 0: count without asking for the result, and get it then\r\n"},
		{"ma v:zincrby/k/m MD v q\r\n", "-1\r\n", ""},
		{"decr v:zincrby/k/m 3\r\n", "-2\r\n", "CLIENT_ERROR v:zincrby/k/m: it has counted, but the result is -2, and decr can't answer with less than 0: count without asking for the result, and get it then\r\n"},
		{"decr v:zincrby/k/m 3 noreply\r\n", "-2\r\n", ""},
		{"mg v:zget/k/m v\r\n", "-2\r\n", "VA 2\r\n-2\r\n"},
		{"mg v:logfetch/l v\r\n", events, "VA 25\r\n1000 7 5\nhello\n2000 8 0\n\n\r\n"},
		{"mg v:tasktake/q/30/2 v\r\n", tasks, "VA 58\r\na 7 5 0123456789abc-_Z.1\nhello\nb 8 0 0123456789abcdef.12\n\n\r\n"},
		{"mg v:tasktake/q/30 v\r\n", "END\r\n", "EN\r\n"},
		{"mg v:tasklist/q v\r\n", "VALUE\r\na 0 6\n17 0 0\nEND\r\n", "VA 13\r\na 0 6\n17 0 0\n\r\n"},
		{"set v:taskretry/q/0123456789abc-_Z.1 0 0 1\r\n0\r\n", "EXISTS\r\n", "NOT_STORED\r\n"},
		{"touch v:taskkeep/q/0123456789abc-_Z.1 60\r\n", "STORED\r\n", "TOUCHED\r\n"},
		{"delete v:taskdone/q/0123456789abc-_Z.1\r\n", "EXISTS\r\n", "NOT_FOUND\r\n"},
		{"md v:taskdone/q/0123456789abc-_Z.1\r\n", "EXISTS\r\n", "EX\r\n"},
		{"mg v:logfetch/l v\r\n", "END\r\n", "EN\r\n"},
		{"mg v:lpop/l v O1\r\n", "VALUE l 0 0\r\n\r\nEND\r\n", "EN O1\r\n"},
		{"mg v:rpop/l/2 v q\r\n", "VALUE l 0 0\r\n\r\nEND\r\n", ""},
		{"mg v:lpop/l v\r\n", "VALUE l 0 1\r\na\r\nEND\r\n", "VA 1\r\na\r\n"},
		{"mg v:lrange/l v\r\n", "VALUE l 0 0\r\n\r\nEND\r\n", "VA 0\r\n\r\n"},
		{"mg v:smembers/s v\r\n", "VALUE s 0 0\r\n\r\nEND\r\n", "VA 0\r\n\r\n"},
	} {
		req := parse(t, test.sent)
		var verb protocol.Request
		if refusal := New("v:").Translate(req, &verb, now); refusal != "" {
			t.Fatalf("%q is refused: %s", test.sent, refusal)
		}
		form, refusal := NewForm(req)
		if refusal != "" {
			t.Fatalf("%q is refused: %s", test.sent, refusal)
		}
		answer := Understand(catalog.Of(&verb), []byte(test.answer), verbs.Item{CAS: 12, TTL: 30})
		if got := string(form.Append(nil, &answer)); got != test.want {
			t.Errorf("%q, answered %q: %q, not %q", test.sent, test.answer, got, test.want)
		}
	}
}

// The replies of a command that carries a change, to each answer that there may be.
func TestFormsOfChanges(t *testing.T) {
	answers := []string{"STORED", "DELETED", "NOT_STORED", "NOT_FOUND", "EXISTS", "SERVER_ERROR no"}
	for _, test := range []struct {
		sent string
		want []string
	}{
		{"set v:x/k 0 0 1\r\na\r\n", []string{"STORED", "STORED", "NOT_STORED", "NOT_STORED", "NOT_STORED", "SERVER_ERROR no"}},
		{"add v:x/k 0 0 1\r\na\r\n", []string{"STORED", "STORED", "NOT_STORED", "NOT_STORED", "NOT_STORED", "SERVER_ERROR no"}},
		{"delete v:x/k\r\n", []string{"DELETED", "DELETED", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND", "SERVER_ERROR no"}},
		{"touch v:x/k 9\r\n", []string{"TOUCHED", "TOUCHED", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND", "SERVER_ERROR no"}},
		{"ms v:x/k 1 ME O1 c\r\na\r\n", []string{"HD O1 c0", "HD O1 c0", "NS O1 c0", "NS O1 c0", "EX O1 c0", "SERVER_ERROR no"}},
		{"ms v:x/k 1 q\r\na\r\n", []string{"", "", "NS", "NS", "EX", "SERVER_ERROR no"}},
		{"md v:x/k k\r\n", []string{"HD kv:x/k", "HD kv:x/k", "NF kv:x/k", "NF kv:x/k", "EX kv:x/k", "SERVER_ERROR no"}},
		{"md v:x/k q\r\n", []string{"", "", "NF", "NF", "EX", "SERVER_ERROR no"}},
		{"mg v:x/k T9 O1\r\n", []string{"HD O1", "HD O1", "EN O1", "EN O1", "EN O1", "SERVER_ERROR no"}},
		{"ma v:x/k v O1\r\n", []string{"HD O1", "HD O1", "NS O1", "NF O1", "EX O1", "SERVER_ERROR no"}},
		{"incr v:x/k 1\r\n", []string{"NOT_FOUND", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND", "SERVER_ERROR no"}},
		{"delete v:x/k noreply\r\n", []string{"", "", "", "", "", ""}},
	} {
		form, refusal := NewForm(parse(t, test.sent))
		if refusal != "" {
			t.Fatalf("%q is refused: %s", test.sent, refusal)
		}
		for i, text := range answers {
			answer := Understand(&verbs.Verb{}, []byte(text+"\r\n"), verbs.Item{})
			if got := strings.TrimSuffix(string(form.Append(nil, &answer)), "\r\n"); got != test.want[i] {
				t.Errorf("%q, answered %q: %q, not %q", test.sent, text, got, test.want[i])
			}
		}
	}
}

func TestValueForms(t *testing.T) {
	answer := Understand(&verbs.Verb{}, []byte("12\r\n"), verbs.Item{CAS: 5, TTL: -1})
	for command, want := range map[protocol.Command]string{
		protocol.Get:  "VALUE key 0 2\r\n12\r\n",
		protocol.Gets: "VALUE key 0 2 5\r\n12\r\n",
	} {
		form := ValueForm(command, []byte("key"))
		if got := string(form.Append(nil, &answer)); got != want {
			t.Errorf("%s: %q, not %q", command, got, want)
		}
		row := Answer{Outcome: Hit, Value: []byte("ab"), Flags: 7}
		if got := string(form.Append(nil, &row)); !strings.HasPrefix(got, "VALUE key 7 2") {
			t.Errorf("%s: a row is %q", command, got)
		}
		if got := form.Append(nil, &Answer{Outcome: Missing}); len(got) != 0 {
			t.Errorf("%s: a miss is %q", command, got)
		}
	}
}
