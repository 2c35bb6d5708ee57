package operation

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// Wherever a start runs out of descriptors, or is bound to run out of them when it connects to its servers, it says so and
// what to do, with the status of what may pass. With as many as it asks for, it serves.
func TestTooFewOpenFiles(t *testing.T) {
	t.Parallel()
	flags := []string{"--loops", "2", "--upstream", harness.StartMemcached(t, harness.Newest).Addr + "," + harness.StartMemcached(t, harness.Newest).Addr}
	start := func(limit int) (status int, stderr string) {
		return endOfCommand(t, exec.Command("sh", append([]string{"-c", fmt.Sprintf(`ulimit -n %d; exec "$0" "$@"`, limit), harness.Program(t), "--listen", "127.0.0.1:0"}, flags...)...))
	}
	_, said := start(16)
	var least int
	if _, err := fmt.Sscanf(said, "memverbs: too few open files: event loops (2), their connections to servers (4), listeners (1) and a client take %d, and the system allows 16;", &least); err != nil || least < 17 {
		t.Fatalf("with 16 open files it said %q", said)
	}
	for _, limit := range []int{10, 12, 14, 16, least - 1} {
		if status, said := start(limit); status != 75 || !strings.HasSuffix(said, "; raise the limit of open files: ulimit -n, or LimitNOFILE in a unit of systemd\n") {
			t.Errorf("with %d open files it ended with status %d and said %q", limit, status, said)
		}
	}
	m := harness.StartMemverbsWithFiles(t, least, flags...)
	c := harness.Dial(t, m.Addr)
	for n := range 20 { // both servers own some
		c.Ask(fmt.Sprintf("set k%d 0 0 1\r\nx\r\n", n), "STORED\r\n")
	}
	if !strings.Contains(m.Log(), "--max-clients lowered: the system allows too few open files; raise the limit") {
		t.Error("it does not warn")
	}
}
