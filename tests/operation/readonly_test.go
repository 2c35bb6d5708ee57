package operation

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// Nothing is changed through a pool that is read-only: calls that read answer as elsewhere, and leave
// alone what they would compact or delete in another pool.
func TestReadOnlyPoolChangesNothing(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Versions[0])
	tidying := []string{"--upstream", store.Addr, "--compact-dirtiness", "1", "--structure-item-size", "1KB"}
	writer := harness.Dial(t, harness.StartMemverbs(t, "--upstream", store.Addr, "--compact-dirtiness", "100000").Addr)
	for _, change := range []struct{ verb, answer string }{
		{"sadd s a b", "STORED"}, {"srem s a", "STORED"}, {"rpush l a b", "STORED"}, {"lrem l 0 a", "STORED"}, {"zinc z a b", "STORED"},
	} {
		writer.Ask(strings.Repeat(change.verb+"\r\n", 20), strings.Repeat(change.answer+"\r\n", 20))
	}
	// Structures of which a part is missing.
	for key, value := range map[string]string{"lost": "@0123456789abcdeA:1:4 +a ", "table": "h:0123456789abcdeA "} {
		writer.Ask(fmt.Sprintf("set %s 0 0 %d\r\n%s\r\n", key, len(value), value), "STORED\r\n")
	}
	writer.Ask("taskput q a 0 0 1\r\nx\r\n", "STORED\r\n")
	writer.Ask("limit login 3 3600\r\n", "1 2 0\r\n")

	reads := "smembers s\r\nscard s\r\nlrange l\r\nzrange z 0 -1\r\nsmembers lost\r\nhgetall table\r\nhget table a\r\ntasklist q\r\ninspect lost\r\ninspect login 3 3600\r\nsunion s lost\r\nmn\r\n"
	changes := func() string {
		of := store.Stats()
		return fmt.Sprint(of["cmd_set"], " sets, ", of["cas_hits"], " by CAS, ", of["delete_hits"], " deletions, ", of["total_items"], " items stored")
	}
	before := changes()
	reader := harness.Dial(t, harness.StartMemverbs(t, append(tidying, "--read-only")...).Addr)
	for range 3 {
		reader.Send(reads)
		answers := reader.Until("MN")
		for _, expected := range []string{"VALUE s 0 1\r\nb\r\n", "VALUE l 0 39\r\nb b", "VALUE z 0 3\r\na b\r\n", "VALUE a 0", "STAT counted 1\r\n"} {
			if !strings.Contains(answers, expected) {
				t.Errorf("%q is not in %q", expected, answers)
			}
		}
	}
	if after := changes(); after != before {
		t.Errorf("memcached counted %s before, and %s after reads through a pool that is read-only", before, after)
	}
	// The same reads elsewhere tidy up.
	elsewhere := harness.Dial(t, harness.StartMemverbs(t, tidying...).Addr)
	elsewhere.Send(reads)
	elsewhere.Until("MN")
	if after := changes(); after == before {
		t.Errorf("memcached counted %s before and after reads through another pool", before)
	}
}

// Nobody wins the token of a stale item through a pool that is read-only, in any protocol; what a mg
// asks for it gets, but for what only a mg can tell.
func TestReadOnlyPoolWinsNothing(t *testing.T) {
	t.Parallel()
	for _, version := range harness.Versions {
		store := harness.StartMemcached(t, version)
		direct := harness.Dial(t, store.Addr)
		p := harness.StartMemverbs(t, "--upstream", store.Addr, "--read-only")
		reader := harness.Dial(t, p.Addr)
		large := strings.Repeat("x", 100_000)
		direct.Ask("set p 7 0 2\r\nab\r\nset l 0 0 100000\r\n"+large+"\r\n", "STORED\r\nSTORED\r\n")
		for _, same := range []string{"mg p v", "mg p", "mg p s v f k c O123", "mg p k f q", "mg none v k q", "mg l v s", "mg p u v Lx Py", "mg p v v", "mg none"} {
			direct.Send(same + "\r\nmn\r\n")
			reader.Send(same + "\r\nmn\r\n")
			if here, there := direct.Until("MN"), reader.Until("MN"); here != there {
				t.Errorf("memcached %s answers %q with %.60q, and the pool with %.60q", version, same, here, there)
			}
		}
		for _, flag := range []string{"t", "h", "l", "N5", "T5", "R5", "E5"} {
			reader.Send("mg p v " + flag + "\r\n")
			if line := reader.Line(); !strings.HasPrefix(line, "CLIENT_ERROR mg") || !strings.HasSuffix(line, "by its setting read-only") {
				t.Errorf("mg with %s is answered by %q", flag, line)
			}
		}
		direct.Ask("md p I\r\n", "HD\r\n")
		reader.Ask("mg p v\r\nmg p\r\nget p\r\ngets none\r\nmg p k\r\n", "VA 2\r\nab\r\nHD\r\nVALUE p 7 2\r\nab\r\nEND\r\nEND\r\nHD kp\r\n")
		const get, noop = 0x00, 0x0a
		binary := harness.Dial(t, p.Addr)
		binary.Send(requestPacket(get, "p", "") + requestPacket(get, "an odd key", "") + requestPacket(noop, "", ""))
		for answered := ""; !strings.HasSuffix(answered, answerPacket(noop, 0, "")); {
			answered += binary.Exactly(1)
		}
		direct.Send("mg p v\r\n")
		if line := direct.Line(); line != "VA 2 X W" && line != "VA 2 W X" {
			t.Errorf("after reads through the pool, memcached %s answers the first client that can store with %q", version, line)
		}
	}
}

// Neither do verbs, whatever they find, and whether the proxy has read it lately or not. All that they read is
// as it is through another pool, but for the time to live, which is not told.
func TestVerbsInAReadOnlyPoolWinNothing(t *testing.T) {
	t.Parallel()
	for _, version := range harness.Versions {
		store := harness.StartMemcached(t, version)
		direct := harness.Dial(t, store.Addr)
		writer := harness.Dial(t, harness.StartMemverbs(t, "--upstream", store.Addr, "--verb-keys", "verb/").Addr)
		reader := harness.Dial(t, harness.StartMemverbs(t, "--upstream", store.Addr, "--verb-keys", "verb/", "--read-only").Addr)
		writer.Ask("sadd s a b\r\nrpush l a b\r\nhset t f 7 0 1\r\nx\r\nzadd z 5 a 6 b\r\ntaskput q a 0 0 1\r\nx\r\nset p 0 0 1\r\nx\r\nlock k me 100\r\n", strings.Repeat("STORED\r\n", 7))
		reads := map[string][]string{
			"s": {"scard s", "smembers s", "sismember s a", "srandmember s 2", "sunion s none", "get verb/scard/s p", "mg verb/smembers/s v c f"},
			"l": {"llen l", "lrange l", "get verb/lrange/l"},
			"t": {"hget t f", "hexists t f", "hexists t none", "hkeys t", "hgetall t", "hlen t", "gets verb/hget/t/f"},
			"z": {"zget z a", "zrank z b", "zrange z 0 2 withscores", "zcard z"},
			"q": {"tasklist q", "tasklen q"},
			"p": {"scard p", "lrange p", "hget p f", "zget p a", "tasklist p", "logfetch p", "sinter p s", "get verb/smembers/p"},
			"k": {"scard k", "get k"},
		}
		for key, lines := range reads {
			for range 2 {
				for _, line := range lines {
					writer.Send(line + "\r\nmn\r\n")
					expected := writer.Until("MN")
					direct.Ask("md "+key+" I\r\n", "HD\r\n")
					reader.Send(line + "\r\nmn\r\n")
					if answer := reader.Until("MN"); !strings.HasPrefix(line, "srandmember") && withoutCAS(answer) != withoutCAS(expected) {
						t.Errorf("memcached %s: %s answers %q through the pool, %q through another", version, line, answer, expected)
					}
					direct.Send("mg " + key + "\r\n")
					if won := direct.Line(); won != "HD X W" && won != "HD W X" {
						t.Errorf("memcached %s: after %s through the pool, the first mg of %s is answered by %q", version, line, key, won)
					}
				}
			}
			writer.Send("inspect " + key + "\r\n")
			expected := writer.Until("END")
			direct.Ask("md "+key+" I\r\n", "HD\r\n")
			reader.Send("inspect " + key + "\r\n")
			answer := reader.Until("END")
			if before, after, _ := strings.Cut(expected, "STAT seconds_to_live "); answer != before+after[strings.Index(after, "\n")+1:] {
				t.Errorf("inspect answers %q through the pool, %q through another", answer, expected)
			}
			direct.Send("mg " + key + "\r\n")
			if won := direct.Line(); !strings.HasSuffix(won, "W") && !strings.HasSuffix(won, "W X") {
				t.Errorf("memcached %s: after inspect through the pool, the first mg of %s is answered by %q", version, key, won)
			}
		}
		reader.Ask("mg verb/scard/s v t\r\n", "CLIENT_ERROR mg with the flag t is not allowed in pool main by its setting read-only\r\n")
	}
}

// withoutCAS returns an answer without the CAS of a gets or mg, which marking an item as stale changes.
func withoutCAS(answer string) string { return casTold.ReplaceAllString(answer, "$1") }

var casTold = regexp.MustCompile(`(VALUE \S+ \d+ \d+|VA \d+) c?\d+`)
