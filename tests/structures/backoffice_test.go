package structures

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// backOffice is a queue of tasks in one memcached behind one memverbs, with one client.
type backOffice struct {
	t        *testing.T
	memverbs *harness.Memverbs
	store    *harness.Memcached
	client   *harness.Client
	session  session
	direct   *harness.Client // to the memcached
}

func startBackOffice(t *testing.T, flags ...string) *backOffice {
	t.Helper()
	b := &backOffice{t: t, store: harness.StartMemcached(t, harness.Newest, flags...)}
	b.memverbs = harness.StartPlainMemverbs(t, append([]string{"--upstream", b.store.Addr}, patient...)...)
	b.client, b.direct = harness.Dial(t, b.memverbs.Addr), harness.Dial(t, b.store.Addr)
	b.session.addr = b.memverbs.Addr
	t.Cleanup(b.session.close)
	return b
}

// sizeOfContents is the size of a task's content, and of an item of other traffic, in bytes.
const sizeOfContents = 400

func (b *backOffice) data(id string) string {
	return id + strings.Repeat(" ", sizeOfContents-len(id))
}

// put puts a task.
func (b *backOffice) put(id string, when int64) {
	b.t.Helper()
	b.client.Ask(fmt.Sprintf("taskput backoffice %s %d 0 %d\r\n%s\r\n", id, when, sizeOfContents, b.data(id)), "STORED\r\n")
}

// take takes a task, which has to be there with all its content.
func (b *backOffice) take() value {
	b.t.Helper()
	if !b.session.connect() {
		b.t.Fatal("memverbs does not take connections")
	}
	r, err := b.session.exchange("tasktake backoffice 60\r\n")
	if err != nil || len(r.values) != 1 {
		b.t.Fatalf("tasktake: %q, %v", r, err)
	}
	if v := r.values[0]; v.data != b.data(v.name) {
		b.t.Errorf("%s was handed out with the content %q", v.name, v.data)
	}
	return r.values[0]
}

// doOne puts a task that is due at once, takes it and ends it.
func (b *backOffice) doOne(id string) {
	b.t.Helper()
	b.put(id, 0)
	v := b.take()
	if v.name != id {
		b.t.Errorf("%s was handed out instead of %s", v.name, id)
	}
	b.client.Ask("taskdone backoffice "+v.stamp+"\r\n", "DELETED\r\n")
}

// distract has the memcached store another item, which has a number.
func (b *backOffice) distract(n int) {
	b.t.Helper()
	b.direct.Ask(fmt.Sprintf("set backoffice:other%011d 0 0 %d\r\n%s\r\n", n, sizeOfContents, b.data("")), "STORED\r\n")
}

// contents returns the keys of the contents that the memcached has.
func (b *backOffice) contents() (keys []string) {
	b.t.Helper()
	for key := range items(b.t, b.store) {
		if strings.HasPrefix(key, "backoffice:") && !strings.HasPrefix(key, "backoffice:other") {
			keys = append(keys, key)
		}
	}
	return keys
}

// lost returns how many contents memverbs has found to be missing.
func (b *backOffice) lost() int {
	n, _ := strconv.Atoi(b.memverbs.Stats()["structures_incomplete"])
	return n
}

// length returns how many tasks the queue has.
func (b *backOffice) length() int {
	b.t.Helper()
	b.client.Send("tasklen backoffice\r\n")
	n, err := strconv.Atoi(b.client.Line())
	if err != nil {
		b.t.Error(err)
	}
	return n
}
