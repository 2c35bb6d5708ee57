package structures

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// A queue of tasks that are due tomorrow is in a memcached that is so small that other traffic
// evicts their contents. As long as tasks are taken, most contents stay. Those that don't are
// counted, and their tasks dropped.
func TestContentsOfPendingTasksOutliveOtherTraffic(t *testing.T) {
	if !soaking() {
		t.Parallel()
	}
	const pending = 500
	kept := map[bool]int{}
	for _, taking := range []bool{false, true} {
		b := startBackOffice(t, "-m", "3")
		for i := range pending {
			b.put(fmt.Sprintf("tomorrow%d", i), time.Now().Add(24*time.Hour).UnixMilli())
		}
		for i := range atLength(3000, 30_000) {
			b.distract(i)
			if taking {
				b.doOne(fmt.Sprintf("now%d", i))
			}
		}
		t.Logf("taking %t: %d of %d contents are left after %d evictions; %d were missed", taking, len(b.contents()), pending, evictions(b.store), b.lost())
		harness.Await(t, "all tasks without content to be counted and dropped", func() bool {
			for range 20 {
				b.doOne("another") // of which the content is removed when that is answered already
			}
			kept[taking] = b.length()
			return len(b.contents()) == kept[taking] && b.lost() == pending-kept[taking]
		})
	}
	if kept[false] > 0 {
		t.Error("other traffic has not evicted all contents, so this has shown nothing")
	}
	if kept[true] < pending/2 {
		t.Errorf("only %d of %d contents are left though tasks were taken", kept[true], pending)
	}
}

// A queue that is evicted is empty, and what was taken can't be ended any more.
func TestAQueueThatIsEvictedIsEmpty(t *testing.T) {
	t.Parallel()
	b := startBackOffice(t)
	b.put("held", 0)
	held := b.take()
	b.put("waiting", 0)
	b.direct.Ask("delete backoffice\r\n", "DELETED\r\n")
	b.client.Ask("tasktake backoffice 60\r\n", "END\r\n")
	b.client.Ask("tasklen backoffice\r\n", "NOT_FOUND\r\n")
	b.client.Ask("taskdone backoffice "+held.stamp+"\r\n", "NOT_FOUND\r\n")
	b.doOne("new")
	if b.lost() > 0 {
		t.Error("an eviction was noted, though nobody can tell")
	}
}

// A task of which the content is evicted is not handed out but dropped, and the others are.
func TestATaskWithoutContentIsNotHandedOut(t *testing.T) {
	t.Parallel()
	const tasks = 10
	b := startBackOffice(t)
	for i := range tasks {
		b.put(fmt.Sprintf("task%d", i), 0)
	}
	gone := b.contents()[0]
	b.direct.Ask("delete "+gone+"\r\n", "DELETED\r\n")
	for range tasks - 1 {
		b.client.Ask("taskdone backoffice "+b.take().stamp+"\r\n", "DELETED\r\n")
	}
	b.client.Ask("tasktake backoffice 60\r\n", "END\r\n")
	b.client.Ask("tasklen backoffice\r\n", "0\r\n")
	if b.lost() != 1 {
		t.Errorf("%d evictions were noted instead of 1", b.lost())
	}
	if !strings.Contains(b.memverbs.Log(), gone) {
		t.Errorf("nothing is logged about %q", gone)
	}
}
