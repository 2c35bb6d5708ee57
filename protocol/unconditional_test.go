package protocol

import "testing"

// A request that compares the CAS is carried out whatever that is, and all others stay as they are.
func TestUnconditional(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ sent, becomes string }{
		{"cas k 5 60 2 17\r\nab\r\n", "set k 5 60 2\r\nab\r\n"},
		{"ms k 2 T60 C17 F5\r\nab\r\n", "ms k 2 T60 F5\r\nab\r\n"},
		{"md k C17\r\n", "md k\r\n"},
		{"ma k N0 C17 v\r\n", "ma k N0 v\r\n"},
		{"ms bSBt 2 C17 b E9\r\nab\r\n", "ms bSBt 2 b E9\r\nab\r\n"},
		{"set k 5 60 2\r\nab\r\n", "set k 5 60 2\r\nab\r\n"},
		{"gets k\r\n", "gets k\r\n"},
		{"md k T60 I\r\n", "md k T60 I\r\n"},
		{"incr k 2\r\n", "incr k 2\r\n"},
	} {
		var r Request
		p := Parser{MaxData: 1 << 20, Verbs: testVerbs}
		if n, _ := p.Next([]byte(test.sent), &r); n != len(test.sent) || r.Refusal != "" {
			t.Fatalf("%q: %d bytes read, %s", test.sent, n, r.Refusal)
		}
		before := string(r.AppendTo(nil))
		if u := r.Unconditional(); string(u.AppendTo(nil)) != test.becomes {
			t.Errorf("%q becomes %q", test.sent, u.AppendTo(nil))
		}
		if after := string(r.AppendTo(nil)); after != before {
			t.Errorf("%q itself has changed from %q to %q", test.sent, before, after)
		}
	}
}
