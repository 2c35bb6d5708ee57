package protocol

import (
	"strings"
	"testing"
)

// record is what memcached 1.6.18 and 1.6.38, holding nothing, both answer to
// odd input, and what the parser makes of the same. Semicolons separate the
// lines of the answer; an empty one is silence. Where memcached answers twice
// or not at all, the parser must not forward what was typed.
var record = []struct{ typed, memcached, parser string }{
	// Lines, and words too few, too many or none of memcached's.
	{"get a\n", "END", "forward"},
	{" get a\r\n", "END", "forward"},
	{"get  a   b \r\n", "END", "forward"},
	{"get a\t\r\n", "END", "forward"},
	{"get\ta\r\n", "ERROR", "refuse ERROR"},
	{"get a\r\r\n", "END", "forward"},
	{"get a\x00b\r\n", "END", `ask get "a"`},
	{"\x00get a\r\n", "ERROR", "refuse ERROR"},
	{"\r\n", "ERROR", "refuse ERROR"},
	{"\n", "ERROR", "refuse ERROR"},
	{"\r\r\n", "ERROR", "refuse ERROR"},
	{"GET a\r\n", "ERROR", "refuse ERROR"},
	{"get\r\n", "ERROR", "refuse ERROR"},
	{"gets \r\n", "ERROR", "refuse ERROR"},
	{"version foo\r\n", "VERSION 1.6", "forward"},
	{"mn foo\r\n", "MN", "forward"},
	{"mn noreply\r\n", "MN", "forward"},
	{"version noreply\r\n", "VERSION 1.6", "forward"},
	{"mx a\r\n", "ERROR", "refuse ERROR"},
	{"verbosity noreply\r\n", "", `quiet forward "verbosity\r\n"`},
	{"verbosity\r\n", "ERROR", "forward"},
	{"verbosity 1 2 3\r\n", "ERROR", "refuse ERROR"},
	{"flush_all 0 noreply noreply\r\n", "ERROR", "refuse ERROR"},
	{"flush_all noreply noreply\r\n", "", "quiet refuse CLIENT_ERROR bad command line format"},
	{"flush_all 0 1 2\r\n", "ERROR", "refuse ERROR"},
	{"flush_all x\r\n", "CLIENT_ERROR invalid exptime argument", "forward"},
	{"flush_all noreply\r\n", "", `quiet forward "flush_all\r\n"`},

	// Keys.
	{"get a\x01b\r\n", "END", "forward"},
	{"get a\x7fb\r\n", "END", "forward"},
	{"get \xff\xfe\r\n", "END", "forward"},
	{"get a\rb\r\n", "END", "forward"},
	{"get {key251}\r\n", "CLIENT_ERROR bad command line format", "refuse CLIENT_ERROR bad command line format"},
	{"get a {key251} b\r\n", "CLIENT_ERROR bad command line format", "refuse CLIENT_ERROR bad command line format"},
	{"gat 0 {key251}\r\n", "CLIENT_ERROR bad command line format", "refuse CLIENT_ERROR bad command line format"},
	{"delete {key251}\r\n", "CLIENT_ERROR bad command line format", "forward"},
	{"mg {key251}\r\n", "CLIENT_ERROR bad command line format", "forward"},

	// Surplus words, and times.
	{"incr a 1 2\r\n", "NOT_FOUND", "forward"},
	{"incr a 1 2 3\r\n", "ERROR", "refuse ERROR"},
	{"incr a\r\n", "ERROR", "refuse ERROR"},
	{"incr a 1 2 3 noreply\r\n", "ERROR", "refuse ERROR"},
	{"touch a 0 1\r\n", "NOT_FOUND", "forward"},
	{"touch a 0 1 2\r\n", "ERROR", "refuse ERROR"},
	{"delete a 0\r\n", "NOT_FOUND", "forward"},
	{"delete a 5\r\n", "CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]", "forward"},
	{"delete a 0 1\r\n", "CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]", "forward"},
	{"delete a 0 1 2\r\n", "ERROR", "refuse ERROR"},
	{"gat\r\n", "ERROR", "refuse ERROR"},
	{"gat 0\r\n", "END", "forward"},
	{"gat x\r\n", "CLIENT_ERROR invalid exptime argument", "refuse CLIENT_ERROR invalid exptime argument"},
	{"gat 0x1 a\r\n", "CLIENT_ERROR invalid exptime argument", "refuse CLIENT_ERROR invalid exptime argument"},
	{"gat -1 a\r\n", "END", "forward"},
	{"gat +1 a\r\n", "END", "forward"},
	{"gat 99999999999 a\r\n", "END", "forward"},
	{"gat 9223372036854775808 a\r\n", "CLIENT_ERROR invalid exptime argument", "refuse CLIENT_ERROR invalid exptime argument"},

	// noreply, where it is the option and where it is not.
	{"delete noreply\r\n", "NOT_FOUND", "forward"},
	{"delete a noreply\r\n", "", `quiet forward "delete a\r\n"`},
	{"delete a noreply noreply\r\n", "", "quiet refuse CLIENT_ERROR bad command line format"},
	{"delete a 0 noreply\r\n", "", `quiet forward "delete a 0\r\n"`},
	{"delete a noreply 0\r\n", "CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]", "forward"},
	{"delete a 0 noreply noreply\r\n", "ERROR", "refuse ERROR"},
	{"incr noreply\r\n", "ERROR", "refuse ERROR"},
	{"incr a noreply\r\n", "", "quiet refuse CLIENT_ERROR bad command line format"},
	{"incr noreply 1\r\n", "NOT_FOUND", "forward"},
	{"incr a 1 noreply\r\n", "", `quiet forward "incr a 1\r\n"`},
	{"incr a 1 noreply \r\n", "", `quiet forward "incr a 1\r\n"`},
	{"incr a 1 NOREPLY\r\n", "NOT_FOUND", "forward"},
	{"incr a 1 noreply\t\r\n", "NOT_FOUND", "forward"},
	{"incr a 1 noreply\r\r\n", "NOT_FOUND", "forward"},
	{"incr a 1 noreply\x00x\r\n", "", `quiet forward "incr a 1\r\n"`},
	{"incr a noreply noreply\r\n", "", "quiet refuse CLIENT_ERROR bad command line format"},
	{"incr a 1 noreply noreply\r\n", "ERROR", "refuse ERROR"},
	{"touch a noreply\r\n", "", "quiet refuse CLIENT_ERROR bad command line format"},
	{"touch a 0 noreply\r\n", "", `quiet forward "touch a 0\r\n"`},
	{"touch a 0 noreply noreply\r\n", "ERROR", "refuse ERROR"},
	{"get a noreply\r\n", "END", "forward"},
	{"gat 0 a noreply\r\n", "END", "forward"},
	{"replace a 0 0 1 noreply\r\nx\r\n", "", `quiet forward "replace a 0 0 1\r\nx\r\n"`},
	{"replace a 0 0 noreply\r\n", "", "quiet refuse CLIENT_ERROR bad command line format"},
	{"replace a 0 0 noreply noreply\r\n", "", "quiet refuse CLIENT_ERROR bad command line format"},
	{"replace a 0 0 1 noreply noreply\r\nx\r\n", "ERROR; ERROR", "refuse ERROR; refuse ERROR"},
	{"replace a noreply\r\n", "ERROR", "refuse ERROR"},
	{"replace noreply 0 0 1\r\nx\r\n", "NOT_STORED", "forward"},
	{"cas a 0 0 1 noreply\r\nx\r\n", "ERROR", "quiet refuse CLIENT_ERROR bad command line format; refuse ERROR"},
	{"cas a 0 0 1 1 noreply\r\nx\r\n", "", `quiet forward "cas a 0 0 1 1\r\nx\r\n"`},

	// Storage: what the words may be, and which block goes with them.
	{"replace a 0 0 1\nx\r\n", "NOT_STORED", "forward"},
	{"replace a 0 0 0\r\n\r\n", "NOT_STORED", "forward"},
	{"replace a 0 0 1 foo\r\nx\r\n", "NOT_STORED", "forward"},
	{"replace a 0 0\r\nx\r\n", "ERROR; ERROR", "refuse ERROR; refuse ERROR"},
	{"replace a 0 0 1 2 3\r\nx\r\n", "ERROR; ERROR", "refuse ERROR; refuse ERROR"},
	{"replace {key251} 0 0 1\r\nx\r\n", "CLIENT_ERROR bad command line format; ERROR", "refuse CLIENT_ERROR bad command line format"},
	{"replace a +1 +1 +1\r\nx\r\n", "NOT_STORED", "forward"},
	{"replace a 01 01 01\r\nx\r\n", "NOT_STORED", "forward"},
	{"replace a -1 0 1\r\nx\r\n", "CLIENT_ERROR bad command line format; ERROR", "refuse CLIENT_ERROR bad command line format"},
	{"replace a 1x 0 1\r\nx\r\n", "CLIENT_ERROR bad command line format; ERROR", "refuse CLIENT_ERROR bad command line format"},
	{"replace a 0x1 0 1\r\nx\r\n", "CLIENT_ERROR bad command line format; ERROR", "refuse CLIENT_ERROR bad command line format"},
	{"replace a 4294967296 0 1\r\nx\r\n", "NOT_STORED", "forward"},
	{"replace a 18446744073709551615 0 1\r\nx\r\n", "NOT_STORED", "forward"},
	{"replace a 18446744073709551616 0 1\r\nx\r\n", "CLIENT_ERROR bad command line format; ERROR", "refuse CLIENT_ERROR bad command line format"},
	{"replace a 0 -1 1\r\nx\r\n", "NOT_STORED", "forward"},
	{"replace a 0 +-1 1\r\nx\r\n", "CLIENT_ERROR bad command line format; ERROR", "refuse CLIENT_ERROR bad command line format"},
	{"replace a 0 9223372036854775807 1\r\nx\r\n", "NOT_STORED", "forward"},
	{"replace a 0 9223372036854775808 1\r\nx\r\n", "CLIENT_ERROR bad command line format; ERROR", "refuse CLIENT_ERROR bad command line format"},
	{"replace a 0 -9223372036854775808 1\r\nx\r\n", "NOT_STORED", "refuse CLIENT_ERROR bad command line format"},
	{"replace a 0 1x 1\r\nx\r\n", "CLIENT_ERROR bad command line format; ERROR", "refuse CLIENT_ERROR bad command line format"},
	{"replace a 0 0 -1\r\nx\r\n", "CLIENT_ERROR bad command line format; ERROR", "refuse CLIENT_ERROR bad command line format; refuse ERROR"},
	{"replace a 0 0 1x\r\nx\r\n", "CLIENT_ERROR bad command line format; ERROR", "refuse CLIENT_ERROR bad command line format; refuse ERROR"},
	{"replace a 0 0 1\t2\r\nx\r\n", "NOT_STORED", "refuse CLIENT_ERROR bad command line format; refuse ERROR"},
	{"replace a 0 0 \t1\r\nx\r\n", "NOT_STORED", "refuse CLIENT_ERROR bad command line format; refuse ERROR"},
	{"replace a 0 0 1\r\r\nx\r\n", "NOT_STORED", "refuse CLIENT_ERROR bad command line format; refuse ERROR"},
	{"replace a 0 0 2147483645\r\nx\r\n", "waits", "refuse SERVER_ERROR object too large for cache; swallowing"},
	{"replace a 0 0 2147483646\r\nx\r\n", "CLIENT_ERROR bad command line format; ERROR", "refuse SERVER_ERROR object too large for cache; swallowing"},
	{"replace a 0 0 2147483648\r\nx\r\n", "CLIENT_ERROR bad command line format; ERROR", "refuse SERVER_ERROR object too large for cache; swallowing"},
	{"replace a 0 0 4294967297\r\nx\r\n", "NOT_STORED", "refuse SERVER_ERROR object too large for cache; swallowing"},
	{"replace a 0 0 18446744073709551615\r\nx\r\n", "CLIENT_ERROR bad command line format; ERROR", "refuse CLIENT_ERROR bad command line format; refuse ERROR"},
	{"replace a 0 0 1\x002\r\nx\r\n", "NOT_STORED", `forward "replace a 0 0 1\r\nx\r\n"`},
	{"replace a 0 0 2\r\nx\r\nmn\r\n", "CLIENT_ERROR bad data chunk; ERROR", "refuse CLIENT_ERROR bad data chunk; refuse ERROR"},
	{"replace a 0 0 1\r\nxyz\r\n", "CLIENT_ERROR bad data chunk; ERROR", "refuse CLIENT_ERROR bad data chunk; refuse ERROR"},
	{"replace a 0 0 1\r\nx\n\r\n", "CLIENT_ERROR bad data chunk; ERROR", "refuse CLIENT_ERROR bad data chunk; refuse ERROR"},
	{"replace a 0 0 4\r\n\r\n\r\n\r\n", "NOT_STORED", "forward"},
	{"cas a 0 0 1\r\nx\r\n", "ERROR; ERROR", "refuse ERROR; refuse ERROR"},
	{"cas a 0 0 1 +1\r\nx\r\n", "NOT_FOUND", "forward"},
	{"cas a 0 0 1 -1\r\nx\r\n", "CLIENT_ERROR bad command line format; ERROR", "refuse CLIENT_ERROR bad command line format"},
	{"cas a 0 0 1 18446744073709551615\r\nx\r\n", "NOT_FOUND", "forward"},
	{"cas a 0 0 1 18446744073709551616\r\nx\r\n", "CLIENT_ERROR bad command line format; ERROR", "refuse CLIENT_ERROR bad command line format"},
	{"cas a 0 0 1 1x\r\nx\r\n", "CLIENT_ERROR bad command line format; ERROR", "refuse CLIENT_ERROR bad command line format"},
	{"cas a 0 0 1 1 foo\r\nx\r\n", "NOT_FOUND", "forward"},
	{"cas a 0 0 1 1 2 3\r\nx\r\n", "ERROR; ERROR", "refuse ERROR; refuse ERROR"},

	// Numbers that are left to memcached.
	{"incr a x\r\n", "CLIENT_ERROR invalid numeric delta argument", "forward"},
	{"incr a -1\r\n", "CLIENT_ERROR invalid numeric delta argument", "forward"},
	{"incr a 18446744073709551616\r\n", "CLIENT_ERROR invalid numeric delta argument", "forward"},
	{"touch a x\r\n", "CLIENT_ERROR invalid exptime argument", "forward"},
	{"touch a 99999999999\r\n", "NOT_FOUND", "forward"},

	// Meta commands: numbers, flags, keys in base64.
	{"mg\r\n", "ERROR", "refuse ERROR"},
	{"me\r\n", "CLIENT_ERROR bad command line format", "refuse CLIENT_ERROR bad command line format"},
	{"mg  a   v \r\n", "EN", "forward"},
	{"mg a v v\r\n", "CLIENT_ERROR duplicate flag", "forward"},
	{"mg a noreply\r\n", "CLIENT_ERROR invalid flag", "forward"},
	{"mg a \xff\r\n", "CLIENT_ERROR duplicate flag", "forward"},
	{"mg a \x00q\r\n", "EN", `forward "mg a \r\n"`},
	{"mg a O{31}\r\n", "EN O{31}", "forward"},
	{"mg a O{32}\r\n", "CLIENT_ERROR opaque token too long", "forward"},
	{"mg a k q Ox\r\n", "", `quiet forward "mg a k Ox\r\n"`},
	{"mg a qx k\r\n", "", `quiet forward "mg a k\r\n"`},
	{"mg a q q\r\n", "CLIENT_ERROR duplicate flag", "quiet refuse CLIENT_ERROR duplicate flag"},
	{"mg a\tq\r\n", "EN", "forward"},
	{"me a q\r\n", "EN", "forward"},
	{"me a q q\r\n", "EN", "forward"},
	{"md a q\r\n", "NF", `quiet forward "md a \r\n"`},
	{"ma a q\r\n", "NF", `quiet forward "ma a \r\n"`},
	{"mg a {17 flags}\r\n", "CLIENT_ERROR invalid flag", "forward"},
	{"mg a {18 flags}\r\n", "CLIENT_ERROR options flags are too long", "forward"},
	{"ms\r\n", "ERROR", "refuse ERROR"},
	{"ms a\r\n", "CLIENT_ERROR bad command line format", "refuse CLIENT_ERROR bad command line format"},
	{"ms a x\r\nx\r\n", "CLIENT_ERROR bad command line format; ERROR", "refuse CLIENT_ERROR bad command line format; refuse ERROR"},
	{"ms a -1\r\nx\r\n", "CLIENT_ERROR bad command line format; ERROR", "refuse CLIENT_ERROR bad command line format; refuse ERROR"},
	{"ms a 1x\r\nx\r\n", "CLIENT_ERROR bad command line format; ERROR", "refuse CLIENT_ERROR bad command line format; refuse ERROR"},
	{"ms a S1\r\nx\r\n", "CLIENT_ERROR bad command line format; ERROR", "refuse CLIENT_ERROR bad command line format; refuse ERROR"},
	{"ms a +1 MR\r\nx\r\n", "NS", "forward"},
	{"ms a 01 MR\r\nx\r\n", "NS", "forward"},
	{"ms a\t1\r\nx\r\n", "CLIENT_ERROR bad command line format; ERROR", "refuse CLIENT_ERROR bad command line format; refuse ERROR"},
	{"ms a 2147483647\r\nx\r\n", "CLIENT_ERROR bad command line format; ERROR", "refuse SERVER_ERROR object too large for cache, unlink; swallowing"},
	{"ms a 4294967297 MR\r\nx\r\n", "NS", "refuse SERVER_ERROR object too large for cache, unlink; swallowing"},
	{"ms {key251} 1\r\nx\r\n", "CLIENT_ERROR bad command line format; ERROR", "refuse CLIENT_ERROR bad command line format"},
	{"ms a 1 MR q\r\nx\r\n", "NS", `quiet forward "ms a 1 MR \r\nx\r\n"`},
	{"ms a 1 q MS q\r\nx\r\n", "CLIENT_ERROR duplicate flag", "quiet refuse CLIENT_ERROR duplicate flag"},
	{"ms a 1 c c\r\nx\r\n", "CLIENT_ERROR duplicate flag", "forward"},
	{"ms a 1 !\r\nx\r\n", "CLIENT_ERROR invalid flag", "forward"},
	{"ms a 1 C\r\nx\r\n", "CLIENT_ERROR bad token in command line format", "forward"},
	{"ms a 1 Fx\r\nx\r\n", "CLIENT_ERROR bad command line format", "forward"},
	{"ms a 1 MX\r\nx\r\n", "CLIENT_ERROR invalid mode for ms M token", "forward"},
	{"ms a 1 O{32}\r\nx\r\n", "CLIENT_ERROR opaque token too long", "forward"},
	{"ms a 1 {16 flags}\r\nx\r\n", "CLIENT_ERROR invalid flag", "forward"},
	{"ms a 1 {17 flags}\r\nx\r\n", "CLIENT_ERROR options flags too long; ERROR", "refuse CLIENT_ERROR options flags too long"},
	{"ms a 2\r\nx\r\nmn\r\n", "CLIENT_ERROR bad data chunk; ERROR", "refuse CLIENT_ERROR bad data chunk; refuse ERROR"},
	{"ms a 1 q\r\nxyz\r\n", "CLIENT_ERROR bad data chunk; ERROR", "quiet refuse CLIENT_ERROR bad data chunk; refuse ERROR"},
	{"ms YQ== 1 b MR\r\nx\r\n", "NS", "forward"},
	{"ms YQ= 1 b\r\nx\r\n", "CLIENT_ERROR error decoding key", "forward"},
	{"ms {base64 of 187} 1 b MR\r\nx\r\n", "CLIENT_ERROR bad command line format; ERROR", "refuse CLIENT_ERROR bad command line format"},
	{"ms {base64 of 188} 1 b MR\r\nx\r\n", "CLIENT_ERROR bad command line format; ERROR", "refuse CLIENT_ERROR bad command line format"},
	{"mg YQ== b k\r\n", "EN kYQ== b", "forward"},
	{"mg !!! b\r\n", "CLIENT_ERROR error decoding key", "forward"},
	{"mg Y-Q== b k\r\n", "EN kYQ== b", "forward"},
	{"mg Yg==YQ== b k\r\n", "EN kYg== b", "forward"},
}

// expand fills in what is too long to be read.
var expand = strings.NewReplacer(
	"{key251}", key251,
	"{31}", strings.Repeat("o", 31),
	"{32}", strings.Repeat("o", 32),
	"{16 flags}", "k s t c f v h l u I x z w y j g",
	"{17 flags}", "k s t c f v h l u I x z w y j g p",
	"{18 flags}", "k s t c f v h l u I x z w y j g p Q",
	"{base64 of 187}", strings.Repeat("enp6", 62)+"eg==",
	"{base64 of 188}", strings.Repeat("enp6", 62)+"eno=",
)

func TestRecord(t *testing.T) {
	for _, test := range record {
		typed := expand.Replace(test.typed)
		got := verdicts(t, typed)
		for i, v := range got {
			if v == "forward "+quote([]byte(typed)) {
				got[i] = "forward"
			}
		}
		if got := strings.Join(got, "; "); got != test.parser {
			t.Errorf("%q:\n got %s\nwant %s", test.typed, got, test.parser)
		}
	}
}

// What is forwarded as it is gets one answer.
func TestRecordIsSafe(t *testing.T) {
	for _, test := range record {
		one := test.memcached != "" && test.memcached != "waits" && !strings.Contains(test.memcached, "; ")
		if test.parser == "forward" && !one {
			t.Errorf("%q is forwarded, though memcached answers %q", test.typed, test.memcached)
		}
	}
}
