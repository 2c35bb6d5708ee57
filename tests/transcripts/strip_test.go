package transcripts

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// stripping is a proxy that strips session: from the keys of its second pool, which is one server.
type stripping struct {
	*harness.Memverbs
	main, sessions *harness.Memcached
}

func startStripping(t *testing.T, version string) *stripping {
	t.Helper()
	s := &stripping{main: harness.StartMemcached(t, version), sessions: harness.StartMemcached(t, version)}
	addr := harness.FreeAddr(t)
	file := filepath.Join(t.TempDir(), "memverbs.yml")
	text := fmt.Sprintf(`loops: 2
pools:
  main: {flush: allow, servers: ["%s"]}
  sessions: {flush: allow, servers: ["%s"]}
listeners:
  - listen: ["%s"]
    verb-keys: verb/
    routes: {"session:": {pool: sessions, strip: true}, "": main}
`, s.main.Addr, s.sessions.Addr, addr)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Memverbs = harness.StartMemverbsWith(t, file, addr)
	return s
}

// Clients of a route that strips its prefix see the whole keys in every answer, and the transcripts
// that are about no such keys hold as ever.
func TestStrippedTranscripts(t *testing.T) {
	t.Parallel()
	for _, version := range harness.Versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			s := startStripping(t, version)
			play(t, "stripped", "stripped", s.Addr)
			play(t, "plain", "stripped", s.Addr)
		})
	}
}

// Each command changes, in the pool, the item of the key without its prefix, and nothing else.
func TestStrippedKeysInThePool(t *testing.T) {
	t.Parallel()
	for _, version := range harness.Versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			s := startStripping(t, version)
			c, stored := harness.Dial(t, s.Addr), harness.Dial(t, s.sessions.Addr)
			for _, step := range []struct{ request, reply, value string }{
				{"set session:k 7 0 1\r\n5\r\n", "STORED\r\n", "5"},
				{"add session:k 0 0 1\r\nx\r\n", "NOT_STORED\r\n", "5"},
				{"replace session:k 7 0 1\r\n6\r\n", "STORED\r\n", "6"},
				{"append session:k 0 0 1\r\n1\r\n", "STORED\r\n", "61"},
				{"prepend session:k 0 0 1\r\n1\r\n", "STORED\r\n", "161"},
				{"incr session:k 1\r\n", "162\r\n", "162"},
				{"decr session:k 2\r\n", "160\r\n", "160"},
				{"touch session:k 0\r\n", "TOUCHED\r\n", "160"},
				{"gat 0 session:k\r\n", "VALUE session:k 7 3\r\n160\r\nEND\r\n", "160"},
				{"ma session:k D5 v k\r\n", "VA 3 ksession:k\r\n165\r\n", "165"},
				{"ma c2Vzc2lvbjpr b v k\r\n", "VA 3 kc2Vzc2lvbjpr b\r\n166\r\n", "166"},
				{"ms session:k 1 MA k\r\n7\r\n", "HD ksession:k\r\n", "1667"},
				{"ms c2Vzc2lvbjpr 1 b\r\n8\r\n", "HD\r\n", "8"},
				{"md session:k k\r\n", "HD ksession:k\r\n", ""},
				{"set session:k 0 0 1 noreply\r\n9\r\nget session:k\r\n", "VALUE session:k 0 1\r\n9\r\nEND\r\n", "9"},
				{"delete session:k\r\n", "DELETED\r\n", ""},
				{"sadd session:k a b\r\n", "STORED\r\n", "+a +b "},
				{"set verb/sadd/session:k 0 0 1\r\nc\r\n", "STORED\r\n", "+a +b +c "},
				{"md c2Vzc2lvbjpr b\r\n", "HD\r\n", ""},
				{"set session:k 0 0 1\r\n0\r\nset session:k 0 0 2000000\r\n" + strings.Repeat("x", 2000000) + "\r\n", "STORED\r\nSERVER_ERROR object too large for cache\r\n", ""},
			} {
				c.Ask(step.request, step.reply)
				want := "EN\r\n"
				if step.value != "" {
					want = fmt.Sprintf("VA %d\r\n%s\r\n", len(step.value), step.value)
				}
				stored.Ask("mg k v\r\n", want)
				stored.Ask("get session:k\r\n", "END\r\n")
			}
			large := strings.Repeat("y", 900000)
			c.Ask(fmt.Sprintf("set session:k 0 0 %d\r\n%s\r\n", len(large), large), "STORED\r\n")
			value := fmt.Sprintf(" 0 %d\r\n%s\r\n", len(large), large)
			stored.Ask("get k\r\n", "VALUE k"+value+"END\r\n")
			c.Ask("get session:k\r\nget session:k none session:k\r\n", "VALUE session:k"+value+"END\r\nVALUE session:k"+value+"VALUE session:k"+value+"END\r\n")
			if items := s.main.Stats()["total_items"]; items != "0" {
				t.Errorf("%s items were stored in the other pool", items)
			}
			c.InStep()
		})
	}
}
