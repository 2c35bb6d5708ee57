package transcripts

import (
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// What the transcripts show of keys in namespaces holds on one server and on two, and those that are about no such keys hold as
// ever.
func TestTranscriptsOfNamespaces(t *testing.T) {
	t.Parallel()
	for _, version := range harness.Versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			flags := []string{"--namespaces", "user:,shop/*/", "--verb-keys", "verb/"}
			for range 2 {
				flags = append(flags, "--upstream", harness.StartMemcached(t, version).Addr)
				addr := harness.StartMemverbs(t, flags...).Addr
				play(t, "namespaces", "namespaces", addr)
				play(t, "plain", "namespaces", addr)
			}
		})
	}
}
