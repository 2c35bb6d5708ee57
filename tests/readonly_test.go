package tests

import (
	"fmt"
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

	reads := "smembers s\r\nscard s\r\nlrange l\r\nzrange z 0 -1\r\nsmembers lost\r\nhgetall table\r\nhget table a\r\ntasklist q\r\ninspect lost\r\nsunion s lost\r\nmn\r\n"
	changes := func() string {
		of := store.Stats()
		return fmt.Sprint(of["cmd_set"], " sets, ", of["cas_hits"], " by CAS, ", of["delete_hits"], " deletions, ", of["total_items"], " items stored")
	}
	before := changes()
	reader := harness.Dial(t, harness.StartMemverbs(t, append(tidying, "--read-only")...).Addr)
	for range 3 {
		reader.Send(reads)
		answers := reader.Until("MN")
		for _, expected := range []string{"VALUE s 0 1\r\nb\r\n", "VALUE l 0 39\r\nb b", "VALUE z 0 3\r\na b\r\n", "VALUE a 0"} {
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
