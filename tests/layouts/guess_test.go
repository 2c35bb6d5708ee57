package layouts

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// twins is how many layouts can be the same for a pool: those of a ketama ring of equal servers
// on uncommon ports.
const twins = 5

// isGuessed checks that "memverbs verify --guess" ranks the layout first. Others may be first
// with it, as several are the same for such pools, but only if they find all keys too.
func (p proof) isGuessed(t *testing.T, pool *pool) {
	t.Helper()
	flags := append([]string{"verify", "--guess", "--sample", "1000", "--timeout", harness.Patience.String(),
		"--connect-timeout", harness.Patience.String(), "--upstream", strings.Join(pool.upstreams, ",")}, p.flags...)
	said, err := exec.CommandContext(t.Context(), harness.PlainProgram(t), flags...).CombinedOutput()
	if err != nil { // so it does if not all keys fit
		t.Errorf("memverbs %q: %v\n%s", flags, err, said)
		return
	}
	var first []string
	for line := range strings.Lines(string(said)) {
		if _, name, ok := strings.Cut(line, " 100.0 %  "); ok {
			first = append(first, strings.TrimSpace(name))
		}
	}
	if !slices.Contains(first, p.layout) || len(first) > twins {
		t.Errorf("verify guesses %q:\n%s", first, said)
	}
	if len(first) > 1 {
		t.Logf("verify can't tell these apart: %q", first)
	}
}
