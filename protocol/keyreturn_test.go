package protocol

import "testing"

// The key is inserted where memcached would have put it.
func TestKeyReturn(t *testing.T) {
	for _, test := range []struct{ typed, answer, want string }{
		{"mg Cg== b k\r\n", "HD\r\n", "HD kCg== b\r\n"},
		{"mg Cg== b k\r\n", "EN\r\n", "EN kCg== b\r\n"},
		{"mg Cg== b k v\r\n", "VA 3\r\na\nb\r\n", "VA 3 kCg== b\r\na\nb\r\n"},
		{"mg Cg== s b v t k O1\r\n", "VA 0 s0 t-1 O1 W\r\n\r\n", "VA 0 s0 t-1 kCg== b O1 W\r\n\r\n"},
		{"mg Cg== b q O1 N0 c k f\r\n", "HD O1 c5 f0 W\r\n", "HD O1 c5 kCg== b f0 W\r\n"},
		{"mg Cg== b O1 c k\r\n", "EN O1\r\n", "EN O1 kCg== b\r\n"},
		{"mg Cg== b c k O1\r\n", "EN O1\r\n", "EN kCg== b O1\r\n"},
		{"mg Cg== b k\r\n", "CLIENT_ERROR duplicate flag\r\n", "CLIENT_ERROR duplicate flag\r\n"},
		{"mg Cg== b k\r\n", "", ""},
	} {
		req := parse(t, test.typed)
		if req.KeyReturn == nil {
			t.Fatalf("%q: no key to return", test.typed)
		}
		if got := string(req.KeyReturn.AppendTo(nil, []byte(test.answer), req.Key)); got != test.want {
			t.Errorf("%q: %q became %q, expected %q", test.typed, test.answer, got, test.want)
		}
	}
}
